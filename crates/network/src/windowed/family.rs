//! The families of machines that are compiled in, and the types that make the common ones small.
//!
//! | family         | machines                                          | masks       | times   | notes of what comes |
//! |----------------|---------------------------------------------------|-------------|---------|---------------------|
//! | compact, plain | full-size packets, as the papers' studies use them | 32, 64 bits | 16 bits | lanes in the node   |
//! | compact, any   | up to 3 dimensions, 4 channels, ordinary latencies | 32, 64 bits | 16 bits | rows in the slab    |
//! | compact, optional | the same with what few machines have               | 32, 64 bits | 16 bits | rows in the slab    |
//! | wide           | up to 6 dimensions, 6 channels, any latency        | 128 bits    | 32 bits | rows in the slab    |

use super::dated::{Dated, FullDated, ShortDated};
use super::label::{Label, Sent};
use super::pending::{Lanes, Pending, Rows};
use super::queues::{ARRIVED_BIT, HINTS, Nexts, Queues, RIGID_BIT, Turn, Turned, Ways, wish};
use super::sets::{BitSet, Tick};
use super::vector::{Vectors, count_off};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Something for each place of a node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PerPlace<T: Copy + Serialize + DeserializeOwned, const N: usize>(
    #[serde(with = "BigArray")] [T; N],
);

impl<T: Copy + Serialize + DeserializeOwned, const N: usize> Index<usize> for PerPlace<T, N> {
    type Output = T;
    #[inline(always)]
    fn index(&self, place: usize) -> &T {
        &self.0[place]
    }
}

impl<T: Copy + Serialize + DeserializeOwned, const N: usize> IndexMut<usize> for PerPlace<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, place: usize) -> &mut T {
        &mut self.0[place]
    }
}

/// The queues of a node of a family.
pub type QueuesOf<F> = Queues<<F as Family>::Wishes, <F as Family>::Nexts, <F as Family>::Bytes>;

