//! Traces of liballprof: the readable part of them, damaged ones too, is replayed.

mod replaying;

use messaging::Progress;
use proptest::prelude::*;
use reference::ReferenceEngine;
use replaying::{CYCLES_PER_MICROSECOND, begin, given, network, replay, replay_on, traffic};
use std::path::{Path, PathBuf};
use traces::{Trace, TraceError, TraceFormat};
use windowed::new_engine;
use workloads::trace::TimeScale;

fn own_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/tests/data/exchange")
}

fn own_texts() -> Vec<String> {
    let name = |rank| own_directory().join(format!("pmpi-trace-rank-{rank}.txt"));
    (0..3).map(|rank| std::fs::read_to_string(name(rank)).unwrap()).collect()
}

fn all_calls() -> Vec<Vec<u8>> {
    let folder = own_directory().with_file_name("calls");
    let read = |rank| std::fs::read(folder.join(format!("pmpi-trace-rank-{rank}.txt"))).unwrap();
    (0..4).map(read).collect()
}

fn parse(texts: &[impl AsRef<[u8]>]) -> Result<Trace, TraceError> {
    let file = |(rank, text)| (PathBuf::from(format!("rank-{rank}")), AsRef::<[u8]>::as_ref(text));
    Trace::from_readers(texts.iter().enumerate().map(file).collect())
}

/// A Sweep3D trace recorded elsewhere on a real machine, if it is available.
fn sweep3d() -> Option<Trace> {
    given("sweep3d-2x2").map(|directory| Trace::read(&directory, TraceFormat::Auto).unwrap())
}

#[test]
fn the_handwritten_trace_is_replayed() {
    let trace = Trace::read(&own_directory(), TraceFormat::Auto).unwrap();
    let run = replay(&trace, 1.0);
    assert_eq!(run.progress, Progress::Finished);
    for rank in 0..3 {
        let compute_cycles = trace.rank(rank).compute_ps() * CYCLES_PER_MICROSECOND / 1_000_000;
        assert_eq!(run.computed[rank as usize], network(3).node.clock.processor_cycle_of(compute_cycles));
        assert!(run.finished[rank as usize].unwrap() >= compute_cycles);
    }
    let totals = run.totals;
    // Two sends, two messages of the broadcast, four of the allreduce of three ranks, two rounds of the barrier.
    assert_eq!((totals.messages_sent, totals.messages_received), (14, 14));
    assert_eq!((totals.bytes_sent, totals.bytes_received), (1600 + 2 * 8 + 4 * 8, 1648));
}

#[test]
fn engines_agree_on_the_handwritten_trace_whatever_the_steps() {
    let trace = Trace::read(&own_directory(), TraceFormat::Auto).unwrap();
    let reference = |steps: &[u64]| {
        replay_on(&mut ReferenceEngine::new(network(trace.ranks()), traffic(&trace, 1.0)), steps)
    };
    let whole = reference(&[1 << 40]);
    assert_eq!(whole.progress, Progress::Finished);
    for steps in [&[100][..], &[7, 1000, 3], &[13, 5, 100]] {
        assert_eq!(whole, reference(steps), "{steps:?}");
        let windowed = replay_on(&mut *new_engine(network(trace.ranks()), traffic(&trace, 1.0), 2), steps);
        assert_eq!(whole, windowed, "{steps:?}");
    }
}

#[test]
fn time_scales_are_exact_and_bounded() {
    let scale = |scale| TimeScale::new(175.0, scale).unwrap();
    assert_eq!(scale(1.0).cycles(42_500_000_000_000), 7_437_500_000);
    assert_eq!(scale(0.0).cycles(u64::MAX), 0);
    assert_eq!(TimeScale::new(1e6, 1e3).unwrap().cycles(u64::MAX), u64::MAX);
    let error = TimeScale::new(175.0, -1.0).unwrap_err();
    assert_eq!(error.to_string(), "compute_scale = -1: must be from 0 to 1000");
    assert!(TimeScale::new(f64::NAN, 1.0).is_err());
}

