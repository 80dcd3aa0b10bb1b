//! The threads of an engine. They run one window after the other, and meet at a barrier after each.
//!
//! ```text
//!   calling thread   | window w | barrier | window w+1 | barrier | ...      subdomains 0, 1
//!   worker           | window w | barrier | window w+1 | barrier | ...      subdomains 2, 3
//! ```
//!
//! If there are other processes, the calling thread then swaps events with them, while the workers wait at the barrier a
//! second time.
//!
//! The number of subdomains is a parameter. The subdomains are divided among at most as many threads as the host has
//! cores. Neither number changes a result. Workers start with the first span that has enough work for them, and live as
//! long as the engine. They receive their subdomains by value for each span, and return them at its end, so that
//! threads share nothing but the [`Exchange`].

use super::barrier::Barrier;
use super::metadata::Metadata;
use super::outgoing::RemoteEvents;
use super::outside::Outside;
use super::steps::Steps;
use super::subdomain::Subdomain;
use super::windows::Windows;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// The least work of a span, in windows times nodes, for which workers are woken. With less, the calling thread alone
/// is faster.
const WORK_WORTH_THREADS: u64 = 1 << 15;

const NO_WINDOW: u64 = u64::MAX;

/// The time to run, and its division into windows.
#[derive(Clone, Copy)]
pub struct Span {
    /// The windows.
    pub windows: Windows,
    /// The first cycle.
    pub now: u64,
    /// The cycle after the last one.
    pub until: u64,
}

impl Span {
    /// Whether `window` begins after the span.
    fn is_over(&self, window: u64) -> bool {
        window == NO_WINDOW || self.windows.start(window) >= self.until
    }

    /// The end of `window`, or of the span if that comes first.
    fn end_of(&self, window: u64) -> u64 {
        self.windows.start(window + 1).min(self.until)
    }
}

/// The threads that run the subdomains of an engine.
pub struct Threads<F: Steps> {
    /// Number of threads that have subdomains, including the calling thread.
    threads: usize,
    subdomains_per_thread: usize,
    outside: Option<Arc<Outside<F::Metadata>>>,
    /// The exchange that is used when the calling thread runs all subdomains.
    alone: Exchange<F::Metadata>,
    /// The workers and their exchange, once workers have been started.
    team: Option<Team<F>>,
}

impl<F: Steps> Threads<F> {
    /// Threads for some subdomains, of which there is at least one, and the other processes. The number of cores is
    /// queried only here, because the system takes tens of microseconds to answer.
    pub fn new(subdomains: &[Subdomain<F>], outside: Option<Arc<Outside<F::Metadata>>>) -> Self {
        let first = subdomains[0].first();
        let subdomains = subdomains.len();
        let cores = match subdomains {
            1 => 1,
            _ => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let subdomains_per_thread = subdomains.div_ceil(cores.min(subdomains));
        Threads {
            threads: subdomains.div_ceil(subdomains_per_thread),
            subdomains_per_thread,
            alone: Exchange::new(vec![first], outside.clone()),
            outside,
            team: None,
        }
    }

    /// Runs all events of the subdomains in a span of time.
    ///
    /// # Panics
    /// When a worker panics. The subdomains are then lost, and the engine cannot be used any more.
    pub fn advance(&mut self, subdomains: &mut Vec<Subdomain<F>>, span: Span) {
        let windows = span.windows.number(span.until.saturating_sub(span.now));
        let nodes: usize = subdomains.iter().map(|subdomain| subdomain.nodes.len()).sum();
        let is_worth_threads = windows.saturating_mul(nodes as u64) >= WORK_WORTH_THREADS;
        let own_first = next_window(subdomains);
        let first_window = self.outside.as_ref().map_or(own_first, |outside| outside.least(own_first));
        if self.threads == 1 || !is_worth_threads {
            run_windows(subdomains, 0, &self.alone, span, first_window);
            return;
        }
        let per_thread = self.subdomains_per_thread;
        let outside = &self.outside;
        let team = self.team.get_or_insert_with(|| Team::new(subdomains, per_thread, outside.clone()));
        team.run(subdomains, per_thread, span, first_window);
    }
}

/// A worker's share of a span: its subdomains, the span, and the window of the first event of any subdomain.
struct Share<F: Steps> {
    subdomains: Vec<Subdomain<F>>,
    span: Span,
    first_window: u64,
}

/// The workers, which wait for their shares, and the exchange between all threads.
struct Team<F: Steps> {
    exchange: Arc<Exchange<F::Metadata>>,
    workers: Vec<Worker<F>>,
}

impl<F: Steps> Team<F> {
    /// Starts a worker for each share except the first, which the calling thread runs.
    fn new(
        subdomains: &[Subdomain<F>],
        per_thread: usize,
        outside: Option<Arc<Outside<F::Metadata>>>,
    ) -> Self {
        let starts: Vec<u32> = subdomains.iter().step_by(per_thread).map(Subdomain::first).collect();
        let threads = starts.len();
        let exchange = Arc::new(Exchange::new(starts, outside));
        let workers = (1..threads).map(|number| Worker::new(number, exchange.clone())).collect();
        Team { exchange, workers }
    }