/// A family of machines: the types that its node states are made of.
pub trait Family: Copy + Default + Send + Sync + 'static {
    /// Waiting places of a node: channels of receivers, then injection FIFOs.
    type Places: BitSet;
    /// Event slots of a node.
    type Slots: BitSet;
    /// Event times.
    type Tick: Tick;
    /// A packet of the arrays.
    type Dated: Dated;
    /// What goes with a packet.
    type Label: Label;
    /// What is on its way to a node.
    type Pending: Pending<Self::Tick, Self::Places>;
    /// A byte for each place.
    type Bytes: Copy
        + Debug
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + Index<usize, Output = u8>
        + IndexMut<usize>;
    /// The kind of processor that it is compiled for.
    type Processor: Vectors;
    /// Whether the machine is known to be a plain one: packets all of full size and normal, generated, FIFOs infinite, no
    /// software, links all alike, the channels laid out all used.
    const IS_PLAIN: bool;
    /// Whether the machine may have what few have: dateline pairs, direction order, pacing, copies, links that make errors. It
    /// costs nothing where it has not.
    const HAS_OPTIONS: bool;
    /// What the heads that wait ask for, by place: their hint bits, or that they are at their destination; and whether
    /// they keep to the escape's order.
    type Wishes: Copy + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// What will be asked for next; only plain machines keep it.
    type Nexts: Nexts;

    /// A node's queues, empty.
    fn no_queues() -> QueuesOf<Self>;
    /// Lets happen what happens at once.
    fn turn(queues: &mut QueuesOf<Self>, turn: &Turn<Self::Places>) -> Turned<Self::Places>;
    /// The place of rank `rank` (from 0) in a set, ascending.
    fn nth(places: Self::Places, rank: u32) -> usize;
    /// Adds to the bytes of some places; of plain machines.
    fn add(bytes: &mut Self::Bytes, places: Self::Places, byte: u8);
    /// Of some places, those whose bytes are no less than others.
    fn at_least(places: Self::Places, bytes: &Self::Bytes, least: &Self::Bytes) -> Self::Places;
    /// A head waits at a place, if it `is_there`: otherwise nothing changes. Hint bits are none at the destination.
    fn wish_if(is_there: bool, wishes: &mut Self::Wishes, place: usize, hints: u32, is_rigid: bool);
    /// The head at a place no longer waits.
    fn unwish(wishes: &mut Self::Wishes, place: usize);
    /// The places whose heads have a port's hint bit and do not keep to dimension order, and those of which it is the
    /// first.
    fn wishing(wishes: &Self::Wishes, port: usize) -> (Self::Places, Self::Places);
    /// The places at which heads wait; of compact machines.
    fn waiting(wishes: &Self::Wishes) -> Self::Places;
    /// The hint bits of the head at a place, and whether it keeps to dimension order; of compact machines.
    fn wish_of(wishes: &Self::Wishes, place: usize) -> (u32, bool);
    /// The places whose heads are at their destination.
    fn arrived(wishes: &Self::Wishes) -> Self::Places;
    /// The ports that the heads of some places want, on a dynamic channel or as their escape; of plain machines.
    fn wanted_by_some(wishes: &Self::Wishes, places: Self::Places) -> u32;
    /// The places whose heads could leave in one of some ways, and those whose next heads could; of plain machines.
    fn having_ways(queues: &QueuesOf<Self>, ways: &Ways<'_, Self::Bytes>) -> (Self::Places, Self::Places);
    /// All hint bits of all places.
    fn all_hints(wishes: &Self::Wishes) -> u32;

    /// The slots whose time has come by `now`.
    fn due(times: &[Self::Tick], now: Self::Tick) -> Self::Slots;
    /// The earliest of the times that is later than `now`.
    fn next(times: &[Self::Tick], now: Self::Tick) -> Self::Tick;
    /// The earliest of the times of some slots.
    fn earliest(times: &[Self::Tick], slots: Self::Slots) -> Self::Tick;
    /// Of eight slots, those whose time is `now`; of plain machines.
    fn are_now(times: &[Self::Tick; 8], now: Self::Tick) -> u32;
    /// The channels of some ports, `V` of each; of plain machines.
    fn channels_of<const V: usize>(ports: u32) -> Self::Places;
    /// The slots of links, which come first.
    fn links(slots: Self::Slots) -> u32;
    /// The slots of as many as there are places.
    fn places(slots: Self::Slots) -> Self::Places;
    /// The same the other way round.
    fn slots_of_places(places: Self::Places) -> Self::Slots;
    /// The same the other way round.
    fn slots_of_links(links: u32) -> Self::Slots;
}

/// Up to three dimensions and four channels, Blue Gene/L and its like, on a kind of processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compact<T, X>(PhantomData<(T, X)>);

/// What is known of a compact machine.
pub trait Traits: Copy + Debug + Default + Send + Sync + 'static {
    /// See [`Family::Pending`].
    type Pending: Pending<i16, u32>;
    /// See [`Family::Nexts`].
    type Nexts: Nexts;
    /// See [`Family::Dated`].
    type Dated: Dated;
    /// See [`Family::Label`].
    type Label: Label;
    /// See [`Family::IS_PLAIN`].
    const IS_PLAIN: bool;
    /// See [`Family::HAS_OPTIONS`].
    const HAS_OPTIONS: bool;
}

/// A plain machine, with short records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// Any machine without options, with short records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any;

/// Any machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optional;

impl Traits for Plain {
    type Pending = Lanes;
    type Nexts = [u8; 32];
    type Dated = ShortDated;
    type Label = ();
    const IS_PLAIN: bool = true;
    const HAS_OPTIONS: bool = false;
}

impl Traits for Any {
    type Pending = Rows<6>;
    type Nexts = ();
    type Dated = ShortDated;
    type Label = u32;
    const IS_PLAIN: bool = false;
    const HAS_OPTIONS: bool = false;
}