#[test]
fn sweep3d_is_replayed_to_the_end() {
    let Some(trace) = sweep3d() else { return };
    let counts =
        [("MPI_Allreduce", 32), ("MPI_Barrier", 3), ("MPI_Bcast", 4), ("MPI_Recv", 1440), ("MPI_Send", 1440)];
    assert!((0..4).all(|rank| *trace.rank(rank).counts() == counts.into()));
    let run = replay(&trace, 1.0);
    assert_eq!(run.progress, Progress::Finished);
    let totals = run.totals;
    assert_eq!((totals.messages_sent, totals.bytes_sent), (totals.messages_received, totals.bytes_received));
    let collectives = 4 * 3 + 32 * 8 + 3 * 8;
    assert_eq!(totals.messages_sent, 4 * 1440 + collectives);
    assert!(totals.bytes_sent >= 4 * 1440 * 36_000);

    let max_compute = (0..4).map(|rank| trace.rank(rank).compute_ps()).max().unwrap();
    let seconds = |cycles: u64| cycles as f64 / (1e6 * CYCLES_PER_MICROSECOND as f64);
    let taken = seconds(run.last_finish());
    assert!(taken >= max_compute as f64 / 1e12 && (40.0..43.5).contains(&taken), "{taken} s");

    let without_compute = seconds(replay(&trace, 0.0).last_finish());
    assert!(without_compute < taken / 10.0, "{without_compute} s of {taken} s");
}

#[test]
fn the_sweep3d_replay_does_not_depend_on_step_boundaries() {
    let Some(trace) = sweep3d() else { return };
    let whole = replay(&trace, 0.01);
    let mut engine = new_engine(network(trace.ranks()), traffic(&trace, 0.01), 2);
    assert_eq!(whole, replay_on(&mut *engine, &[1, 999, 17, 123_456, 3]));
}

proptest! {
    #[test]
    fn garbled_traces_are_read_or_rejected_and_never_panic(
        rank in 0usize..3,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut texts: Vec<Vec<u8>> = own_texts().into_iter().map(String::into_bytes).collect();
        let text = &mut texts[rank];
        for (index, byte) in flips {
            let length = text.len();
            text[index.index(length)] = byte;
        }
        if let Some(index) = cut {
            text.truncate(index.index(text.len()));
        }
        if let Ok(trace) = parse(&texts) {
            prop_assert_ne!(begin(&trace, 1.0), Progress::Blocked);
        }
    }

    /// A trace that can be read can be replayed. It may be stuck, but no call is one that MPI refuses.
    #[test]
    fn garbled_traces_of_all_calls_never_panic(
        rank in 0usize..4,
        flips in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"0123456789:-,".to_vec())), 1..4),
        line in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
    ) {
        let mut texts: Vec<Vec<u8>> = all_calls();
        let text = &mut texts[rank];
        for (index, byte) in flips {
            let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
            text[*index.get(&digits)] = byte;
        }
        if let Some((from, to)) = line {
            // One text line more, or one less.
            let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            let taken = lines.remove(from.index(lines.len()));
            lines.insert(to.index(lines.len()), taken);
            *text = lines.join(&b'\n');
        }
        if let Ok(trace) = parse(&texts) {
            begin(&trace, 1.0);
        }
    }

    #[test]
    fn digits_flipped_in_a_trace_never_panic(
        index in any::<prop::sample::Index>(),
        digit in b'0'..=b'9',
        compute_scale in prop::sample::select(vec![0.0, 0.3, 1.0, 1000.0]),
    ) {
        let mut texts: Vec<Vec<u8>> = own_texts().into_iter().map(String::into_bytes).collect();
        let digits: Vec<usize> = (0..texts[0].len()).filter(|&at| texts[0][at].is_ascii_digit()).collect();
        texts[0][*index.get(&digits)] = digit;
        if let Ok(trace) = parse(&texts) {
            begin(&trace, compute_scale);
        }
    }
}
