//! Communicators: groups of ranks whose messages match no others.
//!
//! ```text
//!   ids in use at rank 0   1 1 0 1 0 ...   free: . . 2 . 4 5 ...  -+
//!   ids in use at rank 1   1 0 1 1 0 ...   free: . 1 . . 4 5 ...  -+-- allreduce, bitwise and:  4 5 ...  ->  id 4
//! ```
//!
//! The id of a communicator, its context, is agreed on by its members. Each contributes the ids that it does not
//! use, of 32, an allreduce finds the ids that are free at all members, and the lowest is taken. If none is left,
//! the next 32 follow (MPICH2's `MPIR_Get_contextid`, whose message of 2,048 ids has the same length). The next
//! agreement of the same ranks begins there ([`Search`]), as MPICH2's one message would show. No rank knows the
//! communicators of another.
//!
//! Where communicators can have class routes, the agreements of all ranks decide on these in the same way, in the upper
//! bits. Of several communicators that a call makes, each takes the free class that is next in their order. Other
//! agreements give none (assumed): nodes without a member have to act too, and only such a call reaches all of them.

use crate::collectives::Grid;
use crate::collectives::schedule::Group;
use crate::lengths::list;
use base::memory::OnDemand;
use messaging::RouteName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The communicator of all ranks.
pub const WORLD: u32 = 0;

/// Bytes of the agreement's messages: MPICH2's mask of 2,048 ids.
pub(crate) const AGREEMENT_BYTES: u64 = 256;

/// Ids, and classes, on which one reduction decides.
const IDS_AT_ONCE: u32 = u32::BITS;

/// More ids than communicators have on which ranks agree.
pub(crate) const MAX_IDS: u32 = 1 << 20;

/// The limit of the ids of communicators that exist without a call: envelopes have 28 bits for an id.
pub(crate) const MAX_DEFINED_IDS: u32 = 1 << 28;

/// Ranks of a communicator, in the order of their ranks in the communicator from which it is created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Members {
    /// All, in order.
    All,
    /// Every `stride`-th rank.
    Stride {
        /// The first rank.
        first: u32,
        /// The distance from each rank to the next; at least 1.
        stride: u32,
        /// The number of ranks.
        count: u32,
    },
    /// These ranks.
    List(#[serde(with = "list")] Arc<[u32]>),
}

impl Members {
    /// The given ranks, which must differ; ranks at equal distances take no memory.
    pub fn list(ranks: impl IntoIterator<Item = u32>) -> Self {
        let ranks: Arc<[u32]> = ranks.into_iter().collect();
        let (first, second) = (ranks.first().copied(), ranks.get(1).copied());
        let stride = first.and_then(|first| second.unwrap_or(first + 1).checked_sub(first)).unwrap_or(0);
        let is_stride = |pair: &[u32]| pair[0].checked_add(stride) == Some(pair[1]);
        match first {
            Some(first) if stride > 0 && ranks.windows(2).all(is_stride) => {
                Members::Stride { first, stride, count: ranks.len() as u32 }
            }
            _ => Members::List(ranks),
        }
    }
}

impl Members {
    /// The members, as ranks of a communicator of `size` ranks.
    pub fn of(&self, size: u32) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Members::All => Box::new(0..size),
            Members::Stride { first, stride, count } => {
                Box::new((0..*count).map(move |n| first + n * stride))
            }
            Members::List(ranks) => Box::new(ranks.iter().copied()),
        }
    }
}

/// A communicator that exists from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The members, as ranks of the machine.
    pub members: Members,
    /// The class of its route, from 1; none if it has no route.
    pub class: Option<u8>,
}

impl From<Members> for Given {
    fn from(members: Members) -> Self {
        Given { members, class: None }
    }
}

/// The number of ids on which an agreement decides, in its lower bits, if `classes` communicators can have a class.
pub(crate) fn ids_at_once(classes: u32) -> u32 {
    IDS_AT_ONCE - classes
}

/// The lowest id that is free, and the class of the communicator that is number `order` of those that the agreement
/// makes, if enough classes are free.
pub(crate) fn agreed(first: u32, free: u32, classes: u32, order: u32) -> (u32, Option<u8>) {
    let id = first + free.trailing_zeros();
    let is_free = |class: &u8| free >> (ids_at_once(classes) + u32::from(*class) - 1) & 1 == 1;
    (id, (1..=classes as u8).filter(is_free).nth(order as usize))
}

/// The ranks of a communicator as ranks of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Map {
    Stride { first: u32, stride: u32, count: u32 },
    List(#[serde(with = "list")] Arc<[u32]>),
}

impl Map {
    fn size(&self) -> u32 {
        match self {
            Map::Stride { count, .. } => *count,
            Map::List(ranks) => ranks.len() as u32,
        }
    }

