//! A room: a place is a partition. Two partitions that share a midplane or a cable cannot run together.
//!
//! ```text
//!   conflicts  a row of bits for each partition       take:  one more blocker for each partition of the row
//!   free       partitions without blockers            find:  free & of the right size & allowed -> fewest blocked
//!   limits     time of a conflicting reservation      hold:  the partition whose last blocker ends first
//! ```
//!
//! Outages and advance reservations have rows of the same kind after those of the partitions: a failed midplane
//! conflicts with all partitions that use it, and so does a failed cable. Cables still pass through a failed midplane (assumed: link chips have their
//! own power supply).

use super::allocation::Allocation;
use super::{Freed, Machine, OUTAGE, Obstacle, Part, Request, Reservation, Running};
use crate::job::Job;
use crate::site::AdvanceReservations;
use crate::slowdown::Slowdown;
use fixedbitset::FixedBitSet;
use input::InputError;
use machine_room::{Catalogue, Partition};
use std::cell::OnceCell;
use std::ops::Range;

/// Which partitions a job may get if its size has tori and meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wirings {
    /// Any of them.
    Any,
    /// A mesh, unless it requires a torus: the hybrid scheme of paper 004, section 6.
    MeshUnlessRequired,
}

/// A room, its partitions, and the rules of their allocation.
#[derive(Clone, Debug)]
pub struct RoomParts {
    /// The room.
    pub room: machine_room::Room,
    /// The partitions of the room, with their conflicts.
    pub catalogue: Catalogue,
    /// Which free partition a job gets.
    pub allocation: Allocation,
    /// Which partitions a job may get.
    pub wirings: Wirings,
    /// The slowdown by open dimensions.
    pub slowdown: Slowdown,
}

/// A room with its running jobs and outages.
#[derive(Clone, Debug)]
pub struct Room {
    parts: RoomParts,
    /// For each partition, then for each outage, then for each advance reservation: the set of partitions that conflict
    /// with it, itself included.
    conflicts: Vec<FixedBitSet>,
    /// The failed part of each outage, in the order of the rows after the partitions.
    outages: Vec<Part>,
    /// The advance reservations that each class of access may not use.
    closed: Vec<Vec<Closed>>,
    sizes: Vec<Size>,
    /// For each partition, how many running jobs and outages conflict with it.
    blockers: Vec<u16>,
    free: FixedBitSet,
    /// For each midplane, how many jobs and outages hold it or a part of it.
    midplane_users: Vec<u16>,
    idle: u32,
    /// Nodes of a midplane, the smallest partition with slowdown.
    midplane_nodes: u32,
}

/// An advance reservation that some jobs may not use.
#[derive(Clone, Copy, Debug)]
struct Closed {
    from: i64,
    until: i64,
    /// The number of its row of conflicts.
    row: u32,
}

/// The partitions of a size.
#[derive(Clone, Debug)]
struct Size {
    nodes: u32,
    /// The words of a set that contain any of them; catalogues are sorted by size.
    words: Range<usize>,
    /// The candidates for a job that does not require a torus, and for one that does.
    candidates: [FixedBitSet; 2],
}

/// The partitions that a job may get: some words of their set, and the range of these words in the set.
struct Candidates<'a> {
    set: &'a [usize],
    words: Range<usize>,
}

impl Candidates<'_> {
    /// The candidates whose bit is set in `keep`, which gives a mask for the number of a word.
    fn members(&self, keep: impl Fn(usize) -> usize) -> impl Iterator<Item = u32> {
        let first = self.words.start as u32 * usize::BITS;
        let words = self.words.clone().zip(self.set);
        members(words.map(move |(word, set)| set & keep(word))).map(move |member| first + member)
    }

    /// Whether the bit of any candidate is set in `keep`.
    fn any(&self, keep: impl Fn(usize) -> usize) -> bool {
        self.words.clone().zip(self.set).any(|(word, set)| set & keep(word) != 0)
    }
}

/// For each partition, the earliest time of a reservation that conflicts with it; `limited` is the set of those with
/// one.
#[derive(Clone, Debug, Default)]
pub struct ReservationTimes {
    limits: Vec<i64>,
    limited: FixedBitSet,
}

