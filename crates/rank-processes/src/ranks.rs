//! The ranks of a program as the simulator sees them.

use crate::decode::{self, Fault, Meaning, Shared};
use crate::ending;
use crate::launch::Launch;
use crate::left::{Left, Remains};
use crate::output::{Host, Outputs};
use crate::payloads::Payloads;
use crate::places::Places;
use crate::processes::Processes;
use crate::rank::{Awaits, Communicator, Group, Rank, Stage, Use};
use crate::tables::Tables;
use mpi::{Answer as Calls, Call, Checkers, Given, Members, OutsideRanks, Selection, Status, Stop, WakeUp};
use rank_wire::pipes::MOST_PIPES;
use rank_wire::process::MoreDescriptors;
use rank_wire::{Answer, Computing, Ended, FAR_BYTES, Layout, Memory, NOTHING, SimulatorSide};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The longest wait for processes between two looks at their output, and at the user.
const TICK: Duration = Duration::from_millis(50);

/// The wait while ranks write more than a pipe holds.
const SHORT_TICK: Duration = Duration::from_millis(1);

/// A rank that is resumed, with the outcome of its last call.
struct Resumed {
    rank: u32,
    answer: Answer,
    ended: Vec<Ended>,
}

/// The ranks of a program, each a process.
pub struct ProcessRanks {
    shared: Shared,
    ranks: Vec<Rank>,
    groups: HashMap<(u32, u32), Arc<Group>>,
    round: Vec<Resumed>,
    answers: Vec<Calls>,
    failures: Vec<(u32, mpi::Failure)>,
    deaths_seen: u32,
    outputs: Outputs,
    host: Box<dyn Host>,
    rank_timeout: Duration,
    left: Left,
    checkers: Checkers,
    places: Places,
    /// None if somebody else plays the ranks.
    processes: Option<Processes>,
}

impl ProcessRanks {
    /// Starts a program. Its ranks wait until the simulator wakes them up.
    ///
    /// # Errors
    /// If the program cannot be started, in words.
    pub fn start(launch: &Launch, host: Box<dyn Host>) -> Result<Self, String> {
        let memory = create_memory(launch).map_err(|error| {
            format!("the host has no room for the memory that {} ranks share: {error}", launch.ranks)
        })?;
        (0..)
            .zip(&launch.nodes)
            .take(launch.ranks as usize)
            .for_each(|(rank, node)| memory.place(rank, node));
        let memory = Arc::new(memory);
        let wanted = 2 * u64::from(launch.ranks);
        // Each pipe has two descriptors.
        let (limit, most) = MoreDescriptors::raise(2 * wanted + 128);
        let pipes = wanted.min(MOST_PIPES).min(most.saturating_sub(128) / 2).max(2);
        if pipes < wanted && launch.separates_output {
            return Err(format!(
                "the output of {} ranks cannot be told apart: the host lets a process have {most} descriptors (ulimit -n), \
                 enough for {pipes} pipes, and each rank needs two",
                launch.ranks
            ));
        }
        let (outputs, ends) =
            Outputs::new(pipes as u32).map_err(|error| format!("output of ranks: {error}"))?;
        let program = launch.command[0].to_string_lossy().into_owned();
        let processes = Processes::start(launch, memory.clone(), ends)
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        drop(limit);
        let mut ranks = Self::of(memory, launch.selection, launch.rank_timeout, host);
        give_computing_times(launch, &mut ranks.shared.side)?;
        let measures = launch.computing == Computing::Measured;
        ranks.shared.measured = measures.then(|| vec![Vec::new(); launch.ranks as usize]);
        (ranks.outputs, ranks.processes) = (outputs, Some(processes));
        Ok(ranks)
    }

    /// The ranks of a memory, whose sides somebody else takes.
    pub fn of(
        memory: Arc<Memory>,
        selection: Selection,
        rank_timeout: Duration,
        host: Box<dyn Host>,
    ) -> Self {
        let size = memory.layout().ranks;
        let side = SimulatorSide::new(memory);
        let shared =
            Shared { side, payloads: Payloads::default(), tables: Tables::default(), measured: None };
        let world = Arc::new(Group { id: 0, members: (0..size).collect() });
        ProcessRanks {
            shared,
            ranks: (0..size).map(|rank| new_rank(rank, &world)).collect(),
            groups: HashMap::new(),
            round: Vec::new(),
            answers: Vec::new(),
            failures: Vec::new(),
            deaths_seen: 0,
            outputs: Outputs::none(),
            host,
            rank_timeout,
            left: Left::default(),
            checkers: Checkers::new(size, given, selection),
            places: Places::new(size),
            processes: None,
        }
    }

