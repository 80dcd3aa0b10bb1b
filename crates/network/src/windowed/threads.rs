//! Windows one after the other, slabs side by side.

use super::barrier::Barrier;
use super::family::Family;
use super::slab::{Mail, Slab};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fewer windows than this are run by the calling thread alone: starting threads would take longer.
const WINDOWS_WORTH_THREADS: u64 = 64;

const NO_WINDOW: u64 = u64::MAX;

/// Runs everything in the slabs that happens from `now` on and before `until`.
pub fn advance<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slabs: &mut [Slab<F, P, V, C, S>],
    window_shift: u32,
    now: u64,
    until: u64,
) {
    let starts: Vec<u32> = slabs.iter().map(|slab| slab.first).collect();
    let windows = until.saturating_sub(now) >> window_shift;
    if slabs.len() == 1 || windows < WINDOWS_WORTH_THREADS {
        advance_in_turn(slabs, &starts, window_shift, until);
    } else {
        advance_side_by_side(slabs, &starts, window_shift, until);
    }
}

/// The slab in which a node lies.
fn slab_of(starts: &[u32], node: u32) -> usize {
    starts.partition_point(|&start| start <= node) - 1
}

/// The end of a window, or `until` where that comes first.
fn end_of(window: u64, window_shift: u32, until: u64) -> u64 {
    ((window + 1) << window_shift).min(until)
}

fn advance_in_turn<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slabs: &mut [Slab<F, P, V, C, S>],
    starts: &[u32],
    window_shift: u32,
    until: u64,
) {
    while let Some(window) = slabs.iter().filter_map(Slab::next_window).min() {
        if window << window_shift >= until {
            return;
        }
        let end = end_of(window, window_shift, until);
        for slab in slabs.iter_mut() {
            slab.run_window(window, end);
        }
        for from in 0..slabs.len() {
            for mail in std::mem::take(&mut slabs[from].outbox) {
                slabs[slab_of(starts, mail.node)].receive(mail);
            }
        }
        if end == until {
            return;
        }
    }
}

/// What threads hand to one another, twice over: while one half is read, the other is written.
struct Exchange {
    threads: usize,
    barrier: Barrier,
    mail: [Vec<Mutex<Vec<Mail>>>; 2],
    next_window: [Vec<AtomicU64>; 2],
}

impl Exchange {
    fn new(threads: usize) -> Self {
        let mail = || (0..threads * threads).map(|_| Mutex::new(Vec::new())).collect();
        let next_window = || (0..threads).map(|_| AtomicU64::new(NO_WINDOW)).collect();
        Exchange {
            threads,
            barrier: Barrier::new(threads),
            mail: [mail(), mail()],
            next_window: [next_window(), next_window()],
        }
    }

    fn mailbox(&self, half: usize, from: usize, to: usize) -> &Mutex<Vec<Mail>> {
        &self.mail[half][from * self.threads + to]
    }
}

fn advance_side_by_side<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slabs: &mut [Slab<F, P, V, C, S>],
    starts: &[u32],
    window_shift: u32,
    until: u64,
) {
    let exchange = Exchange::new(slabs.len());
    let first_window = slabs.iter().filter_map(Slab::next_window).min().unwrap_or(NO_WINDOW);
    std::thread::scope(|scope| {
        for (number, slab) in slabs.iter_mut().enumerate() {
            let exchange = &exchange;
            scope.spawn(move || run_slab(slab, number, starts, exchange, first_window, window_shift, until));
        }
    });
}

/// One thread's windows.
fn run_slab<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slab: &mut Slab<F, P, V, C, S>,
    number: usize,
    starts: &[u32],
    exchange: &Exchange,
    first_window: u64,
    window_shift: u32,
    until: u64,
) {
    let mut outgoing: Vec<Vec<Mail>> = vec![Vec::new(); starts.len()];
    let mut window = first_window;
    let mut half = 0;
    while window != NO_WINDOW && window << window_shift < until {
        let end = end_of(window, window_shift, until);
        slab.run_window(window, end);
        let mut next = slab.next_window().unwrap_or(NO_WINDOW);
        for mail in slab.outbox.drain(..) {
            next = next.min(mail.time >> window_shift);
            outgoing[slab_of(starts, mail.node)].push(mail);
        }
        for (to, mail) in outgoing.iter_mut().enumerate().filter(|(_, mail)| !mail.is_empty()) {
            exchange.mailbox(half, number, to).lock().expect("no thread panics with a mailbox").append(mail);
        }
        exchange.next_window[half][number].store(next, Ordering::Relaxed);
        exchange.barrier.wait();
        for from in 0..starts.len() {
            let mut mailbox =
                exchange.mailbox(half, from, number).lock().expect("no thread panics with a mailbox");
            mailbox.drain(..).for_each(|mail| slab.receive(mail));
        }
        if end == until {
            return;
        }
        let all = exchange.next_window[half].iter().map(|next| next.load(Ordering::Relaxed));
        window = all.min().unwrap_or(NO_WINDOW);
        half = 1 - half;
    }
}