    fn place(&self, rank: u32) -> u32 {
        match self {
            Map::Stride { first, stride, .. } => first + rank * stride,
            Map::List(ranks) => ranks[rank as usize],
        }
    }

    /// The rank in the communicator of a rank of the machine, if it is a member.
    fn rank_of(&self, place: u32) -> Option<u32> {
        match self {
            Map::Stride { first, stride, count } => {
                let distance = place.checked_sub(*first)?;
                (distance.is_multiple_of(*stride) && distance / stride < *count).then(|| distance / stride)
            }
            Map::List(ranks) => ranks.iter().position(|&member| member == place).map(|rank| rank as u32),
        }
    }

    /// Whether the map leads to different ranks among `ranks` ranks.
    fn is_valid(&self, ranks: u32) -> bool {
        match self {
            Map::Stride { first, stride, count } => {
                let last = u64::from(*first) + u64::from(*stride) * u64::from(count.saturating_sub(1));
                *count > 0 && *stride > 0 && last < ranks.into()
            }
            Map::List(members) => {
                let mut sorted = members.to_vec();
                sorted.sort_unstable();
                !sorted.is_empty()
                    && sorted.last().is_some_and(|&last| last < ranks)
                    && sorted.windows(2).all(|pair| pair[0] < pair[1])
            }
        }
    }

    /// The map of some of the members.
    fn of(&self, members: &Members) -> Map {
        match (self, members) {
            (_, Members::All) => self.clone(),
            (Map::Stride { first, stride, .. }, Members::Stride { first: from, stride: by, count }) => {
                // The distance from a single rank to the next means nothing, and may be out of range.
                let by = if *count > 1 { *by } else { 1 };
                Map::Stride { first: first + from * stride, stride: stride * by, count: *count }
            }
            (Map::Stride { first: 0, stride: 1, .. }, Members::List(ranks)) => Map::List(ranks.clone()),
            (_, Members::List(ranks)) => Map::List(ranks.iter().map(|&rank| self.place(rank)).collect()),
            (_, Members::Stride { first, stride, count }) => {
                Map::List((0..*count).map(|rank| self.place(first + rank * stride)).collect())
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Map::Stride { .. } => 0,
            Map::List(ranks) => size_of_val(&ranks[..]),
        }
    }
}

/// A communicator, as a member sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Communicator {
    /// The id of the communicator.
    id: u32,
    /// The class route of its ranks, if they have one.
    route: Option<RouteName>,
    map: Map,
    rank: u32,
    /// Collectives called on it so far.
    collectives: u32,
    /// Collectives in progress.
    in_progress: u32,
    /// Whether the communicator is removed when the last of them has ended.
    is_freed: bool,
    search: Search,
    /// The grid that listed members form, once it has been looked for.
    #[serde(skip)]
    grid: OnceLock<Option<Box<Grid>>>,
}

impl Communicator {
    fn new(id: u32, route: Option<RouteName>, map: Map, rank: u32) -> Self {
        let (search, grid) = (Search::default(), OnceLock::new());
        Communicator { id, route, map, rank, collectives: 0, in_progress: 0, is_freed: false, search, grid }
    }
}

/// The id at which the ranks of a communicator begin to look for a free one. It follows from what they have agreed
/// on before, and is equal at all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Search {
    /// The first of the ids from which the last agreement took one.
    first: u32,
    /// Agreements since one that looked at all ids.
    agreements: u32,
}

impl Search {
    /// The first ids in question: those among which the last free one was. All ids are searched again after as many
    /// agreements as there are ids before these, as some may have been freed. So an agreement looks at few ids,
    /// regardless of how many are in use.
    fn begin(&mut self) -> u32 {
        let looks_at_all = self.agreements >= self.first;
        self.agreements = if looks_at_all { 0 } else { self.agreements + 1 };
        if looks_at_all { 0 } else { self.first }
    }
}

/// The communicators of a rank, by the numbers that its program has given them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Communicators {
    world: Option<Communicator>,
    others: OnDemand<BTreeMap<u32, Communicator>>,
}

impl Communicators {
    /// The communicator of all ranks, and others with numbers and ids from 1.
    pub fn new(rank: u32, size: u32, others: &[Given]) -> Self {
        let map = Map::Stride { first: 0, stride: 1, count: size };
        let world = Some(Communicator::new(0, Some(RouteName::WORLD), map, rank));
        let mut communicators = Communicators { world, others: OnDemand::default() };
        for (number, Given { members, class }) in (WORLD + 1..).zip(others) {
            let route = class.and_then(|class| RouteName::of_class(class.into()));
            let group = communicators.create(WORLD, members, number, number, route);
            group.expect("a rank is in its communicators");
        }
        communicators
    }