    /// The bytes that each rank has for the data of messages that have not been received: fewer where the host limits
    /// addresses.
    pub fn room(&self) -> u64 {
        self.shared.side.memory().layout().far_bytes
    }

    /// The remains of the processes, which are known when this is dropped.
    pub fn left(&self) -> Left {
        self.left.clone()
    }
}

/// Tells ranks how they compute, before they begin.
fn give_computing_times(launch: &Launch, side: &mut SimulatorSide) -> Result<(), String> {
    side.memory().set_computing(launch.computing, launch.scale);
    for (rank, times) in (0..launch.ranks).zip(&launch.replayed) {
        if !side.replay(rank, times.as_flattened()) {
            return Err(String::from("the shared memory has no room for the recorded computing times"));
        }
    }
    Ok(())
}

/// The memory of all ranks, with smaller arenas where the host limits addresses.
fn create_memory(launch: &Launch) -> io::Result<Memory> {
    const LEAST: u64 = 64 << 20;
    const MOST_ADDRESSES: u64 = 32 << 40;
    let mut far_bytes = FAR_BYTES;
    while far_bytes > LEAST && far_bytes.saturating_mul(u64::from(launch.ranks) + 1) > MOST_ADDRESSES {
        far_bytes /= 2;
    }
    loop {
        match Memory::create(Layout { ranks: launch.ranks, far_bytes }, launch.hertz) {
            Err(_) if far_bytes > LEAST => far_bytes /= 2,
            created => return created,
        }
    }
}

fn new_rank(rank: u32, world: &Arc<Group>) -> Rank {
    let own = Arc::new(Group { id: 1, members: vec![rank] });
    let of_world = Communicator { group: world.clone(), rank, collectives: 0 };
    let of_self = Communicator { group: own, rank: 0, collectives: 0 };
    Rank { rank, communicators: vec![Some(of_world), Some(of_self)], ..Rank::default() }
}

/// The communicators of a rank that exist from the start: the one that is the rank alone.
fn given(rank: u32) -> Vec<Given> {
    vec![Given::from(Members::list([rank]))]
}

impl OutsideRanks for ProcessRanks {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        given(rank)
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        for wake_up in batch {
            self.checkers.hear(&wake_up);
            let resumed = self.hear(&wake_up);
            self.go_on(resumed);
        }
    }

    fn collect(&mut self) -> Result<Vec<Calls>, Stop> {
        let begin = Instant::now();
        while let Some(first) = self.round.first() {
            if begin.elapsed() > self.rank_timeout {
                return Err(self.give_up(first.rank));
            }
            // A rank may hand over again and again, without a call.
            if begin.elapsed() > TICK && self.host.is_interrupted() {
                return Err(Stop::Interrupted);
            }
            let round: Vec<u32> = self.resume_round();
            self.wait_for(&round, begin)?;
            for rank in round {
                self.outputs.print(rank, &mut *self.host);
                self.read_batch(rank);
            }
        }
        Ok(std::mem::take(&mut self.answers))
    }

    fn look(&mut self) -> Result<(), Stop> {
        self.bury_waiting(&[])?;
        // The end of a process is reported a moment after it.
        self.shared.side.begin_round(u32::MAX);
        self.shared.side.wait(TICK, self.shared.side.deaths());
        self.bury_waiting(&[])
    }

    fn failure(&self, rank: u32) -> Option<mpi::Failure> {
        let of_rank = |(failed, failure): &(u32, mpi::Failure)| (*failed == rank).then(|| failure.clone());
        self.failures.iter().find_map(of_rank)
    }
}

/// The outcomes of calls.
impl ProcessRanks {
    /// Hears the outcome of a rank's last call.
    fn hear(&mut self, wake_up: &WakeUp) -> Resumed {
        let WakeUp { time, rank, outcome, ended } = wake_up;
        let mut answer = Answer {
            flag: outcome.flag.into(),
            handle: outcome.handle.unwrap_or(NOTHING as u32),
            id: outcome.member.map_or(0, |member| member.id),
            ..Answer::default()
        };
        let place = *rank as usize;
        self.ranks[place].time = *time;
        let mut is_heard = false;
        match std::mem::take(&mut self.ranks[place].awaits) {
            Awaits::Nothing => {}
            Awaits::Requests => is_heard = true,
            Awaits::Message(group) => answer.received = self.received(*rank, 0, &group, outcome.received),
            Awaits::Probe(group) => {
                if let Some(Status { source, tag, bytes, .. }) = outcome.received {
                    answer.received =
                        Ended { source, tag, bytes, flags: Ended::RECEIVED, ..Ended::default() };
                }
                if let Some(handle) = outcome.handle {
                    self.ranks[place].taken.insert(handle, group);
                }
            }
            Awaits::Collective(key, is_read) => {
                answer.table = if is_read { self.shared.tables.table(key) } else { 0 };
                self.shared.tables.end(key, is_read, &self.shared.side);
            }
            Awaits::Communicator(new, members) => self.add_communicator(*rank, new, answer.id, members),
        }
        let mut ended: Vec<Ended> = ended.iter().filter_map(|ended| self.end(*rank, ended)).collect();
        if !is_heard {
            ended.clear();
        }
        Resumed { rank: *rank, answer, ended }
    }