impl Traits for Optional {
    type Pending = Rows<6>;
    type Nexts = ();
    type Dated = FullDated;
    type Label = Sent;
    const IS_PLAIN: bool = false;
    const HAS_OPTIONS: bool = true;
}

/// Everything else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide<X>(PhantomData<X>);

/// What the heads of a wide machine's node ask for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WideWishes {
    hints: PerPlace<u16, 80>,
    rigid: u128,
    arrived: u128,
}

/// For each set of up to six ports, their channels.
const fn channels_of_ports<const V: usize>() -> [u32; 64] {
    let mut channels = [0; 64];
    let mut ports = 1usize;
    while ports < 64 {
        let first = ports & ports.wrapping_neg();
        let mine = ((1 << V) - 1) << (V * first.trailing_zeros() as usize);
        channels[ports] = channels[ports - first] | mine;
        ports += 1;
    }
    channels
}

impl<T: Traits, X: Vectors> Family for Compact<T, X> {
    type Pending = T::Pending;
    type Bytes = PerPlace<u8, 32>;
    type Dated = T::Dated;
    type Label = T::Label;
    type Processor = X;
    const IS_PLAIN: bool = T::IS_PLAIN;
    const HAS_OPTIONS: bool = T::HAS_OPTIONS;
    type Places = u32;
    type Slots = u64;
    type Tick = i16;
    /// One byte for each place: what wants a port is found by a shift and one gathering of top bits.
    type Wishes = PerPlace<u8, 32>;
    type Nexts = T::Nexts;

