//! Compares the ranks of a trace: finds their communicators, and checks that all ranks call the same collectives.
//!
//! ```text
//!   rank 0   split(color 0)   bcast on 17                      a rank waits here for the members of its new
//!   rank 1   split(color 1)   bcast on 4   recv on 4 from 9    communicator until all ranks of the old one have
//!   rank 2   split(color 0)   ...                              been followed to their part of the split
//! ```
//!
//! Each rank is followed through its calls, as far as the communicators in them are known. A new one is known when
//! all ranks of the one from which it is created have been followed to that call. Handles become the numbers that
//! the programs of the replay use: 0 for all ranks, then in the order in which the rank creates them.

use crate::error::TraceError;
use crate::error::{Place, Problem, problem};
use crate::rank::{Event, Part, RankTrace};
use crate::recorder::{Creation, Freed, Recorder};
use mpi::{Arguments, Call, Collective, Disagreement, Members};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Joins the traces of ranks, recorded in a format whose places in files `place_of` gives.
///
/// # Errors
/// The first call on a communicator that is not known, or whose ranks it does not suit, and collectives that
/// differ.
pub(crate) fn join(ranks: Vec<Recorder>, place_of: PlaceOf) -> Result<Vec<Part>, TraceError> {
    let size = ranks.len() as u32;
    let world = Group::new((0..size).collect());
    let walks = (0..).zip(ranks).map(|(rank, recorder)| Walk::new(rank, recorder));
    let mut join = Join { groups: vec![world], walks: walks.collect(), place_of };
    join.define();
    join.follow_all()?;
    join.check_ends()?;
    Ok(join.walks.into_iter().map(Walk::finish).collect())
}

/// A function from a recorder's number to the place in a file that it denotes.
type PlaceOf = fn(u64) -> Place;

/// A communicator as all its members see it.
struct Group {
    /// The ranks of the communicator, as ranks of all.
    members: Arc<[u32]>,
    /// The collectives called on it, new communicators included, and the rank that was the first to be followed to
    /// each.
    log: Vec<(Entry, u32)>,
    /// Members that have been followed to a new communicator, with the claim of each about it, by place in the log.
    arrived: BTreeMap<usize, Vec<Arrival>>,
    /// Members that have been followed to a collective with lists, by place in the log and by rank in it, each with
    /// the event.
    listed: BTreeMap<usize, BTreeMap<u32, (usize, usize)>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    /// A collective, and the operation by which it reduces, if that is predefined.
    Collective(Collective, Option<u8>),
    Creation,
}

struct Arrival {
    rank: u32,
    event: usize,
    number: usize,
    creation: Creation,
    /// The rank in the new communicator and its size, as the trace claims them, if nothing else is known.
    claim: Option<(u32, u32)>,
}

impl Group {
    fn new(members: Vec<u32>) -> Self {
        Group { members: members.into(), log: Vec::new(), arrived: BTreeMap::new(), listed: BTreeMap::new() }
    }
}

/// A communicator as one rank sees it.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// The members of the communicator are not known yet.
    Pending,
    /// The rank is no member.
    Not,
    Member {
        group: usize,
        rank: u32,
        collectives: usize,
    },
    Freed,
}

/// The progress of following a rank.
struct Walk {
    recorder: Recorder,
    event: usize,
    /// The communicators, by number.
    communicators: Vec<Known>,
    /// The number of each handle.
    bound: Vec<Option<usize>>,
    /// Numbers that have no handle yet.
    unbound: Vec<usize>,
    /// The number of a communicator, by the event that has created it.
    made: BTreeMap<usize, usize>,
    /// The number of a persistent request's communicator, by request.
    prepared: BTreeMap<u32, usize>,
    /// Events of which nothing is left.
    dropped: Vec<usize>,
}

/// The reason why a rank is not followed further.
enum Stop {
    /// A communicator is not known yet.
    Unknown,
    Problem(Problem),
    /// A problem of another rank, at one of its events.
    Elsewhere(usize, usize, Problem),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Stop::Problem(problem)
    }
}

impl Walk {
    fn new(rank: u32, recorder: Recorder) -> Self {
        let world = Known::Member { group: 0, rank, collectives: 0 };
        let mut bound = vec![None; recorder.claims.len()];
        bound[0] = Some(0);
        Walk {
            recorder,
            event: 0,
            communicators: vec![world],
            bound,
            unbound: Vec::new(),
            made: BTreeMap::new(),
            prepared: BTreeMap::new(),
            dropped: Vec::new(),
        }
    }

