//! Records as calls. A record comes from a program that may have overwritten it: every number is checked.

use crate::collective::collective;
use crate::payloads::{Payloads, Stream};
use crate::rank::{Awaits, Communicator, Group, Rank, Use};
use crate::tables::{Called, Entering, Tables};
use mpi::{
    Call, Layout, Lengths, MAX_MESSAGE_BYTES, Members, Mode, Needed, ReceiveFrom, Requests, SendTo, Transfer,
};
use rank_wire::{Code, Collective, Damaged, NOTHING, Record, SimulatorSide};
use std::sync::Arc;

/// Why a record is no call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No library has written it.
    Damaged,
    /// The program is erroneous, in words; with the code of the error.
    Erroneous(String, i32),
}

impl From<Damaged> for Fault {
    fn from(_: Damaged) -> Self {
        Fault::Damaged
    }
}

fn erroneous(words: impl Into<String>) -> Fault {
    Fault::Erroneous(words.into(), 1)
}

/// The meaning of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A call, or computation.
    Call(Call),
    /// `MPI_Finalize`.
    Finish,
    /// The rank waits for its earlier calls.
    Settle,
}

/// The state that records of all ranks use.
#[derive(Debug)]
pub(crate) struct Shared {
    pub side: SimulatorSide,
    pub payloads: Payloads,
    pub tables: Tables,
    /// Measured computing times, if they are recorded: by rank, for each call the hash of its name, and nanoseconds.
    pub measured: Option<Vec<Vec<[u64; 2]>>>,
}

/// The words of a record, in their order.
struct Words<'a>(&'a [u64]);

impl Words<'_> {
    fn next(&mut self) -> Result<u64, Damaged> {
        let (first, rest) = self.0.split_first().ok_or(Damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u32, Damaged> {
        u32::try_from(self.next()?).map_err(|_| Damaged)
    }

    fn optional(&mut self) -> Result<Option<u32>, Damaged> {
        match self.next()? {
            NOTHING => Ok(None),
            word => u32::try_from(word).map(Some).map_err(|_| Damaged),
        }
    }

    fn flag(&mut self) -> Result<bool, Damaged> {
        match self.next()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }

    fn end(self) -> Result<(), Damaged> {
        if self.0.is_empty() { Ok(()) } else { Err(Damaged) }
    }
}

/// The call of a rank's next record, with all that has to be noted of it.
pub(crate) fn next(rank: &mut Rank, shared: &mut Shared) -> Result<Meaning, Fault> {
    let mut records = std::mem::take(&mut rank.records);
    let meaning = records.read().map_err(Fault::from).and_then(|record| read(record, rank, shared));
    rank.records = records;
    meaning
}

fn read(Record { code, words }: Record<'_>, rank: &mut Rank, shared: &mut Shared) -> Result<Meaning, Fault> {
    rank.awaits = Awaits::Nothing;
    let mut words = Words(words);
    let mut reader = Reader { rank, shared };
    let of = &mut words;
    let call = match code {
        Code::Send => reader.send(of)?,
        Code::Receive => reader.receive(of)?,
        Code::SendReceive => reader.send_receive(of)?,
        Code::SendInit => reader.send_init(of)?,
        Code::ReceiveInit => reader.receive_init(of)?,
        Code::Start => reader.start(of)?,
        Code::Free => reader.free(of)?,
        Code::Cancel => Call::Cancel { request: reader.used(of.number()?)? },
        Code::End => reader.end(of)?,
        Code::Probe => reader.probe(of)?,
        Code::MatchedReceive => reader.matched_receive(of)?,
        Code::Collect => reader.collect(of)?,
        Code::Create => reader.create(of)?,
        Code::Define => reader.define(of)?,
        Code::FreeCommunicator => reader.free_communicator(of)?,
        Code::Time => Call::Time,
        Code::Compute => Call::Compute { cycles: of.next()? },
        Code::Measured => reader.measured(of)?,
        Code::Abort => Call::Abort { code: of.next()? as i32 },
        Code::Fail => return Err(reader.fail(of)?),
        Code::Finish | Code::Settle => {
            words.end()?;
            return Ok(if code == Code::Finish { Meaning::Finish } else { Meaning::Settle });
        }
    };
    words.end()?;
    Ok(Meaning::Call(call))
}

struct Reader<'a> {
    rank: &'a mut Rank,
    shared: &'a mut Shared,
}

/// A send, as its record has it.
struct Sent {
    send: SendTo,
    stream: Stream,
}

