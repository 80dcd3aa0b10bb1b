//! Processes find one another, and what one gives to another arrives.

use network::Peers;
use network::peers::Lost;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

fn join(number: usize, count: usize, address: &str, patience: Duration) -> io::Result<Peers> {
    sockets::join(number, count, address, patience, &|| Ok(()))
}

fn on_all<T: Send>(count: usize, address: &str, run: impl Fn(Peers) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let run = &run;
        let start = |number| move || run(join(number, count, address, PATIENCE).expect("all come"));
        // The last comes first.
        let mut threads: Vec<_> = (0..count).rev().map(|number| scope.spawn(start(number))).collect();
        threads.reverse();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}

fn path(folder: &tempfile::TempDir) -> String {
    folder.path().join("meet").to_str().expect("a path in letters").to_owned()
}

/// An address at which nobody listened a moment ago.
fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Swaps of messages of all sizes; returns whether all were right.
fn swaps_rightly(peers: &Peers) -> bool {
    let (number, count) = (peers.number(), peers.count());
    let message = |from: usize, to: usize, round: usize| {
        let length = [0, 1, 15, 16, 70_000, 3_000_000][(from + 2 * to + round) % 6];
        vec![(from * 10 + to + round) as u8; length]
    };
    (0..12).all(|round| {
        let mut messages: Vec<Vec<u8>> = (0..count).map(|to| message(number, to, round)).collect();
        let least = peers.swap((100 + (number + round) % count) as u64, &mut messages);
        let expected = (0..count).map(|from| message(from, number, round));
        least == 100 && messages.into_iter().eq(expected)
    })
}

#[test]
fn messages_arrive_over_sockets_of_this_computer() {
    let folder = tempfile::tempdir().unwrap();
    assert!(on_all(4, &path(&folder), |peers| swaps_rightly(&peers)).into_iter().all(|right| right));
}

#[test]
fn messages_arrive_over_a_network() {
    assert!(on_all(3, &free_port(), |peers| swaps_rightly(&peers)).into_iter().all(|right| right));
}

#[test]
fn one_process_is_alone() {
    let folder = tempfile::tempdir().unwrap();
    assert!(join(0, 1, &path(&folder), PATIENCE).unwrap().is_alone());
}

#[test]
fn the_end_of_a_process_ends_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let ends = on_all(3, &path(&folder), |peers| {
        if peers.number() == 1 {
            return None;
        }
        let end = catch_unwind(AssertUnwindSafe(|| {
            loop {
                peers.least(1);
            }
        }));
        end.err().and_then(|why| why.downcast::<Lost>().ok())
    });
    assert!(ends[1].is_none());
    for lost in [&ends[0], &ends[2]] {
        let words = &lost.as_ref().expect("it is told").0;
        assert!(words.starts_with("process ") && words.contains("has ended"), "{words}");
    }
}

#[test]
fn those_who_do_not_come_are_missed() {
    let folder = tempfile::tempdir().unwrap();
    let error = join(0, 3, &path(&folder), Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.to_string(), "2 of 3 processes have not come: 1, 2");
    let nobody = format!("{}-elsewhere", path(&folder));
    let error = join(1, 2, &nobody, Duration::from_millis(50)).unwrap_err();
    assert!(error.to_string().starts_with(&format!("no process listens at {nobody}")), "{error}");
    let error = join(2, 2, &nobody, PATIENCE).unwrap_err();
    assert_eq!(error.to_string(), "there is no process 2 of 2");
}

#[test]
fn who_looks_need_not_wait_for_those_who_cannot_come() {
    let folder = tempfile::tempdir().unwrap();
    for number in [0, 1] {
        let looked = sockets::join(number, 2, &path(&folder), PATIENCE, &|| Err(io::Error::other("gone")));
        assert_eq!(looked.unwrap_err().to_string(), "gone");
    }
}

#[test]
fn another_number_of_processes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let address = path(&folder);
    let error = thread::scope(|scope| {
        let first = scope.spawn(|| join(0, 2, &address, PATIENCE).unwrap_err());
        scope.spawn(|| join(1, 3, &address, Duration::from_millis(500)).unwrap_err());
        first.join().unwrap()
    });
    assert_eq!(
        error.to_string(),
        "process 1 is one of 3, and this one is of 2: --processes is the same for all"
    );
}

#[test]
fn strangers_are_sent_away() {
    let address = free_port();
    let joined = thread::scope(|scope| {
        let first = scope.spawn(|| join(0, 2, &address, PATIENCE));
        for words in [&b"GET / HTTP/1.1\r\n\r\n and more"[..], b"?"] {
            let mut stranger = loop {
                if let Ok(stream) = TcpStream::connect(&address) {
                    break stream;
                }
            };
            stranger.write_all(words).unwrap();
        }
        let second = scope.spawn(|| join(1, 2, &address, PATIENCE));
        [first.join().unwrap().is_ok(), second.join().unwrap().is_ok()]
    });
    assert_eq!(joined, [true, true]);
}