/// An entry of a plan: place, start, end.
type Planned = (u32, i64, i64);

impl Room {
    /// An idle room; `outages` lists all parts that will ever fail.
    ///
    /// # Errors
    /// If a part that fails is not in the room.
    pub fn new(parts: RoomParts, outages: &[Part]) -> Result<Self, InputError> {
        let count = parts.catalogue.partitions().len();
        let mut conflicts: Vec<FixedBitSet> =
            (0..count).map(|index| parts.catalogue.conflicts(index).clone()).collect();
        for part in outages {
            conflicts.push(users(&parts, part)?);
        }
        let mut free = FixedBitSet::with_capacity(count);
        free.insert_range(..);
        Ok(Room {
            sizes: sizes(&parts),
            blockers: vec![0; count],
            midplane_users: vec![0; parts.room.midplanes().len()],
            idle: parts.room.nodes(),
            midplane_nodes: parts.room.nodes_of_midplane(),
            outages: outages.to_vec(),
            closed: vec![vec![]],
            conflicts,
            free,
            parts,
        })
    }

    /// The room with advance reservations.
    ///
    /// # Errors
    /// If a reserved part is not in the room.
    pub fn with_reservations(mut self, reservations: &AdvanceReservations) -> Result<Self, InputError> {
        let first = self.conflicts.len();
        for (index, reservation) in reservations.list.iter().enumerate() {
            let key = format!("machine.reservations[{index}]");
            self.conflicts.push(reserved(&self.parts, &reservation.part, &key)?);
        }
        let closed = |index: &usize| {
            let reservation = &reservations.list[*index];
            Closed { from: reservation.from, until: reservation.until, row: (first + index) as u32 }
        };
        self.closed =
            reservations.closed.iter().map(|indices| indices.iter().map(closed).collect()).collect();
        Ok(self)
    }

    /// The partition of a place; `None` for an outage.
    pub fn partition(&self, place: u32) -> Option<&Partition> {
        self.parts.catalogue.partitions().get(place as usize)
    }

    /// The room itself.
    pub fn room(&self) -> &machine_room::Room {
        &self.parts.room
    }

    /// The partitions.
    pub fn catalogue(&self) -> &Catalogue {
        &self.parts.catalogue
    }

    fn row(&self, place: u32) -> &FixedBitSet {
        &self.conflicts[place as usize]
    }