    fn run(&self, subdomains: &mut Vec<Subdomain<F>>, per_thread: usize, span: Span, first_window: u64) {
        for (index, worker) in self.workers.iter().enumerate().rev() {
            let share = subdomains.split_off((index + 1) * per_thread);
            worker.give(Share { subdomains: share, span, first_window });
        }
        run_windows(subdomains, 0, &self.exchange, span, first_window);
        self.workers.iter().for_each(|worker| subdomains.append(&mut worker.take()));
    }
}

/// A thread that lives as long as its engine.
struct Worker<F: Steps> {
    /// The channel to the worker. None once the worker is to end.
    shares: Option<Sender<Share<F>>>,
    finished: Receiver<Vec<Subdomain<F>>>,
    thread: Option<JoinHandle<()>>,
}

impl<F: Steps> Worker<F> {
    fn new(number: usize, exchange: Arc<Exchange<F::Metadata>>) -> Self {
        let (shares, received) = channel::<Share<F>>();
        let (finish, finished) = channel();
        let work = move || {
            for Share { mut subdomains, span, first_window } in received {
                run_windows(&mut subdomains, number, &exchange, span, first_window);
                if finish.send(subdomains).is_err() {
                    return;
                }
            }
        };
        let name = format!("subdomains {number}");
        let thread =
            std::thread::Builder::new().name(name).spawn(work).expect("the system has a thread left");
        Worker { shares: Some(shares), finished, thread: Some(thread) }
    }

    fn give(&self, share: Share<F>) {
        let shares = self.shares.as_ref().expect("a worker ends with its engine");
        shares.send(share).unwrap_or_else(|_| panic!("a worker has panicked"));
    }