    fn get(&self, number: u32) -> &Communicator {
        let found = if number == WORLD { self.world.as_ref() } else { self.others.get(&number) };
        found.unwrap_or_else(|| panic!("communicator {number} does not exist"))
    }

    fn get_mut(&mut self, number: u32) -> &mut Communicator {
        let found = if number == WORLD { self.world.as_mut() } else { self.others.get_mut(&number) };
        found.unwrap_or_else(|| panic!("communicator {number} does not exist"))
    }

    /// The rank in a communicator and its size.
    ///
    /// # Errors
    /// If the communicator does not exist, or has been freed.
    pub fn find(&self, number: u32) -> Result<Group, String> {
        let found = if number == WORLD { self.world.as_ref() } else { self.others.get(&number) };
        match found {
            None => Err(format!("comm = {number}: no communicator has this number")),
            Some(communicator) if communicator.is_freed => Err(format!("comm = {number}: it has been freed")),
            Some(Communicator { rank, map, .. }) => Ok(Group { rank: *rank, size: map.size() }),
        }
    }

    /// The ids of all communicators.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.world.iter().chain(self.others.values()).map(|communicator| communicator.id)
    }

    /// The id of a communicator.
    pub fn id(&self, number: u32) -> u32 {
        self.get(number).id
    }

    /// The class route of a communicator, if it has one.
    pub fn route(&self, number: u32) -> Option<RouteName> {
        self.get(number).route
    }

    /// The members of the communicator that has a class route, as ranks of the machine.
    pub fn members(&self, on: RouteName) -> Vec<u32> {
        let found = self.others.values().find(|communicator| communicator.route == Some(on));
        let map = &found.expect("a member knows its class route").map;
        (0..map.size()).map(|rank| map.place(rank)).collect()
    }

    /// The rank in the communicator, and its size.
    pub fn group(&self, number: u32) -> Group {
        let Communicator { rank, ref map, .. } = *self.get(number);
        Group { rank, size: map.size() }
    }

    /// The grid of the communicator's ranks, if they are a box of the grid of all ranks, in its order.
    pub fn grid(&self, number: u32, all: &Grid) -> Option<Grid> {
        let Communicator { map, grid, .. } = self.get(number);
        let part = |even| all.of_box(map.size(), even, |rank| map.place(rank));
        match map {
            Map::Stride { .. } => part(true),
            Map::List(_) => grid.get_or_init(|| part(false).map(Box::new)).as_deref().copied(),
        }
    }

    /// The rank of the machine that is `rank` in the communicator.
    pub fn place(&self, number: u32, rank: u32) -> u32 {
        let map = &self.get(number).map;
        assert!(rank < map.size(), "rank {rank} is none of the {} of communicator {number}", map.size());
        map.place(rank)
    }

    /// Collectives called on a communicator so far.
    pub fn collectives(&self, number: u32) -> u32 {
        self.get(number).collectives
    }

    /// Begins a collective; returns its number.
    pub fn begin_collective(&mut self, number: u32) -> u32 {
        let communicator = self.get_mut(number);
        assert!(!communicator.is_freed, "communicator {number} has been freed");
        let collective = communicator.collectives;
        communicator.collectives = collective.wrapping_add(1);
        communicator.in_progress += 1;
        collective
    }

    /// Ends a collective.
    pub fn end_collective(&mut self, number: u32) {
        self.get_mut(number).in_progress -= 1;
        self.remove_freed(number);
    }

    /// Frees a communicator once its collectives have ended.
    pub fn free(&mut self, number: u32) {
        assert_ne!(number, WORLD, "the communicator of all ranks cannot be freed");
        self.get_mut(number).is_freed = true;
        self.remove_freed(number);
    }

    fn remove_freed(&mut self, number: u32) {
        if self.others.get(&number).is_some_and(|freed| freed.is_freed && freed.in_progress == 0) {
            self.others.remove(&number);
        }
    }

    /// The first of the ids among which the ranks of a communicator agree on one; all of them call it.
    pub fn begin_agreement(&mut self, number: u32) -> u32 {
        self.get_mut(number).search.begin()
    }

    /// Records that the ranks have agreed on one of the ids from `first`.
    pub fn agree(&mut self, number: u32, first: u32) {
        self.get_mut(number).search.first = first;
    }

    /// The proposal of this rank in an agreement of the ranks of communicator `number`, as bits: the ids from `first` that
    /// it does not use, and above them the classes, of `classes`, in which it has no route. Ids in `used` have messages
    /// to receive, and count as used, too.
    pub fn free_names(&self, number: u32, classes: u32, first: u32, used: impl Iterator<Item = u32>) -> u32 {
        let ids = ids_at_once(classes);
        let used_ids = self.ids().chain(used).filter_map(|id| id.checked_sub(first)).filter(|&id| id < ids);
        let routes = self.others.values().filter_map(|communicator| communicator.route);
        let used_classes = routes.map(|route| ids + u32::from(route.class()) - 1);
        let proposed = if self.gives_routes(number) { u32::MAX } else { u32::MAX >> classes };
        used_ids.chain(used_classes).fold(proposed, |free, bit| free & !1_u32.checked_shl(bit).unwrap_or(0))
    }

    /// Whether communicators that the ranks of communicator `number` make can have class routes.
    pub fn gives_routes(&self, number: u32) -> bool {
        self.group(number).size == self.group(WORLD).size
    }

    /// Creates a communicator of members of another. Returns the rank in it and its size, if this rank is a member. A
    /// single rank needs no route.
    pub fn create(
        &mut self,
        parent: u32,
        members: &Members,
        number: u32,
        id: u32,
        route: Option<RouteName>,
    ) -> Option<Group> {
        let of = self.get(parent);
        let map = of.map.of(members);
        let rank = map.rank_of(of.map.place(of.rank))?;
        let group = Group { rank, size: map.size() };
        let route = route.filter(|_| group.size > 1);
        self.others.insert(number, Communicator::new(id, route, map, rank));
        Some(group)
    }

    /// The fault of a new communicator, if any.
    pub fn fault(&self, parent: u32, members: Option<&Members>, number: u32) -> Option<String> {
        if number == WORLD || self.others.contains_key(&number) {
            return Some(format!("communicator {number} exists"));
        }
        let (members, Group { rank, size }) = (members?, self.group(parent));
        let whole = Map::Stride { first: 0, stride: 1, count: size };
        if !is_within(members, size) || !whole.of(members).is_valid(size) {
            return Some(format!("the members are not different ranks of {size}"));
        }
        whole.of(members).rank_of(rank).is_none().then(|| format!("rank {rank} is none of the members"))
    }

    /// Bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        let of_other = |other: &Communicator| {
            let grid = other.grid.get().map_or(0, |grid| grid.as_deref().map_or(0, size_of_val));
            size_of::<(u32, Communicator)>() + other.map.bytes() + grid
        };
        self.others.bytes(|others| others.values().map(of_other).sum())
    }
}