    /// The partitions of the smallest size that holds the job; `None` if the job is larger than the largest partition.
    fn candidates(&self, job: &Job) -> Option<Candidates<'_>> {
        let index = self.sizes.partition_point(|size| size.nodes < job.nodes);
        let size = self.sizes.get(index)?;
        let words = size.words.clone();
        Some(Candidates {
            set: &size.candidates[usize::from(job.requires_torus)].as_slice()[words.clone()],
            words,
        })
    }

    /// Marks the jobs that a partition of their size would slow down by more than a factor, in parts per million: they
    /// require a torus.
    pub fn require_tori(&self, jobs: &mut [Job], above: u64) {
        for job in jobs {
            job.requires_torus |= self.may_slow_down(job, above);
        }
    }

    fn may_slow_down(&self, job: &Job, above: u64) -> bool {
        let Some(places) = self.candidates(job) else { return false };
        places.members(|_| usize::MAX).any(|place| self.slowdown_at(job, place) > above)
    }

    /// The factor on the run time of a job at a place, in parts per million.
    fn slowdown_at(&self, job: &Job, place: u32) -> u64 {
        let partition = &self.parts.catalogue.partitions()[place as usize];
        // Partitions smaller than a midplane are always meshes (paper 004, section 2): the log's run times include
        // that.
        let is_slow = partition.has_open_dimension() && partition.nodes() >= self.midplane_nodes;
        if is_slow { self.parts.slowdown.parts_per_million(job, partition) } else { Slowdown::ONE }
    }

    /// The advance reservations that a job may not use, and that do not end before a time.
    fn closed_to(&self, job: &Job, time: i64) -> impl Iterator<Item = &Closed> {
        self.closed[usize::from(job.access)].iter().filter(move |closed| closed.until > time)
    }

    /// Whether a job that starts at a place at a time would reach into an advance reservation that it may not use: the
    /// latest end of those.
    fn closed_until(&self, job: &Job, place: u32, time: i64) -> Option<i64> {
        if self.closed[usize::from(job.access)].is_empty() {
            return None;
        }
        let end = time.saturating_add(self.walltime_at(job, place));
        let meets = |closed: &&Closed| closed.from < end && self.row(closed.row).contains(place as usize);
        self.closed_to(job, time).filter(meets).map(|closed| closed.until).max()
    }

    fn choose(&self, candidates: impl Iterator<Item = u32>) -> Option<u32> {
        let free = OnceCell::new();
        let blocked = |place: u32| self.blocked_by(place, free.get_or_init(|| self.free_words()));
        self.parts.allocation.choose(candidates, blocked)
    }

    /// The nonzero words of the set of free partitions; few on a busy machine.
    fn free_words(&self) -> Vec<(usize, usize)> {
        self.free.as_slice().iter().copied().enumerate().filter(|(_, word)| *word != 0).collect()
    }

    /// How many free partitions become blocked if this one is taken.
    fn blocked_by(&self, place: u32, free: &[(usize, usize)]) -> u32 {
        let row = self.row(place).as_slice();
        free.iter().map(|&(word, free)| (row[word] & free).count_ones()).sum()
    }

    /// Applies `change` to the number of users of each midplane of a place.
    fn use_midplanes(&mut self, place: u32, change: impl Fn(&mut u16)) {
        let Room { parts, midplane_users, outages, .. } = self;
        let partitions = parts.catalogue.partitions();
        match partitions.get(place as usize) {
            Some(partition) => partition.midplanes().ones().for_each(|at| change(&mut midplane_users[at])),
            None => {
                let failed = outages[place as usize - partitions.len()].failed_midplane();
                let at = failed.and_then(|name| parts.room.midplane(name));
                at.into_iter().for_each(|at| change(&mut midplane_users[at]));
            }
        }
    }
}

/// The set of partitions that use a part of the room.
fn users(parts: &RoomParts, part: &Part) -> Result<FixedBitSet, InputError> {
    let room = &parts.room;
    let needs: Box<dyn Fn(&Partition) -> bool> = match part {
        Part::Nodes(_) | Part::Midplanes(_) | Part::Partition(_) => {
            return Err(InputError::at(
                "machine.outages",
                "a room has midplanes and cables: name one of them",
            ));
        }
        Part::Midplane(name) => {
            let at = room.midplane(name).ok_or_else(|| no_midplane(room, name, "machine.outages"))?;
            Box::new(move |partition: &Partition| partition.midplanes().contains(at))
        }
        Part::Cable(name) => {
            let at = (0..room.cables().len()).find(|&at| room.cable_name(at) == *name).ok_or_else(|| {
                let example = if room.cables().is_empty() { String::new() } else { room.cable_name(0) };
                InputError::at(
                    "machine.outages",
                    format!("there is no cable {name:?}: a cable name has the form {example:?}"),
                )
            })?;
            Box::new(move |partition: &Partition| partition.cables().contains(at))
        }
    };
    Ok(set_of(parts.catalogue.partitions(), needs))
}

/// The set of partitions that cannot run while a part is reserved.
fn reserved(parts: &RoomParts, part: &Part, key: &str) -> Result<FixedBitSet, InputError> {
    let partitions = parts.catalogue.partitions();
    match part {
        Part::Midplanes(names) => {
            let mut set = FixedBitSet::with_capacity(partitions.len());
            for name in names {
                let users = users(parts, &Part::Midplane(name.clone()));
                set.union_with(&users.map_err(|_| no_midplane(&parts.room, name, key))?);
            }
            Ok(set)
        }
        Part::Partition(name) => {
            let index = parts.catalogue.find(name).ok_or_else(|| {
                let hint = nearest_few(name, partitions.iter().map(Partition::name));
                InputError::at(key, format!("there is no partition {name:?} in this profile; {hint}"))
            })?;
            Ok(parts.catalogue.conflicts(index).clone())
        }
        Part::Nodes(_) | Part::Midplane(_) | Part::Cable(_) => {
            Err(InputError::at(key, "in a room, midplanes or a partition can be reserved"))
        }
    }
}