    fn finish(self) -> Part {
        let Walk { recorder, dropped, .. } = self;
        let call_ps = recorder.call_ps();
        let mut last_compute_ps = recorder.last_compute_ps();
        let mut events = recorder.events;
        for &event in dropped.iter().rev() {
            let compute_ps = events.remove(event).compute_ps;
            match events.get_mut(event) {
                Some(next) => next.compute_ps += compute_ps,
                None => last_compute_ps += compute_ps,
            }
        }
        let Recorder { local_calls, counts, defined, file, receives, .. } = recorder;
        let defines = (1..).zip(&defined).map(|(new, (_, members, id))| {
            let call = Call::Define { members: members_of(members, u32::MAX), new, id: *id };
            Event { compute_ps: 0, call }
        });
        if !defined.is_empty() {
            events.splice(0..0, defines);
        }
        events.shrink_to_fit();
        let communicators = Vec::new();
        Part::Calls(RankTrace {
            communicators,
            events,
            last_compute_ps,
            call_ps,
            local_calls,
            counts,
            file,
            receives,
        })
    }

    fn error(&self, event: usize, problem: Problem, place_of: PlaceOf) -> TraceError {
        let at = self.recorder.places.get(event).map(|&place| place_of(place));
        problem.at(&self.recorder.file, at)
    }

    /// The first unbound handle in the rank's calls from event `from`, if any.
    fn next_unbound(&self, from: usize) -> Option<u32> {
        let events = self.recorder.events[from..].iter();
        let handles = events.filter_map(|event| event.call.arguments().communicator);
        handles.filter(|&handle| handle != 0).find(|&handle| self.bound[handle as usize].is_none())
    }
}

/// The ranks that a call names, with their roles.
fn peers(call: &Call) -> impl Iterator<Item = (&'static str, u32)> {
    let Arguments { send, receive, .. } = call.arguments();
    let target = send.map(|send| ("target", send.target));
    let source = receive.and_then(|receive| receive.source).map(|source| ("source", source));
    target.into_iter().chain(source)
}

struct Join {
    groups: Vec<Group>,
    walks: Vec<Walk>,
    place_of: PlaceOf,
}

impl Join {
    /// Communicators that exist from the start.
    fn define(&mut self) {
        let mut by_id = BTreeMap::new();
        for rank in 0..self.walks.len() {
            for (handle, members, id) in self.walks[rank].recorder.defined.clone() {
                let group = *by_id.entry((id, members.clone())).or_insert_with(|| {
                    self.groups.push(Group::new(members.to_vec()));
                    self.groups.len() - 1
                });
                let place = members.iter().position(|&member| member as usize == rank);
                let place = place.expect("a rank defines communicators of its own") as u32;
                let walk = &mut self.walks[rank];
                walk.bound[handle as usize] = Some(walk.communicators.len());
                walk.communicators.push(Known::Member { group, rank: place, collectives: 0 });
            }
        }
    }

    fn follow_all(&mut self) -> Result<(), TraceError> {
        loop {
            let before: usize = self.walks.iter().map(|walk| walk.event).sum();
            for rank in 0..self.walks.len() {
                self.follow(rank)?;
            }
            let after: usize = self.walks.iter().map(|walk| walk.event).sum();
            let waiting = self.walks.iter().find(|walk| walk.event < walk.recorder.events.len());
            match waiting {
                None => return Ok(()),
                Some(walk) if after == before => return Err(self.unknown(walk)),
                Some(_) => {}
            }
        }
    }

    /// The error of a call on a communicator that never becomes known.
    fn unknown(&self, walk: &Walk) -> TraceError {
        let found = problem(
            "a call on a communicator whose members are not known",
            "all ranks of a communicator make the call that makes another of it",
        );
        walk.error(walk.event, found, self.place_of)
    }