impl Reader<'_> {
    fn communicator(&mut self, number: u32) -> Result<&mut Communicator, Damaged> {
        self.rank.communicators.get_mut(number as usize).and_then(Option::as_mut).ok_or(Damaged)
    }

    fn group(&mut self, number: u32) -> Result<Arc<Group>, Damaged> {
        Ok(self.communicator(number)?.group.clone())
    }

    fn sent(&mut self, words: &mut Words<'_>) -> Result<Sent, Fault> {
        let (communicator, target, tag, bytes) =
            (words.number()?, words.number()?, words.number()?, words.next()?);
        let mode = match words.next()? {
            0 => Mode::Standard,
            1 => Mode::Synchronous,
            2 => Mode::Buffered,
            3 => Mode::Ready,
            _ => return Err(Fault::Damaged),
        };
        let layout = layout(words)?;
        if bytes > MAX_MESSAGE_BYTES {
            return Err(erroneous(format!(
                "sends {bytes} bytes: messages of more than 1 GiB are not simulated"
            )));
        }
        let group = self.group(communicator)?;
        let stream = (group.id, self.rank.rank, group.place(target).ok_or(Damaged)?);
        Ok(Sent { send: SendTo { communicator, target, tag, bytes, mode, layout }, stream })
    }

    fn received(&mut self, words: &mut Words<'_>) -> Result<(ReceiveFrom, Arc<Group>), Fault> {
        let (communicator, source, tag) = (words.number()?, words.optional()?, words.optional()?);
        let layout = layout(words)?;
        let group = self.group(communicator)?;
        if source.is_some_and(|source| source >= group.size()) {
            return Err(Fault::Damaged);
        }
        Ok((ReceiveFrom { communicator, layout, ..ReceiveFrom::new(source, tag) }, group))
    }

    /// Begins to use a request's number, which is free: the lowest, so that no number is far beyond the others.
    fn begin(&mut self, number: u32, of: Use) -> Result<u32, Damaged> {
        let requests = &mut self.rank.requests;
        if number as usize == requests.len() {
            requests.push(Use::Free);
        }
        let request = requests
            .get_mut(number as usize)
            .filter(|request| matches!(request, Use::Free))
            .ok_or(Damaged)?;
        *request = of;
        Ok(number)
    }

    /// A request's number that is used.
    fn used(&self, number: u32) -> Result<u32, Damaged> {
        let request = self.rank.requests.get(number as usize).ok_or(Damaged)?;
        if matches!(request, Use::Free | Use::Freed(_)) { Err(Damaged) } else { Ok(number) }
    }

    fn send(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let Sent { send, stream } = self.sent(words)?;
        let request = words.optional()?.map(|number| self.begin(number, Use::Send)).transpose()?;
        self.shared.payloads.send(stream, words.next()?);
        Ok(Call::Begin { transfer: Transfer::Send(send), request })
    }

    fn receive(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (receive, group) = self.received(words)?;
        let request = match words.optional()? {
            Some(number) => Some(self.begin(number, Use::Receive(group))?),
            None => {
                self.rank.awaits = Awaits::Message(group);
                None
            }
        };
        Ok(Call::Begin { transfer: Transfer::Receive(receive), request })
    }

    fn send_receive(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let Sent { send, stream } = self.sent(words)?;
        let offset = words.next()?;
        let (receive, group) = self.received(words)?;
        if send.mode == Mode::Buffered {
            return Err(Fault::Damaged);
        }
        self.shared.payloads.send(stream, offset);
        self.rank.awaits = Awaits::Message(group);
        Ok(Call::SendReceive { send, receive })
    }

    fn send_init(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let Sent { send, stream } = self.sent(words)?;
        let group = self.group(send.communicator)?;
        let request = self.begin(words.number()?, Use::PersistentSend(group, stream.2))?;
        Ok(Call::Prepare { transfer: Transfer::Send(send), request })
    }

    fn receive_init(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (receive, group) = self.received(words)?;
        let request = self.begin(words.number()?, Use::PersistentReceive(group))?;
        Ok(Call::Prepare { transfer: Transfer::Receive(receive), request })
    }

    fn start(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let mut started = Vec::new();
        while !words.0.is_empty() {
            let (number, offset) = (words.number()?, words.next()?);
            match self.rank.requests.get(number as usize) {
                Some(Use::PersistentSend(group, target)) => {
                    self.shared.payloads.send((group.id, self.rank.rank, *target), offset);
                }
                Some(Use::PersistentReceive(_)) => {}
                _ => return Err(Fault::Damaged),
            }
            if !self.rank.started.insert(number) {
                return Err(Fault::Damaged);
            }
            started.push(number);
        }
        Ok(Call::Start { requests: requests(started)? })
    }

    fn free(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let request = self.used(words.number()?)?;
        let used = std::mem::replace(&mut self.rank.requests[request as usize], Use::Free);
        let is_persistent = matches!(used, Use::PersistentSend(..) | Use::PersistentReceive(_));
        if !is_persistent || self.rank.started.remove(&request) {
            self.rank.requests[request as usize] = Use::Freed(Box::new(used));
        }
        Ok(Call::Free { request })
    }

    fn end(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (needed, blocks, is_heard) = (words.next()?, words.flag()?, words.flag()?);
        let (at, count) = (words.next()?, words.next()?);
        self.rank.awaits = if is_heard { Awaits::Requests } else { Awaits::Nothing };
        let listed = if at == 0 {
            let count = usize::try_from(count).map_err(|_| Damaged)?;
            let (inline, rest) = words.0.split_at_checked(count).ok_or(Damaged)?;
            words.0 = rest;
            inline.to_vec()
        } else {
            self.list(at, count, self.rank.requests.len())?
        };
        let numbers = listed.into_iter().map(|word| u32::try_from(word).map_err(|_| Damaged));
        let requests = requests(numbers.collect::<Result<_, _>>()?)?;
        Ok(match (needed, blocks) {
            (0, true) => Call::Wait { requests, needed: Needed::All },
            (1, true) => Call::Wait { requests, needed: Needed::Any },
            (2, true) => Call::Wait { requests, needed: Needed::Some },
            (0, false) => Call::Test { requests },
            (1, false) => Call::TestAny { requests },
            (2, false) => Call::TestSome { requests },
            _ => return Err(Fault::Damaged),
        })
    }

    fn probe(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (communicator, source, tag) = (words.number()?, words.optional()?, words.optional()?);
        let (takes, blocks) = (words.flag()?, words.flag()?);
        let group = self.group(communicator)?;
        if source.is_some_and(|source| source >= group.size()) {
            return Err(Fault::Damaged);
        }
        self.rank.awaits = Awaits::Probe(group);
        let message = ReceiveFrom { communicator, ..ReceiveFrom::new(source, tag) };
        Ok(Call::Find { message, takes, blocks })
    }

    fn matched_receive(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (handle, request) = (words.number()?, words.optional()?);
        let group = self.rank.taken.remove(&handle).ok_or(Damaged)?;
        match request {
            Some(number) => {
                let request = self.begin(number, Use::Receive(group))?;
                Ok(Call::MatchedReceiveNonBlocking { handle, request })
            }
            None => {
                self.rank.awaits = Awaits::Message(group);
                Ok(Call::MatchedReceive { handle })
            }
        }
    }

    fn collect(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let kind = Collective::of(words.next()?).ok_or(Damaged)?;
        let (number, request, root, bytes) =
            (words.number()?, words.optional()?, words.optional()?, words.next()?);
        let (operation, offset, is_read) = (words.next()?, words.next()?, words.flag()?);
        let communicator = self.communicator(number)?;
        let (group, rank) = (communicator.group.clone(), communicator.rank);
        let key = (group.id, group.members[0], communicator.collectives);
        communicator.collectives = communicator.collectives.wrapping_add(1);
        if root.is_some_and(|root| root >= group.size()) {
            return Err(Fault::Damaged);
        }
        let mut lengths = Vec::new();
        while !words.0.is_empty() {
            let (at, count) = (words.next()?, words.next()?);
            lengths.push(Lengths::new(self.list(at, count, group.members.len())?));
        }
        let size = group.size();
        let collective = collective((kind, root, bytes), &lengths, (rank, size))?;
        let called = Called { collective: kind, root, bytes, operation };
        let part = Entering { called, rank, size, offset, lengths };
        self.shared.tables.enter(key, part, &mut self.shared.side).map_err(erroneous)?;
        match request {
            Some(number) => {
                self.begin(number, Use::Collective(key, is_read))?;
            }
            None => self.rank.awaits = Awaits::Collective(key, is_read),
        }
        Ok(Call::Collect { collective, communicator: number, request, tuning: Box::default() })
    }

    fn create(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (communicator, new, order) = (words.number()?, words.number()?, words.number()?);
        let (at, count) = (words.next()?, words.next()?);
        let group = self.group(communicator)?;
        let members = match at {
            0 => None,
            NOTHING => Some(Members::All),
            _ => Some(Members::list(self.members(at, count, group.size())?)),
        };
        self.check_new(new)?;
        if let Some(members) = &members {
            let placed = Rank::members_of(&group, members).ok_or(Damaged)?;
            if !placed.contains(&self.rank.rank) {
                return Err(Fault::Damaged);
            }
            self.rank.awaits = Awaits::Communicator(new, placed);
        } else {
            self.rank.communicators.resize_with(new as usize + 1, || None);
        }
        Ok(Call::Create { communicator, members, new, order })
    }

    fn define(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (new, id) = (words.number()?, words.number()?);
        let (at, count) = (words.next()?, words.next()?);
        let ranks = self.shared.side.memory().layout().ranks;
        let members = self.members(at, count, ranks)?;
        let rank = members.iter().position(|member| *member == self.rank.rank).ok_or(Damaged)? as u32;
        self.check_new(new)?;
        self.rank.communicators.resize_with(new as usize + 1, || None);
        let group = Arc::new(Group { id, members: members.clone() });
        self.rank.communicators[new as usize] = Some(Communicator { group, rank, collectives: 0 });
        Ok(Call::Define { members: Members::list(members), new, id })
    }

    /// Checks that a number is that of the next communicator.
    fn check_new(&self, new: u32) -> Result<(), Damaged> {
        if new as usize == self.rank.communicators.len() { Ok(()) } else { Err(Damaged) }
    }

    fn free_communicator(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        const WORLD: u32 = mpi::WORLD;
        let communicator = words.number()?;
        self.communicator(communicator)?;
        if communicator == WORLD {
            return Err(Fault::Damaged);
        }
        self.rank.communicators[communicator as usize] = None;
        Ok(Call::FreeCommunicator { communicator })
    }

    fn fail(&mut self, words: &mut Words<'_>) -> Result<Fault, Fault> {
        const LONGEST: u64 = 4_096;
        let (code, at, bytes) = (words.next()? as i32, words.next()?, words.next()?);
        let memory = self.shared.side.memory();
        let text = memory.copied(at, bytes.min(LONGEST)).unwrap_or_default();
        memory.release(at);
        let text = String::from_utf8_lossy(&text).replace(char::is_control, " ");
        Ok(Fault::Erroneous(format!("failed in {text}"), code))
    }

    fn measured(&mut self, words: &mut Words<'_>) -> Result<Call, Fault> {
        let (cycles, nanoseconds, call, name) = (words.next()?, words.next()?, words.next()?, words.next()?);
        if let Some(measured) = &mut self.shared.measured {
            let of_rank = measured.get_mut(self.rank.rank as usize).ok_or(Damaged)?;
            // A call that makes others of the library is one call of the program.
            of_rank.resize((call as usize).min(of_rank.len() + 1), [0; 2]);
            *of_rank.last_mut().ok_or(Damaged)? = [name, nanoseconds];
        }
        Ok(Call::Compute { cycles })
    }

    /// A list of at most `longest` words.
    fn list(&self, at: u64, count: u64, longest: usize) -> Result<Vec<u64>, Damaged> {
        if count > longest as u64 {
            return Err(Damaged);
        }
        let memory = self.shared.side.memory();
        let words = memory.words(at, count).ok_or(Damaged)?;
        memory.release(at);
        Ok(words)
    }

    /// A list of ranks, which differ and are below `size`.
    fn members(&self, at: u64, count: u64, size: u32) -> Result<Vec<u32>, Damaged> {
        let members: Vec<u32> = self
            .list(at, count, size as usize)?
            .into_iter()
            .map(|word| u32::try_from(word).ok().filter(|rank| *rank < size).ok_or(Damaged))
            .collect::<Result<_, _>>()?;
        let mut sorted = members.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if members.is_empty() || sorted.len() < members.len() { Err(Damaged) } else { Ok(members) }
    }
}

fn layout(words: &mut Words<'_>) -> Result<Layout, Damaged> {
    Ok(Layout::of(words.next()?.min(u32::MAX.into()) as u32))
}

/// A set of requests, each named once.
fn requests(mut numbers: Vec<u32>) -> Result<Requests, Damaged> {
    numbers.sort_unstable();
    if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Damaged);
    }
    Ok(Requests::list(numbers))
}