fn no_midplane(room: &machine_room::Room, name: &str, key: &str) -> InputError {
    let names = room.midplanes().iter().map(String::as_str);
    InputError::at(key, format!("there is no midplane {name:?}; {}", nearest_few(name, names)))
}

fn nearest_few<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let text = input::nearest(name, known);
    text.split_once(", ").map_or(text.clone(), |(first, _)| format!("{first}, …"))
}

/// The set of partitions that meet a condition.
fn set_of(partitions: &[Partition], meets: impl Fn(&Partition) -> bool) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(partitions.len());
    set.extend((0..partitions.len()).filter(|&index| meets(&partitions[index])));
    set
}

fn sizes(parts: &RoomParts) -> Vec<Size> {
    let partitions = parts.catalogue.partitions();
    let size = |nodes: u32| {
        let all = set_of(partitions, |partition| partition.nodes() == nodes);
        let of_kind = |open: bool| {
            let is_one =
                |partition: &Partition| partition.nodes() == nodes && partition.has_open_dimension() == open;
            let set = set_of(partitions, is_one);
            if set.is_clear() { all.clone() } else { set }
        };
        let usual = match parts.wirings {
            Wirings::Any => all.clone(),
            Wirings::MeshUnlessRequired => of_kind(true),
        };
        let word_of = |member: Option<usize>| member.unwrap_or(0) / usize::BITS as usize;
        let words = word_of(all.minimum())..word_of(all.maximum()) + 1;
        Size { nodes, words, candidates: [usual, of_kind(false)] }
    };
    parts.catalogue.sizes().into_iter().map(size).collect()
}

/// The members of some words of a set in ascending order.
fn members(set: impl Iterator<Item = usize>) -> impl Iterator<Item = u32> {
    set.enumerate().flat_map(|(index, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros();
            let is_left = word != 0;
            word &= word.wrapping_sub(1);
            is_left.then_some(index as u32 * usize::BITS + bit)
        })
    })
}

impl Machine for Room {
    type Place = u32;
    type Reservations = ReservationTimes;
    type Plan = Vec<Planned>;

    fn nodes(&self) -> u32 {
        self.parts.room.nodes()
    }

    fn idle_nodes(&self) -> u32 {
        self.idle
    }

    fn nodes_of(&self, place: u32) -> u32 {
        let partitions = self.parts.catalogue.partitions();
        match partitions.get(place as usize) {
            Some(partition) => partition.nodes(),
            None => {
                let failed = self.outages[place as usize - partitions.len()].failed_midplane();
                failed.map_or(0, |_| self.midplane_nodes)
            }
        }
    }

    fn granted(&self, job: &Job) -> Option<u32> {
        let index = self.sizes.partition_point(|size| size.nodes < job.nodes);
        self.sizes.get(index).map(|size| size.nodes)
    }

    fn run_at(&self, job: &Job, place: u32) -> i64 {
        Slowdown::stretch(job.run, self.slowdown_at(job, place))
    }

    fn walltime_at(&self, job: &Job, place: u32) -> i64 {
        Slowdown::stretch(job.walltime, self.slowdown_at(job, place))
    }

    fn find(&self, request: Request<'_>, held: &ReservationTimes) -> Option<u32> {
        let candidates = self.candidates(request.job)?;
        if self.closed_to(request.job, request.now).next().is_some() {
            return self.find_outside_reservations(request, held);
        }
        // No free candidate conflicts with a reservation. Most jobs that cannot start return here, without a test of
        // single partitions.
        let (free, limited) = (self.free.as_slice(), held.limited.as_slice());
        if !candidates.any(|word| free[word] & limited[word]) {
            return self.choose(candidates.members(|word| free[word]));
        }
        self.choose(candidates.members(|word| free[word]).filter(|&place| {
            let limit = held.limits[place as usize];
            limit == i64::MAX || request.now + self.walltime_at(request.job, place) <= limit
        }))
    }