    /// The message that a rank has received, with the block of its data.
    fn received(&mut self, rank: u32, request: u32, group: &Group, status: Option<Status>) -> Ended {
        let Some(Status { source, tag, bytes, sequence, .. }) = status else {
            return Ended { request, ..Ended::default() };
        };
        let stream = (group.id, group.members[source as usize], rank);
        let offset = self.shared.payloads.take(stream, sequence);
        Ended { request, source, tag, flags: Ended::RECEIVED, bytes, offset }
    }

    /// The end of a request, for the rank; none if it has freed the request.
    fn end(&mut self, rank: u32, ended: &mpi::Ended) -> Option<Ended> {
        let number = ended.request;
        let of_rank = &mut self.ranks[rank as usize];
        let used = of_rank.requests.get(number as usize).cloned().unwrap_or(Use::Free);
        let is_freed = matches!(used, Use::Freed(_));
        let used = if let Use::Freed(used) = used { *used } else { used };
        let is_persistent = of_rank.started.remove(&number);
        if is_freed {
            of_rank.freed.push(number);
        }
        if is_freed || !is_persistent {
            of_rank.requests[number as usize] = Use::Free;
        }
        let flags = if ended.is_cancelled { Ended::CANCELLED } else { 0 };
        let mut report = Ended { request: number, flags, ..Ended::default() };
        match used {
            Use::Free | Use::Freed(_) | Use::Send | Use::PersistentSend(..) => {}
            Use::Receive(group) | Use::PersistentReceive(group) => {
                let received = self.received(rank, number, &group, ended.received);
                report = Ended { flags: flags | received.flags, ..received };
                if is_freed {
                    self.shared.side.memory().release(received.offset);
                }
            }
            Use::Collective(key, is_read) => {
                let is_read = is_read && !is_freed;
                report.offset = if is_read { self.shared.tables.table(key) } else { 0 };
                self.shared.tables.end(key, is_read, &self.shared.side);
            }
        }
        (!is_freed).then_some(report)
    }

    fn add_communicator(&mut self, rank: u32, new: u32, id: u32, members: Vec<u32>) {
        let own = members.iter().position(|member| *member == rank).unwrap_or(0) as u32;
        let known = self.groups.get(&(id, members[0])).filter(|group| group.members == members).cloned();
        let group = known.unwrap_or_else(|| {
            let group = Arc::new(Group { id, members });
            self.groups.insert((id, group.members[0]), group.clone());
            group
        });
        let communicator = Communicator { group, rank: own, collectives: 0 };
        let communicators = &mut self.ranks[rank as usize].communicators;
        communicators.resize_with(new as usize + 1, || None);
        communicators[new as usize] = Some(communicator);
    }
}

/// The next calls.
impl ProcessRanks {
    /// Answers with the next call that a rank has handed over; without one, the rank is resumed.
    fn go_on(&mut self, resumed: Resumed) {
        let rank = resumed.rank;
        loop {
            let of_rank = &mut self.ranks[rank as usize];
            if of_rank.records.is_empty() {
                return self.resume_or_bury(resumed);
            }
            match decode::next(of_rank, &mut self.shared) {
                Ok(Meaning::Settle) => {}
                Ok(Meaning::Call(Call::Compute { cycles })) => {
                    of_rank.computed = of_rank.computed.saturating_add(cycles);
                }
                Ok(Meaning::Call(call)) => {
                    return match self.checkers.check(rank, &call) {
                        Ok(()) => self.answer(rank, Some(call)),
                        Err(words) => {
                            let words = format!("failed in {}: {words}", call.name());
                            self.fail(rank, mpi::FailureKind::Aborted, words, Some(1));
                        }
                    };
                }
                Ok(Meaning::Finish) => {
                    of_rank.stage = Stage::Finished;
                    return self.answer(rank, None);
                }
                Err(Fault::Damaged) => {
                    let words = format!("wrote a damaged record {}", self.after(rank));
                    return self.fail(rank, mpi::FailureKind::RankDied, words, None);
                }
                Err(Fault::Erroneous(words, code)) => {
                    return self.fail(rank, mpi::FailureKind::Aborted, words, Some(code));
                }
            }
        }
    }