/// Whether members can be examined without overflow.
fn is_within(members: &Members, size: u32) -> bool {
    match members {
        Members::All => true,
        Members::Stride { first, stride, count } => {
            let last = u64::from(*first) + u64::from(*stride) * u64::from(count.saturating_sub(1));
            last < size.into()
        }
        Members::List(ranks) => ranks.iter().all(|&rank| rank < size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_members_are_ranks_of_the_machine() {
        let mut communicators = Communicators::new(5, 12, &[]);
        let odd = Members::Stride { first: 1, stride: 2, count: 6 };
        assert_eq!(communicators.create(WORLD, &odd, 1, 7, None), Some(Group { rank: 2, size: 6 }));
        let upper = Members::Stride { first: 2, stride: 1, count: 3 };
        assert_eq!(communicators.create(1, &upper, 2, 8, None), Some(Group { rank: 0, size: 3 }));
        assert_eq!([0, 1, 2].map(|rank| communicators.place(2, rank)), [5, 7, 9]);
        let reversed = Members::list([4, 3, 2]);
        assert_eq!(communicators.create(1, &reversed, 3, 9, None), Some(Group { rank: 2, size: 3 }));
        assert_eq!([0, 1, 2].map(|rank| communicators.place(3, rank)), [9, 7, 5]);
        assert_eq!(communicators.create(1, &Members::list([0, 1]), 4, 9, None), None);
        let free = |number, classes| communicators.free_names(number, classes, 0, std::iter::once(2));
        assert_eq!(free(WORLD, 0), !(1 | 1 << 2 | 0b111 << 7));
        assert_eq!(free(WORLD, 4), free(WORLD, 0), "no class has a route");
        assert_eq!(free(1, 4), free(WORLD, 0) & u32::MAX >> 4, "not all ranks take part");
    }

    #[test]
    fn members_that_are_no_different_ranks_are_refused() {
        let communicators = Communicators::new(0, 4, &[]);
        let fault = |members: Members| communicators.fault(WORLD, Some(&members), 1).is_some();
        assert!(!fault(Members::All) && !fault(Members::list([3, 0])));
        assert!(fault(Members::list([3, 1])), "this rank is none of them");
        assert!(fault(Members::list([0, 0])) && fault(Members::list([4])) && fault(Members::list([])));
        assert!(!fault(Members::Stride { first: 0, stride: 3, count: 2 }));
        assert!(!fault(Members::Stride { first: 0, stride: u32::MAX, count: 1 }));
        assert!(fault(Members::Stride { first: 0, stride: 4, count: 2 }));
        assert!(fault(Members::Stride { first: 0, stride: 0, count: 2 }));
    }
}