    fn find_unreserved(&self, request: Request<'_>, held: &ReservationTimes) -> Option<u32> {
        let candidates = self.candidates(request.job)?;
        let (free, limited) = (self.free.as_slice(), held.limited.as_slice());
        let free = candidates.members(|word| free[word] & !limited[word]);
        self.choose(free.filter(|&place| self.closed_until(request.job, place, request.now).is_none()))
    }

    fn take(&mut self, place: u32) {
        let row = &self.conflicts[place as usize];
        self.free.difference_with(row);
        row.ones().for_each(|index| self.blockers[index] += 1);
        self.idle -= self.nodes_of(place);
        self.use_midplanes(place, |users| *users += 1);
    }

    fn release(&mut self, place: u32) {
        for index in self.conflicts[place as usize].ones() {
            self.blockers[index] -= 1;
            if self.blockers[index] == 0 {
                self.free.insert(index);
            }
        }
        self.idle += self.nodes_of(place);
        self.use_midplanes(place, |users| *users -= 1);
    }

    fn clear_reservations(&self, held: &mut ReservationTimes) {
        held.limits.clear();
        held.limits.resize(self.blockers.len(), i64::MAX);
        held.limited.clear();
        held.limited.grow(self.blockers.len());
    }

    /// Reserves the partition that becomes free first, of those without a conflicting reservation; ties go to the first
    /// in the catalogue.
    fn hold(
        &self,
        request: Request<'_>,
        running: &[Running<u32>],
        held: &mut ReservationTimes,
    ) -> Option<i64> {
        if self.closed_to(request.job, request.now).next().is_some() {
            return self.hold_outside_reservations(request, running, held);
        }
        let Candidates { set, words } = self.candidates(request.job)?;
        let limited = &held.limited.as_slice()[words.clone()];
        let mut left: Vec<usize> = set.iter().zip(limited).map(|(all, limited)| all & !limited).collect();
        let first_of = |set: &mut dyn Iterator<Item = usize>| {
            members(set).next().map(|member| words.start as u32 * usize::BITS + member)
        };
        let mut best: Option<(i64, u32)> = None;
        let mut is_any_left = left.iter().any(|word| *word != 0);
        for blocker in running.iter().rev() {
            if !is_any_left {
                break;
            }
            let row = &self.row(blocker.place).as_slice()[words.clone()];
            let Some(first) = first_of(&mut left.iter().zip(row).map(|(left, row)| left & row)) else {
                continue;
            };
            left.iter_mut().zip(row).for_each(|(left, row)| *left &= !row);
            is_any_left = left.iter().any(|word| *word != 0);
            let end = blocker.end_seen_from(request.now);
            best = match best {
                Some((time, place)) if time == end => Some((time, place.min(first))),
                _ => Some((end, first)),
            };
        }
        let (time, place) = match first_of(&mut left.into_iter()) {
            Some(free) => (request.now, free),
            None => best.filter(|&(time, _)| time < i64::MAX)?,
        };
        self.limit(place, time, held);
        Some(time)
    }

    fn drain_first(&self, request: Request<'_>, running: &[Running<u32>], held: &mut ReservationTimes) {
        let Some(candidates) = self.candidates(request.job) else { return };
        let outages = || running.iter().filter(|held| held.job == OUTAGE);
        let works = |place: &u32| {
            !outages().any(|outage| self.row(outage.place).contains(*place as usize))
                && self.closed_until(request.job, *place, request.now).is_none()
        };
        if let Some(place) = candidates.members(|_| usize::MAX).find(works) {
            self.limit(place, request.now, held);
        }
    }