    /// Answers with what a rank has computed, and its next call; without one it has finalized.
    fn answer(&mut self, rank: u32, call: Option<Call>) {
        let cycles = std::mem::take(&mut self.ranks[rank as usize].computed);
        let computation = (cycles > 0).then_some(Call::Compute { cycles });
        self.answers.push(Calls { rank, calls: computation.into_iter().chain(call).collect() });
    }

    /// Resumes a rank in the next round, unless its process has ended.
    fn resume_or_bury(&mut self, mut resumed: Resumed) {
        match self.shared.side.death(resumed.rank) {
            None => {
                let of_rank = &self.ranks[resumed.rank as usize];
                resumed.answer.time = of_rank.time.saturating_add(of_rank.computed);
                self.round.push(resumed);
            }
            Some(status) => self.bury(resumed.rank, status),
        }
    }

    fn bury(&mut self, rank: u32, status: i32) {
        let slot = self.shared.side.memory().slot(rank);
        let ended = ending::in_words(status);
        let words = if slot.process.load(Ordering::Acquire) == 0 {
            match ending::exit_code(status) {
                Some(_) => format!(
                    "{ended} before MPI_Init (it is no MPI program, has another MPI library, or has failed)"
                ),
                None => format!("{ended} before MPI_Init"),
            }
        } else {
            // A function of the program for an attribute may end it, or fail, in MPI_Finalize.
            let without = match ending::exit_code(status) {
                Some(_) if slot.called() == "MPI_Finalize" => " and without the end of MPI_Finalize",
                Some(_) => " and without MPI_Finalize",
                None => "",
            };
            format!("{ended}{without} {}", self.after(rank))
        };
        self.fail(rank, mpi::FailureKind::RankDied, words, Some(ending::shell_status(status)));
    }

    /// The program's last call in words.
    fn after(&self, rank: u32) -> String {
        let slot = self.shared.side.memory().slot(rank);
        let (name, calls) = (slot.called(), slot.calls.load(Ordering::Relaxed));
        match calls {
            0 => String::from("before MPI_Init has ended"),
            _ => format!("after {name} (call {calls})"),
        }
    }

    fn fail(&mut self, rank: u32, kind: mpi::FailureKind, words: String, code: Option<i32>) {
        self.ranks[rank as usize].stage = Stage::Failed;
        let words = format!("rank {rank} {words}");
        self.failures.push((rank, mpi::Failure { kind, words, code }));
        self.answer(rank, Some(Call::Fail));
    }

    /// Resumes the ranks of a round; returns them, in the order of time and rank.
    fn resume_round(&mut self) -> Vec<u32> {
        let round = std::mem::take(&mut self.round);
        self.shared.side.begin_round(round.len() as u32);
        self.places.begin_round(round.len());
        let mut resumed = Vec::with_capacity(round.len());
        for Resumed { rank, answer, mut ended } in round {
            let freed = self.ranks[rank as usize].freed.drain(..);
            ended.extend(freed.map(|request| Ended { request, flags: Ended::FREED, ..Ended::default() }));
            if let Some(processes) = &self.processes {
                let process = self.shared.side.memory().slot(rank).process.load(Ordering::Acquire);
                self.places.place(rank, process, processes);
            }
            if self.shared.side.resume(rank, &answer, &ended) {
                resumed.push(rank);
            } else {
                let words = String::from("has more requests than the shared memory has room for");
                self.fail(rank, mpi::FailureKind::Aborted, words, None);
            }
        }
        resumed
    }

    /// Waits until all ranks of a round have handed over, or ended. All of them have made no call since `begin`, however
    /// often they have handed over.
    fn wait_for(&mut self, round: &[u32], begin: Instant) -> Result<(), Stop> {
        let mut tick = TICK;
        let mut printed = 0;
        loop {
            let side = &self.shared.side;
            let is_running = |rank: &&u32| !side.has_handed_over(**rank) && side.death(**rank).is_none();
            let Some(&rank) = round.iter().find(is_running) else { break };
            if begin.elapsed() > self.rank_timeout {
                return Err(self.give_up(rank));
            }
            self.check_deaths(round)?;
            self.shared.side.wait(tick, self.deaths_seen);
            let is_written = self.pass_output(round, &mut printed);
            tick = if is_written { SHORT_TICK } else { TICK };
            if self.host.is_interrupted() {
                return Err(Stop::Interrupted);
            }
        }
        self.outputs.read();
        Ok(())
    }

