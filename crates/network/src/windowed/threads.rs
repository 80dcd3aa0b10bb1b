//! Windows one after the other, slabs side by side.
//!
//! The number of slabs is asked for; they are shared out among as many threads as the machine has cores for. Neither
//! number changes a result.

use super::barrier::Barrier;
use super::family::Family;
use super::label::Label;
use super::mail::Mail;
use super::slab::Slab;
use super::windows::Windows;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Less work than this, in windows of a node, is done by the calling thread alone: starting threads would take longer.
const WORK_WORTH_THREADS: u64 = 1 << 15;

const NO_WINDOW: u64 = u64::MAX;

/// The time to run, and how it is cut into windows.
#[derive(Clone, Copy)]
pub struct Span {
    /// In these windows.
    pub windows: Windows,
    /// From this cycle on.
    pub now: u64,
    /// Before this one.
    pub until: u64,
}

impl Span {
    /// Whether a window begins too late.
    fn is_over(&self, window: u64) -> bool {
        window == NO_WINDOW || self.windows.start(window) >= self.until
    }

    /// The end of a window, or of the span where that comes first.
    fn end_of(&self, window: u64) -> u64 {
        self.windows.start(window + 1).min(self.until)
    }
}

/// Runs everything in the slabs that happens in a span of time.
pub fn advance<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slabs: &mut [Slab<F, P, V, C, S>],
    span: Span,
) {
    let windows = span.windows.number(span.until.saturating_sub(span.now));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let nodes: usize = slabs.iter().map(|slab| slab.nodes.len()).sum();
    let is_worth_threads = windows.saturating_mul(nodes as u64) >= WORK_WORTH_THREADS;
    let threads = if is_worth_threads { cores.min(slabs.len()) } else { 1 };
    let slabs_per_thread = slabs.len().div_ceil(threads);
    let starts: Vec<u32> = slabs.iter().step_by(slabs_per_thread).map(Slab::first).collect();
    let first_window = next_window(slabs);
    if threads == 1 {
        run_team(slabs, 0, &Exchange::new(starts), span, first_window);
        return;
    }
    let exchange = &Exchange::new(starts);
    std::thread::scope(|scope| {
        for (number, team) in slabs.chunks_mut(slabs_per_thread).enumerate() {
            scope.spawn(move || run_team(team, number, exchange, span, first_window));
        }
    });
}

fn next_window<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slabs: &[Slab<F, P, V, C, S>],
) -> u64 {
    slabs.iter().filter_map(Slab::next_window).min().unwrap_or(NO_WINDOW)
}

/// The one of `starts` (of slabs, or of threads' slabs) behind which a node lies.
fn owner_of(starts: &[u32], node: u32) -> usize {
    starts.partition_point(|&start| start <= node) - 1
}

/// What threads hand to one another, twice over: while one half is read, the other is written.
struct Exchange<L> {
    /// First node of each thread.
    starts: Vec<u32>,
    barrier: Barrier,
    mail: [Vec<Mutex<Vec<Mail<L>>>>; 2],
    next_window: [Vec<AtomicU64>; 2],
}

impl<L: Label> Exchange<L> {
    fn new(starts: Vec<u32>) -> Self {
        let threads = starts.len();
        let mail = || (0..threads * threads).map(|_| Mutex::new(Vec::new())).collect();
        let next_window = || (0..threads).map(|_| AtomicU64::new(NO_WINDOW)).collect();
        Exchange {
            starts,
            barrier: Barrier::new(threads),
            mail: [mail(), mail()],
            next_window: [next_window(), next_window()],
        }
    }

    fn threads(&self) -> usize {
        self.starts.len()
    }

    /// Exchanges mail and the next window with all other threads; the earliest window of all.
    fn meet(&self, half: usize, number: usize, outgoing: &mut [Vec<Mail<L>>], next: u64) -> u64 {
        for (to, mail) in outgoing.iter_mut().enumerate().filter(|(_, mail)| !mail.is_empty()) {
            self.mailbox(half, number, to).append(mail);
        }
        self.next_window[half][number].store(next, Ordering::Relaxed);
        self.barrier.wait();
        let all = self.next_window[half].iter().map(|next| next.load(Ordering::Relaxed));
        all.min().unwrap_or(NO_WINDOW)
    }

    fn mailbox(&self, half: usize, from: usize, to: usize) -> std::sync::MutexGuard<'_, Vec<Mail<L>>> {
        self.mail[half][from * self.threads() + to].lock().expect("no thread panics with a mailbox")
    }
}

/// One thread's windows. Slabs of one thread hand mail to one another directly.
fn run_team<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    team: &mut [Slab<F, P, V, C, S>],
    number: usize,
    exchange: &Exchange<F::Label>,
    span: Span,
    first_window: u64,
) {
    let _guard = exchange.barrier.guard();
    let slab_starts: Vec<u32> = team.iter().map(Slab::first).collect();
    let mut outgoing: Vec<Vec<Mail<F::Label>>> = vec![Vec::new(); exchange.threads()];
    let mut window = first_window;
    let mut half = 0;
    while !span.is_over(window) {
        let end = span.end_of(window);
        team.iter_mut().for_each(|slab| slab.run_window(window, end));
        let mut next = NO_WINDOW;
        for slab in 0..team.len() {
            for mail in std::mem::take(&mut team[slab].outbox) {
                match owner_of(&exchange.starts, mail.node) {
                    owner if owner == number => team[owner_of(&slab_starts, mail.node)].receive(&mail),
                    owner => {
                        next = next.min(span.windows.number(mail.time));
                        outgoing[owner].push(mail);
                    }
                }
            }
        }
        next = next.min(next_window(team));
        if exchange.threads() > 1 {
            next = exchange.meet(half, number, &mut outgoing, next);
            for from in 0..exchange.threads() {
                for mail in exchange.mailbox(half, from, number).drain(..) {
                    team[owner_of(&slab_starts, mail.node)].receive(&mail);
                }
            }
            half = 1 - half;
        }
        if end == span.until {
            return;
        }
        window = next;
    }
}