    /// Follows a rank as far as its communicators are known.
    fn follow(&mut self, rank: usize) -> Result<(), TraceError> {
        while self.walks[rank].event < self.walks[rank].recorder.events.len() {
            let event = self.walks[rank].event;
            match self.step(rank, event) {
                Ok(()) => self.walks[rank].event += 1,
                Err(Stop::Unknown) => return Ok(()),
                Err(Stop::Problem(problem)) => {
                    return Err(self.walks[rank].error(event, problem, self.place_of));
                }
                Err(Stop::Elsewhere(rank, event, problem)) => {
                    return Err(self.walks[rank].error(event, problem, self.place_of));
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, rank: usize, event: usize) -> Result<(), Stop> {
        if let Some(freed) = self.walks[rank].recorder.frees.get(&event).copied() {
            return self.free(rank, event, freed);
        }
        if let Call::Start { requests } = &self.walks[rank].recorder.events[event].call {
            let mut started = requests.set().entries(&self.walks[rank].prepared);
            return started.try_for_each(|(_, &number)| self.place(rank, number).map(|_| ()));
        }
        let handle = self.walks[rank].recorder.events[event].call.arguments().communicator;
        let Some(handle) = handle else { return Ok(()) };
        let number = self.number(rank, handle)?;
        let (place, size) = self.place(rank, number)?;
        let walk = &mut self.walks[rank];
        if number > 0 {
            let named = walk.recorder.events[event].call.arguments_mut().communicators;
            named.into_iter().flatten().for_each(|communicator| *communicator = number as u32);
        }
        let call = &walk.recorder.events[event].call;
        if let Call::Prepare { request, .. } = call {
            walk.prepared.insert(*request, number);
        }
        for (role, peer) in peers(call) {
            if peer >= size {
                let expected = format!("a rank below {}, the size of the communicator", size);
                return Err(problem(format!("{role} {peer}"), expected).into());
            }
        }
        if let Some((collective, ..)) = call.collective() {
            if let Some(fault) = collective.fault_of(place, size) {
                let expected = format!("a call that suits a communicator of {} ranks", size);
                return Err(problem(format!("{collective}: {fault}"), expected).into());
            }
            let operation = walk.recorder.operations.get(&event).copied();
            let (entry, has_lists) =
                (Entry::Collective(collective.clone(), operation), collective.has_lists());
            let at = self.log(rank, number, entry)?;
            return if has_lists { self.compare_lists((rank, event), number, at) } else { Ok(()) };
        }
        if walk.recorder.creations.contains_key(&event) { self.create(rank, event, number) } else { Ok(()) }
    }

    /// The number of a handle.
    fn number(&mut self, rank: usize, handle: u32) -> Result<usize, Stop> {
        let walk = &mut self.walks[rank];
        if let Some(number) = walk.bound[handle as usize] {
            return Ok(number);
        }
        let claim = walk.recorder.claims[handle as usize];
        for place in 0..walk.unbound.len() {
            let number = walk.unbound[place];
            match walk.communicators[number] {
                Known::Pending => return Err(Stop::Unknown),
                Known::Member { group, rank, .. }
                    if claim.is_none_or(|claim| claim == (rank, self.groups[group].members.len() as u32)) =>
                {
                    walk.unbound.remove(place);
                    walk.bound[handle as usize] = Some(number);
                    return Ok(number);
                }
                Known::Member { .. } | Known::Not | Known::Freed => {}
            }
        }
        let of =
            claim.map_or(String::new(), |(rank, size)| format!(", of which this is rank {rank} of {size}"));
        let expected = "one that the rank has made before, and not freed";
        Err(problem(format!("a communicator{of}, that is not known"), expected).into())
    }

    /// The rank in a communicator, and the size of that.
    fn place(&self, rank: usize, number: usize) -> Result<(u32, u32), Stop> {
        match self.walks[rank].communicators[number] {
            Known::Pending => Err(Stop::Unknown),
            Known::Member { group, rank, .. } => Ok((rank, self.groups[group].members.len() as u32)),
            Known::Not => {
                Err(problem("a call on MPI_COMM_NULL", "a communicator of which the rank is a member").into())
            }
            Known::Freed => {
                Err(problem("a call on a communicator that has been freed", "one that exists").into())
            }
        }
    }

    /// Compares a collective with that of the other ranks; returns its place in the log.
    fn log(&mut self, rank: usize, number: usize, entry: Entry) -> Result<usize, Problem> {
        let Known::Member { group, collectives, .. } = &mut self.walks[rank].communicators[number] else {
            unreachable!("the rank is a member")
        };
        let (group, at) = (&mut self.groups[*group], *collectives);
        *collectives += 1;
        let Some((other, by)) = group.log.get(at) else {
            group.log.push((entry, rank as u32));
            return Ok(at);
        };
        let agree = match (other, &entry) {
            (Entry::Collective(other, by), Entry::Collective(own, of)) => {
                let is_other = by.is_some() && of.is_some() && by != of;
                own.agrees_with(other) && !is_other
            }
            (other, own) => other == own,
        };
        if agree { Ok(at) } else { Err(difference(at, (Some(&entry), rank as u32), (Some(other), *by))) }
    }

    /// Compares the lists of a collective to which a rank has been followed. Once all ranks of its communicator
    /// have been, the length that each sends must be the length that the other receives.
    fn compare_lists(&mut self, (rank, event): (usize, usize), number: usize, at: usize) -> Result<(), Stop> {
        let Known::Member { group, rank: place, .. } = self.walks[rank].communicators[number] else {
            unreachable!("the rank is a member")
        };
        let group = &mut self.groups[group];
        let listed = group.listed.entry(at).or_default();
        listed.insert(place, (rank, event));
        if listed.len() < group.members.len() {
            return Ok(());
        }
        let listed: Vec<(usize, usize)> =
            group.listed.remove(&at).into_iter().flat_map(BTreeMap::into_values).collect();
        let call = |&(rank, event): &(usize, usize)| {
            self.walks[rank].recorder.events[event].call.collective().expect("it is a collective").0
        };
        let calls: Vec<&Collective> = listed.iter().map(call).collect();
        let Some(Disagreement { sender, receiver, sent, received }) = Collective::disagreement(&calls) else {
            return Ok(());
        };
        let name = calls[0].name();
        let (own, event) = listed[receiver as usize];
        let other = listed[sender as usize].0;
        let found = format!("rank {own} receives {received} bytes of rank {other} in {name}");
        Err(Stop::Elsewhere(own, event, problem(found, format!("{sent} bytes, as rank {other} sends"))))
    }

    fn create(&mut self, rank: usize, event: usize, of: usize) -> Result<(), Stop> {
        let at = self.log(rank, of, Entry::Creation)?;
        let walk = &mut self.walks[rank];
        let number = walk.communicators.len();
        walk.communicators.push(Known::Pending);
        walk.made.insert(event, number);
        let (creation, handle) = walk.recorder.creations[&event].clone();
        let mut claim = None;
        match (handle, &creation) {
            (Some(handle), _) => walk.bound[handle as usize] = Some(number),
            (None, Creation::ByUse) => {
                if let Some(handle) = walk.next_unbound(event + 1) {
                    claim = walk.recorder.claims[handle as usize];
                    walk.bound[handle as usize] = Some(number);
                }
            }
            (None, _) => walk.unbound.push(number),
        }
        let Known::Member { group, .. } = walk.communicators[of] else { unreachable!("it is a member") };
        let arrival = Arrival { rank: rank as u32, event, number, creation, claim };
        let arrived = self.groups[group].arrived.entry(at).or_default();
        arrived.push(arrival);
        if arrived.len() == self.groups[group].members.len() {
            self.resolve(group, at)?;
        }
        Ok(())
    }

    /// Creates new communicators: all ranks of a group have been followed to the call that creates them.
    fn resolve(&mut self, group: usize, at: usize) -> Result<(), Problem> {
        let mut arrived = self.groups[group].arrived.remove(&at).expect("ranks have arrived");
        let rank_in: BTreeMap<u32, u32> = self.groups[group].members.iter().copied().zip(0..).collect();
        arrived.sort_by_key(|arrival| rank_in[&arrival.rank]);
        let mut colors = BTreeMap::<Color, Vec<(Key, usize)>>::new();
        for (place, arrival) in arrived.iter().enumerate() {
            if let Some((color, key)) = self.color(arrival, place as u32, &rank_in)? {
                colors.entry(color).or_default().push((key, place));
            }
        }
        for arrival in &arrived {
            self.walks[arrival.rank as usize].communicators[arrival.number] = Known::Not;
        }
        let mut order = 0;
        for (color, mut members) in colors {
            members.sort();
            check_members(&color, &members)?;
            let ranks: Vec<u32> = members.into_iter().map(|(_, place)| place as u32).collect();
            self.add_group(group, &arrived, &ranks, order);
            order += u32::from(ranks.len() > 1);
        }
        for arrival in arrived {
            let walk = &mut self.walks[arrival.rank as usize];
            let Call::Create { new, .. } = &mut walk.recorder.events[arrival.event].call else {
                unreachable!("it is the call that makes it")
            };
            *new = arrival.number as u32;
        }
        Ok(())
    }

    /// Adds a communicator of some ranks of another, which have arrived; `order` is its place among those of the call.
    fn add_group(&mut self, of: usize, arrived: &[Arrival], ranks: &[u32], order: u32) {
        let members = members_of(ranks, self.groups[of].members.len() as u32);
        let group = self.groups.len();
        for (rank, &place) in (0..).zip(ranks) {
            let Arrival { rank: walk, event, number, .. } = arrived[place as usize];
            let walk = &mut self.walks[walk as usize];
            walk.communicators[number] = Known::Member { group, rank, collectives: 0 };
            if let Call::Create { members: own, order: place, .. } = &mut walk.recorder.events[event].call {
                (*own, *place) = (Some(members.clone()), order);
            }
        }
        self.groups.push(Group::new(ranks.iter().map(|&place| arrived[place as usize].rank).collect()));
    }

    /// The new communicator in which a rank is, if any, and its key in it.
    fn color(
        &self,
        arrival: &Arrival,
        rank: u32,
        rank_in: &BTreeMap<u32, u32>,
    ) -> Result<Option<(Color, Key)>, Problem> {
        let one = |key: u32| Ok(Some((Color::One, Key(key.into(), rank))));
        match &arrival.creation {
            Creation::Nothing => Ok(None),
            Creation::Duplicate => one(rank),
            Creation::First { count } => {
                if rank < *count {
                    one(rank)
                } else {
                    Ok(None)
                }
            }
            Creation::Split { color, key } => Ok(color.map(|color| (Color::Split(color), Key(*key, rank)))),
            Creation::SubGrid { dimensions, remains } => {
                let mut rest = rank;
                let coordinates = dimensions.iter().rev().map(|&size| {
                    let coordinate = rest % size.max(1);
                    rest /= size.max(1);
                    coordinate
                });
                let coordinates: Vec<u32> = coordinates.collect();
                let kept = coordinates.iter().rev().zip(remains);
                let color = kept.map(|(&coordinate, &remains)| if remains { u32::MAX } else { coordinate });
                Ok(Some((Color::Grid(color.collect()), Key(rank.into(), rank))))
            }
            Creation::Subset { of, ranks } => {
                let of = self.walks[arrival.rank as usize].bound[*of as usize];
                let known = of.map(|of| self.walks[arrival.rank as usize].communicators[of]);
                let Some(Known::Member { group, .. }) = known else {
                    return Err(problem(
                        "a group of ranks of a communicator that is not known",
                        "one that exists",
                    ));
                };
                let base = &self.groups[group].members;
                let ranks = ranks.clone().unwrap_or_else(|| (0..base.len() as u32).collect());
                let places: Option<Vec<u32>> =
                    ranks.iter().map(|&member| rank_in.get(base.get(member as usize)?).copied()).collect();
                let Some(places) = places else {
                    return Err(problem(
                        "a group with a rank that is none of the communicator",
                        "ranks of it",
                    ));
                };
                let key = places.iter().position(|&place| place == rank);
                Ok(key.map(|key| (Color::Listed(places), Key(key as i64, rank))))
            }
            Creation::ByUse => {
                Ok(arrival.claim.map(|(key, size)| (Color::Claimed(size), Key(key.into(), rank))))
            }
        }
    }

    fn free(&mut self, rank: usize, event: usize, freed: Freed) -> Result<(), Stop> {
        let number = match freed {
            Freed::Handle(handle) => self.number(rank, handle)?,
            Freed::Made(made) => self.walks[rank].made[&made],
        };
        let walk = &mut self.walks[rank];
        match walk.communicators[number] {
            Known::Pending => return Err(Stop::Unknown),
            Known::Member { .. } if number > 0 => {
                let Call::FreeCommunicator { communicator } = &mut walk.recorder.events[event].call else {
                    unreachable!("it is the call that frees it")
                };
                *communicator = number as u32;
            }
            Known::Member { .. } | Known::Not | Known::Freed => walk.dropped.push(event),
        }
        if number > 0 {
            walk.communicators[number] = match walk.communicators[number] {
                Known::Member { group, collectives, .. } => {
                    self.groups[group].check_end(rank as u32, collectives)?;
                    Known::Freed
                }
                known @ (Known::Pending | Known::Not | Known::Freed) => known,
            };
            walk.bound.iter_mut().filter(|bound| **bound == Some(number)).for_each(|bound| *bound = None);
            walk.unbound.retain(|&unbound| unbound != number);
        }
        Ok(())
    }

    /// Checks that all ranks have called the same number of collectives.
    fn check_ends(&self) -> Result<(), TraceError> {
        for (rank, walk) in (0..).zip(&self.walks) {
            for known in &walk.communicators {
                if let Known::Member { group, collectives, .. } = *known {
                    self.groups[group]
                        .check_end(rank, collectives)
                        .map_err(|problem| problem.at(&walk.recorder.file, None))?;
                }
            }
        }
        Ok(())
    }
}

impl Group {
    /// Checks that a rank that has called `collectives` collectives has called all.
    fn check_end(&self, rank: u32, collectives: usize) -> Result<(), Problem> {
        match self.log.get(collectives) {
            Some((other, by)) => Err(difference(collectives, (None, rank), (Some(other), *by))),
            None => Ok(()),
        }
    }
}

/// The property that distinguishes new communicators of one call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Color {
    One,
    Split(i64),
    /// The coordinates that all ranks of the communicator have.
    Grid(Vec<u32>),
    /// The ranks of the communicator.
    Listed(Vec<u32>),
    /// The number of ranks, as they claim it.
    Claimed(u32),
}

/// The place of a rank in a new communicator: its key, and its rank in the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(i64, u32);

/// Checks that ranks that claim their places are all of them, once.
fn check_members(color: &Color, members: &[(Key, usize)]) -> Result<(), Problem> {
    let (is_complete, size) = match color {
        Color::Claimed(size) => (members.len() == *size as usize, *size),
        Color::Listed(ranks) => (members.len() == ranks.len(), ranks.len() as u32),
        Color::One | Color::Split(_) | Color::Grid(_) => return Ok(()),
    };
    if is_complete && (0..).zip(members).all(|(rank, (Key(key, _), _))| *key == rank) {
        return Ok(());
    }
    Err(problem(
        format!(
            "a new communicator of {size} ranks, whose members differ from rank to rank, or do not all use it"
        ),
        "a communicator that all members use, or one made by MPI_Comm_split or MPI_Comm_dup",
    ))
}

/// Some of `size` ranks, in the shortest form.
fn members_of(ranks: &[u32], size: u32) -> Members {
    let stride = match ranks {
        [first, second, ..] => second.saturating_sub(*first),
        _ => 1,
    };
    let first = ranks.first().copied().unwrap_or(0);
    let is_regular = stride > 0
        && (0..).zip(ranks).all(|(n, &rank)| u64::from(rank) == u64::from(first) + n * u64::from(stride));
    match is_regular {
        true if first == 0 && stride == 1 && ranks.len() as u32 == size => Members::All,
        true => Members::Stride { first, stride, count: ranks.len() as u32 },
        false => Members::list(ranks.iter().copied()),
    }
}

/// The collectives that two ranks have called at one place.
fn difference(at: usize, (own, rank): (Option<&Entry>, u32), (other, by): (Option<&Entry>, u32)) -> Problem {
    let agree = match (own, other) {
        (Some(Entry::Collective(own, _)), Some(Entry::Collective(other, _))) => own.agrees_with(other),
        _ => false,
    };
    let name = |entry: Option<&Entry>| match entry {
        None => String::from("none"),
        Some(Entry::Creation) => String::from("a new communicator"),
        Some(Entry::Collective(collective, Some(operation))) if agree => {
            format!("{collective} by operation {operation}")
        }
        Some(Entry::Collective(collective, _)) => collective.to_string(),
    };
    problem(
        format!("collective call {} of rank {rank} is {}", at + 1, name(own)),
        format!("{}, as for rank {by}", name(other)),
    )
}