    fn plan(
        &self,
        running: &[Running<u32>],
        reservations: &[Reservation<u32>],
        now: i64,
    ) -> Option<Vec<Planned>> {
        // Reservations do not conflict with each other, nor with jobs that end by their requests.
        let is_unexpected = |held: &&Running<u32>| held.job == OUTAGE || held.expected_end <= now;
        let unexpected: Vec<&Running<u32>> = running.iter().filter(is_unexpected).collect();
        let holds = |it: &Reservation<u32>| {
            let row = self.row(it.place);
            let is_free = |held: &&Running<u32>| {
                it.from >= held.end_seen_from(now) || !self.conflicts_with(row, it.place, held.place)
            };
            it.from >= now && unexpected.iter().all(is_free)
        };
        if !reservations.iter().all(holds) {
            return None;
        }
        let held = running.iter().map(|held| (held.place, i64::MIN, held.end_seen_from(now)));
        let mut plan: Vec<Planned> = held.chain(reservations.iter().map(planned)).collect();
        plan[running.len()..].sort_unstable_by_key(|entry| entry.1);
        Some(plan)
    }

    fn earliest(&self, plan: &Vec<Planned>, request: Request<'_>) -> Option<(i64, u32)> {
        let candidates = self.candidates(request.job)?;
        let best = (i64::MAX, u32::MAX);
        self.first_gap(plan, request, candidates.members(|_| usize::MAX), best)
    }

    /// Only places that conflict with a freed one can have become free earlier than before.
    fn earlier(
        &self,
        plan: &mut Vec<Planned>,
        request: Request<'_>,
        own: &Reservation<u32>,
        freed: &[Freed<u32>],
    ) -> Option<(i64, u32)> {
        let candidates = self.candidates(request.job)?;
        let rows: Vec<&[usize]> = freed
            .iter()
            .filter(|freed| freed.until > request.now)
            .map(|freed| self.row(freed.place).as_slice())
            .collect();
        let is_freed = |word: usize| rows.iter().fold(0, |union, row| union | row[word]);
        if !candidates.any(is_freed) {
            return None;
        }
        let index = plan.iter().position(|entry| *entry == planned(own)).expect("a reservation is planned");
        let entry = plan.remove(index);
        let found = self.first_gap(plan, request, candidates.members(is_freed), (own.from, own.place));
        plan.insert(index, entry);
        found
    }

    fn enter(&self, plan: &mut Vec<Planned>, reservation: &Reservation<u32>) {
        let index = plan.partition_point(|entry| entry.1 <= reservation.from);
        plan.insert(index, planned(reservation));
    }

    fn remove(&self, plan: &mut Vec<Planned>, reservation: &Reservation<u32>) {
        let index = plan.iter().position(|entry| *entry == planned(reservation));
        plan.remove(index.expect("a reservation is planned"));
    }

    fn obstacle(&self, request: Request<'_>) -> Obstacle {
        let Some(candidates) = self.candidates(request.job) else { return Obstacle::Nodes };
        if candidates.any(|word| self.free.as_slice()[word]) {
            return Obstacle::Reservation;
        }
        let has_idle_nodes = |place: u32| {
            let partition = &self.parts.catalogue.partitions()[place as usize];
            partition.cards().is_none()
                && partition.midplanes().ones().all(|midplane| self.midplane_users[midplane] == 0)
        };
        let lacks_only_cables = candidates.members(|_| usize::MAX).any(has_idle_nodes);
        if lacks_only_cables { Obstacle::Cables } else { Obstacle::Nodes }
    }

    fn outage(&self, part: &Part, _until: i64, running: &[Running<u32>]) -> (u32, Vec<usize>) {
        let index = self.outages.iter().position(|known| known == part).unwrap_or_default();
        let place = (self.blockers.len() + index) as u32;
        let row = self.row(place);
        let is_hit = |held: &Running<u32>| held.job != OUTAGE && row.contains(held.place as usize);
        (place, (0..running.len()).filter(|&index| is_hit(&running[index])).collect())
    }

    /// Checks the midplanes, node cards and cables of each partition, not the conflicts that were derived from them.
    fn check(&self, running: &[Running<u32>]) {
        let mut cards = vec![0u32; self.midplane_users.len()];
        let mut cables = vec![false; self.parts.room.cables().len()];
        for partition in running.iter().filter_map(|held| self.partition(held.place)) {
            let own = partition.cards().map_or(u32::MAX, |range| ((1 << range.count) - 1) << range.first);
            for midplane in partition.midplanes().ones() {
                assert_eq!(cards[midplane] & own, 0, "{} shares a midplane", partition.name());
                cards[midplane] |= own;
            }
            for cable in partition.cables().ones() {
                assert!(!std::mem::replace(&mut cables[cable], true), "{} shares a cable", partition.name());
            }
        }
    }
}