    fn no_queues() -> QueuesOf<Self> {
        let none = PerPlace([0; 32]);
        Queues { wishes: none, nexts: T::Nexts::default(), waiting: none, occupied: none }
    }
    #[inline(always)]
    fn turn(queues: &mut QueuesOf<Self>, turn: &Turn<u32>) -> Turned<u32> {
        let Queues { wishes, nexts, waiting, occupied } = queues;
        let counts = X::add(X::load(&waiting.0), X::all_in(turn.come, 1));
        X::store(counts, &mut waiting.0);
        let are_waiting = !X::equal(counts, X::all(0));
        let first = turn.come & X::equal(counts, X::all(1)) & !turn.busy;
        let heads = (turn.left & are_waiting) | first;
        let bypass = first & turn.come_to_pass;
        let fullness = X::sub(X::load(&occupied.0), X::all_in(turn.released, turn.charge));
        let fullness = X::add(fullness, X::all_in(turn.come & !bypass, turn.charge));
        X::store(fullness, &mut occupied.0);
        let nexts = X::load(nexts.wishes().expect("plain machines keep what will be asked for"));
        let new = X::and(nexts, X::all_in(heads, u8::MAX));
        X::store(X::or(X::load(&wishes.0), new), &mut wishes.0);
        let is_coming = turn.left & !are_waiting & !X::equal(nexts, X::all(0));
        let hints = if turn.needs_hints { u32::from(X::any(new)) & HINTS } else { 0 };
        Turned { bypass, is_coming, hints }
    }
    #[inline(always)]
    fn nth(places: u32, rank: u32) -> usize {
        X::nth(places, rank)
    }
    #[inline(always)]
    fn add(bytes: &mut PerPlace<u8, 32>, places: u32, byte: u8) {
        X::store(X::add(X::load(&bytes.0), X::all_in(places, byte)), &mut bytes.0);
    }
    #[inline(always)]
    fn at_least(places: u32, bytes: &PerPlace<u8, 32>, least: &PerPlace<u8, 32>) -> u32 {
        places & X::at_least(X::load(&bytes.0), X::load(&least.0))
    }
    #[inline(always)]
    fn wish_if(is_there: bool, wishes: &mut PerPlace<u8, 32>, place: usize, hints: u32, is_rigid: bool) {
        wishes.0[place] |= wish(hints, is_rigid) & u8::from(is_there).wrapping_neg();
    }
    #[inline(always)]
    fn unwish(wishes: &mut PerPlace<u8, 32>, place: usize) {
        wishes.0[place] = 0;
    }
    #[inline(always)]
    fn wishing(wishes: &PerPlace<u8, 32>, port: usize) -> (u32, u32) {
        let wishes = X::load(&wishes.0);
        (X::having(wishes, port) & !X::having(wishes, RIGID_BIT), X::lowest_is(wishes, port))
    }
    #[inline(always)]
    fn waiting(wishes: &PerPlace<u8, 32>) -> u32 {
        !X::equal(X::load(&wishes.0), X::all(0))
    }
    #[inline(always)]
    fn wish_of(wishes: &PerPlace<u8, 32>, place: usize) -> (u32, bool) {
        let wish = u32::from(wishes.0[place % 32]);
        (wish & HINTS, wish >> RIGID_BIT & 1 == 1)
    }
    #[inline(always)]
    fn arrived(wishes: &PerPlace<u8, 32>) -> u32 {
        X::having(X::load(&wishes.0), ARRIVED_BIT)
    }
    #[inline(always)]
    fn wanted_by_some(wishes: &PerPlace<u8, 32>, places: u32) -> u32 {
        let bytes = X::load(&wishes.0);
        let rigid = X::having(bytes, RIGID_BIT) & places;
        let by_any = u32::from(X::any(X::and(bytes, X::all_in(places & !rigid, u8::MAX))));
        let first_of = |place: usize| u32::from(wishes.0[place] & wishes.0[place].wrapping_neg());
        (by_any | rigid.iter().fold(0, |ports, place| ports | first_of(place))) & HINTS
    }
    #[inline(always)]
    fn having_ways(queues: &QueuesOf<Self>, ways: &Ways<'_, PerPlace<u8, 32>>) -> (u32, u32) {
        let Queues { wishes, nexts, .. } = queues;
        let (shut, straight_on) = ways.straight_on;
        let straight_on = X::and(X::load(&straight_on.0), X::all(shut));
        let (any, escape) = (X::all(ways.any), X::or(X::all(ways.escape), straight_on));
        let having = |wishes: X::Bytes| {
            let lowest = X::and(wishes, X::sub(X::all(0), wishes)); // bit of each
            !X::equal(X::or(X::and(wishes, any), X::and(lowest, escape)), X::all(0))
        };
        let nexts = nexts.wishes().expect("plain machines keep what will be asked for");
        (having(X::load(&wishes.0)), having(X::load(nexts)))
    }
    #[inline(always)]
    fn all_hints(wishes: &PerPlace<u8, 32>) -> u32 {
        u32::from(X::any(X::load(&wishes.0))) & HINTS
    }
    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        X::due(times, now)
    }
    #[inline(always)]
    fn next(times: &[i16], now: i16) -> i16 {
        match times.try_into() {
            Ok(eight) => X::next_of_eight(eight, now),
            Err(_) => times.iter().copied().filter(|&at| at > now).min().unwrap_or(i16::MAX),
        }
    }
    #[inline(always)]
    fn earliest(times: &[i16], slots: u64) -> i16 {
        X::earliest(times, slots)
    }
    #[inline(always)]
    fn are_now(times: &[i16; 8], now: i16) -> u32 {
        X::are_now(times, now).into()
    }
    #[inline(always)]
    fn channels_of<const V: usize>(ports: u32) -> u32 {
        let channels = const { &channels_of_ports::<V>() };
        channels[ports as usize & 63]
    }
    #[inline(always)]
    fn links(slots: u64) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn places(slots: u64) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn slots_of_places(places: u32) -> u64 {
        places.into()
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> u64 {
        links.into()
    }
}

impl<X: Vectors> Family for Wide<X> {
    type Pending = Rows<12>;
    type Bytes = PerPlace<u8, 80>;
    type Dated = FullDated;
    type Label = Sent;
    type Processor = X;
    const IS_PLAIN: bool = false;
    const HAS_OPTIONS: bool = true;
    type Places = u128;
    type Slots = u128;
    type Tick = i32;
    type Wishes = WideWishes;
    type Nexts = ();