    fn take(&self) -> Vec<Subdomain<F>> {
        self.finished.recv().expect("a worker has panicked")
    }
}

impl<F: Steps> Drop for Worker<F> {
    /// Waits for the thread to end. If the thread has panicked, this has been reported already.
    fn drop(&mut self) {
        self.shares = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn next_window<F: Steps>(subdomains: &[Subdomain<F>]) -> u64 {
    subdomains.iter().filter_map(Subdomain::next_window).min().unwrap_or(NO_WINDOW)
}

/// The events that threads exchange between windows. All buffers exist twice, in two halves: threads may already write
/// to one half while others still read the other.
struct Exchange<L> {
    /// The first node of each thread.
    starts: Vec<u32>,
    outside: Option<Arc<Outside<L>>>,
    barrier: Barrier,
    /// The remote events, by half, sender and receiving thread. Senders are the threads, and behind them all other
    /// processes together.
    events: [Vec<Mutex<RemoteEvents<L>>>; 2],
    next_window: [Vec<AtomicU64>; 2],
    /// The earliest next window of all processes.
    next_of_all: AtomicU64,
}

impl<L: Metadata> Exchange<L> {
    fn new(starts: Vec<u32>, outside: Option<Arc<Outside<L>>>) -> Self {
        let threads = starts.len();
        let events = || (0..(threads + 1) * threads).map(|_| Mutex::new(RemoteEvents::default())).collect();
        let next_window = || (0..threads).map(|_| AtomicU64::new(NO_WINDOW)).collect();
        Exchange {
            starts,
            outside,
            barrier: Barrier::new(threads),
            events: [events(), events()],
            next_window: [next_window(), next_window()],
            next_of_all: AtomicU64::new(NO_WINDOW),
        }
    }

    fn threads(&self) -> usize {
        self.starts.len()
    }

    /// Whether a thread has nobody with whom to exchange events.
    fn is_alone(&self) -> bool {
        self.threads() == 1 && self.outside.is_none()
    }

    /// Those to whom events can go: the threads, and behind them the processes.
    fn receivers(&self) -> usize {
        self.threads() + self.outside.as_ref().map_or(0, |outside| outside.processes())
    }

    /// The thread or process, as in [`Exchange::receivers`], that owns `node`.
    fn owner_of(&self, node: u32) -> usize {
        let process = self.outside.as_ref().and_then(|outside| outside.owner_of(node));
        process.map_or_else(|| self.thread_of(node), |process| self.threads() + process)
    }

    /// The thread that owns `node` of this process.
    fn thread_of(&self, node: u32) -> usize {
        self.starts.partition_point(|&start| start <= node) - 1
    }

    /// Passes the outgoing events of a window to their threads and processes, and the next window of this thread, `next`,
    /// to all. Waits for all, and returns the earliest of their next windows. `number` is that of this thread, and `end`
    /// the end of the window.
    fn meet(
        &self,
        half: usize,
        number: usize,
        outgoing: &mut [RemoteEvents<L>],
        (next, end): (u64, u64),
    ) -> u64 {
        for (to, events) in outgoing.iter_mut().enumerate().filter(|(_, events)| !events.is_empty()) {
            match (to.checked_sub(self.threads()), &self.outside) {
                (Some(process), Some(outside)) => outside.send(process, events),
                _ => self.buffer(half, number, to).append(events),
            }
        }
        self.next_window[half][number].store(next, Ordering::Relaxed);
        self.wait();
        let all = self.next_window[half].iter().map(|next| next.load(Ordering::Relaxed));
        let least = all.min().unwrap_or(NO_WINDOW);
        let Some(outside) = &self.outside else { return least };
        if number == 0 {
            let (least, events) = outside.swap(least, end);
            events.into_iter().for_each(|events| self.distribute(half, events));
            self.next_of_all.store(least, Ordering::Relaxed);
        }
        self.wait();
        self.next_of_all.load(Ordering::Relaxed)
    }

    fn wait(&self) {
        if self.threads() > 1 {
            self.barrier.wait();
        }
    }

    /// Passes the events of another process to their threads.
    fn distribute(&self, half: usize, mut events: RemoteEvents<L>) {
        if self.threads() == 1 {
            self.buffer(half, self.threads(), 0).append(&mut events);
            return;
        }
        let mut of_threads = vec![RemoteEvents::default(); self.threads()];
        events.split(|node| self.thread_of(node), &mut of_threads);
        for (to, events) in of_threads.iter_mut().enumerate() {
            self.buffer(half, self.threads(), to).append(events);
        }
    }

    /// The events for a thread from all of their senders.
    fn received(&self, half: usize, number: usize) -> impl Iterator<Item = MutexGuard<'_, RemoteEvents<L>>> {
        (0..=self.threads()).map(move |from| self.buffer(half, from, number))
    }

    fn buffer(&self, half: usize, from: usize, to: usize) -> MutexGuard<'_, RemoteEvents<L>> {
        self.events[half][from * self.threads() + to].lock().expect("no thread panics with the lock")
    }
}

/// Runs the windows of a span on the thread with number `number`. Its subdomains pass events to one another directly.
fn run_windows<F: Steps>(
    subdomains: &mut [Subdomain<F>],
    number: usize,
    exchange: &Exchange<F::Metadata>,
    span: Span,
    first_window: u64,
) {
    let _guard = exchange.barrier.guard();
    let mut outgoing: Vec<RemoteEvents<F::Metadata>> = vec![RemoteEvents::default(); exchange.receivers()];
    let mut window = first_window;
    let mut half = 0;
    while !span.is_over(window) {
        let end = span.end_of(window);
        subdomains.iter_mut().for_each(|subdomain| subdomain.run_window(window, end));
        for sender in 0..subdomains.len() {
            if !subdomains[sender].outgoing_queue.is_empty() {
                let mut events = std::mem::take(&mut subdomains[sender].outgoing_queue);
                events.split(|node| exchange.owner_of(node), &mut outgoing);
                subdomains[sender].outgoing_queue = events;
                receive(subdomains, &mut outgoing[number]);
            }
        }
        let sent = outgoing.iter().filter_map(RemoteEvents::earliest).min();
        let sent = sent.map_or(NO_WINDOW, |cycle| span.windows.number(cycle));
        window = sent.min(next_window(subdomains));
        if !exchange.is_alone() {
            window = exchange.meet(half, number, &mut outgoing, (window, end));
            exchange.received(half, number).for_each(|mut events| receive(subdomains, &mut events));
            half = 1 - half;
        }
        if end == span.until {
            return;
        }
    }
}

/// Receives events for the `subdomains` of a thread.
fn receive<F: Steps>(subdomains: &mut [Subdomain<F>], events: &mut RemoteEvents<F::Metadata>) {
    for event in events.events.drain(..) {
        owner_of(subdomains, event.node).receive(&event);
    }
    for announcement in events.announcements.drain(..) {
        owner_of(subdomains, announcement.node).receive_announcement(&announcement);
    }
    for signal in events.signals.drain(..) {
        owner_of(subdomains, signal.node).receive_signal(&signal);
    }
}

/// The subdomain that owns `node`, among the `subdomains` of a thread.
fn owner_of<F: Steps>(subdomains: &mut [Subdomain<F>], node: u32) -> &mut Subdomain<F> {
    let owner = subdomains.partition_point(|subdomain| subdomain.first() <= node) - 1;
    &mut subdomains[owner]
}