impl Room {
    /// The earliest start of a job at one of some places, and the place, if that is before `best`.
    fn first_gap(
        &self,
        plan: &[Planned],
        request: Request<'_>,
        places: impl Iterator<Item = u32>,
        best: (i64, u32),
    ) -> Option<(i64, u32)> {
        let mut found = best;
        for place in places {
            let mut from = request.now;
            // One call, so that it is inlined: most of the time of conservative backfilling passes in there.
            let start = loop {
                let start = self.gap(plan, request, place, from, found);
                match self.closed_until(request.job, place, start) {
                    Some(until) if (start, place) < found => from = until,
                    _ => break start,
                }
            };
            found = found.min((start, place));
        }
        (found < best && found.0 < i64::MAX).then_some(found)
    }

    /// The earliest gap of the plan at a place that holds a job, at `from` or later; any later time if it is not before
    /// `best`.
    #[inline]
    fn gap(&self, plan: &[Planned], request: Request<'_>, place: u32, from: i64, best: (i64, u32)) -> i64 {
        let walltime = self.walltime_at(request.job, place);
        let row = self.row(place);
        let mut start = from;
        for &(other, from, until) in plan {
            // The entries are in order of their starts, so that all later ones leave this gap too.
            if from.saturating_sub(start) >= walltime || (start, place) >= best {
                break;
            }
            if until > start && self.conflicts_with(row, place, other) {
                start = until;
            }
        }
        start
    }

    /// Finds a place like `find`, for a job that may not use all advance reservations.
    fn find_outside_reservations(&self, request: Request<'_>, held: &ReservationTimes) -> Option<u32> {
        let candidates = self.candidates(request.job)?;
        let free = candidates.members(|word| self.free.as_slice()[word]);
        self.choose(free.filter(|&place| {
            let limit = held.limits[place as usize];
            (limit == i64::MAX || request.now + self.walltime_at(request.job, place) <= limit)
                && self.closed_until(request.job, place, request.now).is_none()
        }))
    }

    /// Reserves a place like `hold`, for a job that may not use all advance reservations. Each place becomes free for
    /// it when the last blocker has ended and its requested time does not reach into one of them.
    fn hold_outside_reservations(
        &self,
        request: Request<'_>,
        running: &[Running<u32>],
        held: &mut ReservationTimes,
    ) -> Option<i64> {
        let candidates = self.candidates(request.job)?;
        let free_from = |place: u32| {
            let row = self.row(place);
            let blockers = running.iter().filter(|held| self.conflicts_with(row, place, held.place));
            let ends = blockers.map(|blocker| blocker.end_seen_from(request.now));
            let mut time = ends.max().unwrap_or(request.now);
            while time < i64::MAX
                && let Some(until) = self.closed_until(request.job, place, time)
            {
                time = until;
            }
            (time, place)
        };
        let best = candidates.members(|word| !held.limited.as_slice()[word]).map(free_from).min();
        let (time, place) = best.filter(|&(time, _)| time < i64::MAX)?;
        self.limit(place, time, held);
        Some(time)
    }

    /// Reserves a place, beginning at `time`.
    fn limit(&self, place: u32, time: i64, held: &mut ReservationTimes) {
        let row = self.row(place);
        row.ones().for_each(|other| held.limits[other] = time.min(held.limits[other]));
        held.limited.union_with(row);
    }

    /// Whether `place`, whose conflicts are `row`, conflicts with `other`, which may be an outage.
    #[inline]
    fn conflicts_with(&self, row: &FixedBitSet, place: u32, other: u32) -> bool {
        if (other as usize) < self.blockers.len() {
            row.contains(other as usize)
        } else {
            self.row(other).contains(place as usize)
        }
    }
}

fn planned(reservation: &Reservation<u32>) -> Planned {
    (reservation.place, reservation.from, reservation.until)
}