    fn no_queues() -> QueuesOf<Self> {
        let none = PerPlace([0; 80]);
        let wishes = WideWishes { hints: PerPlace([0; 80]), rigid: 0, arrived: 0 };
        Queues { wishes, nexts: (), waiting: none, occupied: none }
    }
    fn turn(_: &mut QueuesOf<Self>, _: &Turn<u128>) -> Turned<u128> {
        unreachable!("no wide machine is a plain one")
    }
    fn nth(places: u128, rank: u32) -> usize {
        count_off(places, rank)
    }
    fn add(_: &mut PerPlace<u8, 80>, _: u128, _: u8) {
        unreachable!("no wide machine is a plain one")
    }
    fn at_least(places: u128, bytes: &PerPlace<u8, 80>, least: &PerPlace<u8, 80>) -> u128 {
        places.iter().fold(0, |set, place| set | u128::only_if(place, bytes[place] >= least[place]))
    }
    #[inline(always)]
    fn wish_if(is_there: bool, wishes: &mut WideWishes, place: usize, hints: u32, is_rigid: bool) {
        wishes.hints.0[place] |= if is_there { hints as u16 } else { 0 };
        wishes.rigid |= u128::only_if(place, is_there & is_rigid);
        wishes.arrived |= u128::only_if(place, is_there & (hints == 0));
    }
    #[inline(always)]
    fn unwish(wishes: &mut WideWishes, place: usize) {
        wishes.hints.0[place] = 0;
        wishes.rigid &= !u128::only(place);
        wishes.arrived &= !u128::only(place);
    }
    fn wishing(wishes: &WideWishes, port: usize) -> (u128, u128) {
        let places = |is_in: &dyn Fn(u16) -> bool| {
            let hints = wishes.hints.0.iter().enumerate();
            hints.fold(0, |set, (place, &bits)| set | u128::from(is_in(bits)) << place)
        };
        let hinted = places(&|bits| bits >> port & 1 == 1);
        (hinted & !wishes.rigid, places(&|bits| bits & bits.wrapping_neg() == 1 << port))
    }
    fn waiting(_: &WideWishes) -> u128 {
        unreachable!("lone heads of wide machines are as others")
    }
    fn wish_of(_: &WideWishes, _: usize) -> (u32, bool) {
        unreachable!("lone heads of wide machines are as others")
    }
    fn arrived(wishes: &WideWishes) -> u128 {
        wishes.arrived
    }
    fn wanted_by_some(_: &WideWishes, _: u128) -> u32 {
        unreachable!("no wide machine is a plain one")
    }
    fn having_ways(_: &QueuesOf<Self>, _: &Ways<'_, PerPlace<u8, 80>>) -> (u128, u128) {
        unreachable!("no wide machine is a plain one")
    }
    fn all_hints(wishes: &WideWishes) -> u32 {
        wishes.hints.0.iter().fold(0, |all, &bits| all | bits).into()
    }
    #[inline(always)]
    fn due(times: &[i32], now: i32) -> u128 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u128::from(at <= now) << slot)
    }
    #[inline(always)]
    fn next(times: &[i32], now: i32) -> i32 {
        times.iter().copied().filter(|&at| at > now).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn earliest(times: &[i32], slots: u128) -> i32 {
        slots.iter().map(|slot| times[slot]).min().unwrap_or(i32::MAX)
    }
    fn are_now(_: &[i32; 8], _: i32) -> u32 {
        unreachable!("no wide machine is a plain one")
    }
    fn channels_of<const V: usize>(_: u32) -> u128 {
        unreachable!("no wide machine is a plain one")
    }
    #[inline(always)]
    fn links(slots: u128) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn places(slots: u128) -> u128 {
        slots
    }
    #[inline(always)]
    fn slots_of_places(places: u128) -> u128 {
        places
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> u128 {
        links.into()
    }
}