    /// Reads the output of ranks that run, so that none waits for room in its pipe. Prints that of the first ones.
    fn pass_output(&mut self, round: &[u32], printed: &mut usize) -> bool {
        let is_written = self.outputs.read();
        while let Some(&rank) = round.get(*printed) {
            self.outputs.print(rank, &mut *self.host);
            if !self.shared.side.has_handed_over(rank) {
                break;
            }
            *printed += 1;
        }
        is_written
    }

    /// Stops the run if the process of a rank has ended that waits in a call: something has killed it. One that has ended
    /// in its own turn ends behind its last records.
    fn check_deaths(&mut self, round: &[u32]) -> Result<(), Stop> {
        let deaths = self.shared.side.deaths();
        if deaths == self.deaths_seen {
            return Ok(());
        }
        self.deaths_seen = deaths;
        self.bury_waiting(round)
    }

    fn bury_waiting(&mut self, except: &[u32]) -> Result<(), Stop> {
        let side = &self.shared.side;
        let is_killed = |rank: &&Rank| {
            let has_ended = rank.stage == Stage::Running && side.death(rank.rank).is_some();
            let waits = side.has_handed_over(rank.rank) && rank.records.is_empty();
            has_ended && waits && !except.contains(&rank.rank)
        };
        let Some(rank) = self.ranks.iter().find(is_killed).map(|rank| rank.rank) else { return Ok(()) };
        let status = self.shared.side.death(rank).unwrap_or(0);
        self.bury(rank, status);
        Err(Stop::Failed { rank })
    }

    fn give_up(&mut self, rank: u32) -> Stop {
        let seconds = self.rank_timeout.as_secs_f64();
        let words = format!("has made no call for {seconds} s of the host's time {}", self.after(rank));
        self.fail(rank, mpi::FailureKind::RankTimeout, words, None);
        Stop::Failed { rank }
    }

    /// Reads what a rank has handed over, or has left in its batch when its process ended.
    fn read_batch(&mut self, rank: u32) {
        let of_rank = &mut self.ranks[rank as usize];
        if of_rank.stage != Stage::Running {
            return;
        }
        let words = std::mem::take(&mut of_rank.records).into_words();
        of_rank.records = self.shared.side.batch(rank, words);
        if of_rank.records.is_empty() && self.shared.side.death(rank).is_none() {
            // It would be resumed, and hand nothing over, for ever.
            let words = format!("handed nothing over {}", self.after(rank));
            return self.fail(rank, mpi::FailureKind::RankDied, words, None);
        }
        let resumed = Resumed { rank, answer: Answer::default(), ended: Vec::new() };
        self.go_on(resumed);
    }
}

impl Drop for ProcessRanks {
    /// Waits for the processes, if all ranks have finalized, and ends them. Passes the rest of their output on.
    fn drop(&mut self) {
        if self.ranks.iter().all(|rank| rank.stage == Stage::Finished) {
            self.wait_for_exits();
        }
        let statuses = (0..self.ranks.len() as u32).map(|rank| self.shared.side.death(rank)).collect();
        if let Some(processes) = &mut self.processes {
            processes.end();
        }
        for rank in 0..self.ranks.len() as u32 {
            self.outputs.print_rest(rank, &mut *self.host);
        }
        let measured = self.shared.measured.take().unwrap_or_default();
        self.left.keep(Remains { statuses, measured });
    }
}

impl ProcessRanks {
    fn wait_for_exits(&mut self) {
        let begin = Instant::now();
        let all: Vec<u32> = (0..self.ranks.len() as u32).collect();
        let mut printed = 0;
        // The bell rings for deaths alone: no rank hands over any more.
        self.shared.side.begin_round(u32::MAX);
        while begin.elapsed() < self.rank_timeout && !self.host.is_interrupted() {
            let Some(&rank) = all.get(printed) else { return };
            if self.shared.side.death(rank).is_some() {
                self.outputs.print_rest(rank, &mut *self.host);
                printed += 1;
                continue;
            }
            let deaths = self.shared.side.deaths();
            let is_written = self.outputs.read();
            self.outputs.print(rank, &mut *self.host);
            self.shared.side.wait(if is_written { SHORT_TICK } else { TICK }, deaths);
        }
    }
}
