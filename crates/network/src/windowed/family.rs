//! The families of machines that are compiled in, and the types that make the common ones small.
//!
//! | family         | machines                                          | masks       | times   | notes of what comes |
//! |----------------|---------------------------------------------------|-------------|---------|---------------------|
//! | compact, plain | full-size packets, as the papers' studies use them | 32, 64 bits | 16 bits | lanes in the node   |
//! | compact, any   | up to 3 dimensions, 4 channels, ordinary latencies | 32, 64 bits | 16 bits | rows in the slab    |
//! | compact, optional | the same with what few machines have               | 32, 64 bits | 16 bits | rows in the slab    |
//! | wide           | up to 6 dimensions, 6 channels, any latency        | 128 bits    | 32 bits | rows in the slab    |

use super::label::{Label, Sent};
use super::pending::{Lanes, Pending, Rows};
use super::sets::{BitSet, Tick};
use super::vector;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;
use std::fmt::Debug;
use std::marker::PhantomData;

/// Something for each place of a node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PerPlace<T: Copy + Serialize + DeserializeOwned, const N: usize>(
    #[serde(with = "BigArray")] [T; N],
);

/// A family of machines: the types that its node states are made of.
pub trait Family: Copy + Default + Send + Sync + 'static {
    /// Waiting places of a node: channels of receivers, then injection FIFOs.
    type Places: BitSet;
    /// Event slots of a node.
    type Slots: BitSet;
    /// Event times.
    type Tick: Tick;
    /// What goes with a packet.
    type Label: Label;
    /// What is on its way to a node.
    type Pending: Pending<Self::Tick>;
    /// Whether the machine is known to be a plain one: packets all of full size and normal, generated, FIFOs infinite, no
    /// software, links all alike, the channels laid out all used.
    const IS_PLAIN: bool;
    /// Whether the machine may have what few have: dateline pairs, direction order, pacing, copies, links that make errors. It
    /// costs nothing where it has not.
    const HAS_OPTIONS: bool;
    /// What the heads that wait ask for, by place: their hint bits, or that they are at their destination; and whether
    /// they keep to the escape's order.
    type Wishes: Copy + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// How full each place's queue is, in quarters: 0 to 3.
    type Quarters: Copy + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// No head waits.
    fn no_wishes() -> Self::Wishes;
    /// A head waits at a place, if it `is_there`: otherwise nothing changes. Hint bits are none at the destination.
    fn wish_if(is_there: bool, wishes: &mut Self::Wishes, place: usize, hints: u32, is_rigid: bool);
    /// The head at a place no longer waits.
    fn unwish(wishes: &mut Self::Wishes, place: usize);
    /// The places whose heads have a port's hint bit and do not keep to dimension order, and those of which it is the
    /// first.
    fn wishing(wishes: &Self::Wishes, port: usize) -> (Self::Places, Self::Places);
    /// The places whose heads are at their destination.
    fn arrived(wishes: &Self::Wishes) -> Self::Places;
    /// All hint bits of all places.
    fn all_hints(wishes: &Self::Wishes) -> u32;

    /// All queues are empty.
    fn no_quarters() -> Self::Quarters;
    /// Sets how full the queue of a place is.
    fn set_quarter(quarters: &mut Self::Quarters, place: usize, quarter: u8);
    /// The higher and the lower bit of how full the queues are.
    fn quarter_bits(quarters: &Self::Quarters) -> [Self::Places; 2];

    /// The slots whose time has come by `now`.
    fn due(times: &[Self::Tick], now: Self::Tick) -> Self::Slots;
    /// The earliest of the times that is later than `now`.
    fn next(times: &[Self::Tick], now: Self::Tick) -> Self::Tick;
    /// The earliest of the times of some slots.
    fn earliest(times: &[Self::Tick], slots: Self::Slots) -> Self::Tick;
    /// The slots of links, which come first.
    fn links(slots: Self::Slots) -> u32;
    /// The same the other way round.
    fn slots_of_links(links: u32) -> Self::Slots;
}

/// Up to three dimensions and four channels: Blue Gene/L and its like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compact<T>(PhantomData<T>);

/// What is known of a compact machine.
pub trait Traits: Copy + Debug + Default + Send + Sync + 'static {
    /// See [`Family::Pending`].
    type Pending: Pending<i16>;
    /// See [`Family::Label`].
    type Label: Label;
    /// See [`Family::IS_PLAIN`].
    const IS_PLAIN: bool;
    /// See [`Family::HAS_OPTIONS`].
    const HAS_OPTIONS: bool;
}

/// A plain machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// Any machine without options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any;

/// Any machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optional;

impl Traits for Plain {
    type Pending = Lanes;
    type Label = ();
    const IS_PLAIN: bool = true;
    const HAS_OPTIONS: bool = false;
}

impl Traits for Any {
    type Pending = Rows<6>;
    type Label = u32;
    const IS_PLAIN: bool = false;
    const HAS_OPTIONS: bool = false;
}

impl Traits for Optional {
    type Pending = Rows<6>;
    type Label = Sent;
    const IS_PLAIN: bool = false;
    const HAS_OPTIONS: bool = true;
}

/// Everything else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide;

/// In the byte of a compact family's wish, behind the hint bits: the head keeps to dimension order.
const RIGID_BIT: usize = 6;
/// The same: it is at its destination.
const ARRIVED_BIT: usize = 7;

/// What the heads of a wide machine's node ask for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WideWishes {
    hints: PerPlace<u16, 80>,
    rigid: u128,
    arrived: u128,
}

impl<T: Traits> Family for Compact<T> {
    type Pending = T::Pending;
    type Label = T::Label;
    const IS_PLAIN: bool = T::IS_PLAIN;
    const HAS_OPTIONS: bool = T::HAS_OPTIONS;
    type Places = u32;
    type Slots = u64;
    type Tick = i16;
    /// One byte for each place: what wants a port is found by a shift and one gathering of top bits.
    type Wishes = PerPlace<u8, 32>;
    type Quarters = PerPlace<u8, 32>;

    #[inline(always)]
    fn no_wishes() -> PerPlace<u8, 32> {
        PerPlace([0; 32])
    }
    #[inline(always)]
    fn wish_if(is_there: bool, wishes: &mut PerPlace<u8, 32>, place: usize, hints: u32, is_rigid: bool) {
        let wish = hints as u8 | u8::only_if(RIGID_BIT, is_rigid) | u8::only_if(ARRIVED_BIT, hints == 0);
        wishes.0[place] |= wish & u8::from(is_there).wrapping_neg();
    }
    #[inline(always)]
    fn unwish(wishes: &mut PerPlace<u8, 32>, place: usize) {
        wishes.0[place] = 0;
    }
    #[inline(always)]
    fn wishing(wishes: &PerPlace<u8, 32>, port: usize) -> (u32, u32) {
        let [hinted, rigid] = vector::bits_of(&wishes.0, [port, RIGID_BIT]);
        (hinted & !rigid, vector::lowest_bit_is(&wishes.0, port))
    }
    #[inline(always)]
    fn arrived(wishes: &PerPlace<u8, 32>) -> u32 {
        let [arrived] = vector::bits_of(&wishes.0, [ARRIVED_BIT]);
        arrived
    }
    #[inline(always)]
    fn all_hints(wishes: &PerPlace<u8, 32>) -> u32 {
        u32::from(vector::any_of(&wishes.0)) & ((1 << RIGID_BIT) - 1)
    }
    #[inline(always)]
    fn no_quarters() -> PerPlace<u8, 32> {
        PerPlace([0; 32])
    }
    #[inline(always)]
    fn set_quarter(quarters: &mut PerPlace<u8, 32>, place: usize, quarter: u8) {
        quarters.0[place] = quarter;
    }
    #[inline(always)]
    fn quarter_bits(quarters: &PerPlace<u8, 32>) -> [u32; 2] {
        vector::bits_of(&quarters.0, [1, 0])
    }
    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        vector::at_most(times, now)
    }
    #[inline(always)]
    fn next(times: &[i16], now: i16) -> i16 {
        match times.try_into() {
            Ok(eight) => vector::next_of_eight(eight, now),
            Err(_) => times.iter().copied().filter(|&at| at > now).min().unwrap_or(i16::MAX),
        }
    }
    #[inline(always)]
    fn earliest(times: &[i16], slots: u64) -> i16 {
        vector::earliest(times, slots)
    }
    #[inline(always)]
    fn links(slots: u64) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> u64 {
        links.into()
    }
}

impl Family for Wide {
    type Pending = Rows<12>;
    type Label = Sent;
    const IS_PLAIN: bool = false;
    const HAS_OPTIONS: bool = true;
    type Places = u128;
    type Slots = u128;
    type Tick = i32;
    type Wishes = WideWishes;
    type Quarters = [u128; 2];

    fn no_wishes() -> WideWishes {
        WideWishes { hints: PerPlace([0; 80]), rigid: 0, arrived: 0 }
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
    fn arrived(wishes: &WideWishes) -> u128 {
        wishes.arrived
    }
    fn all_hints(wishes: &WideWishes) -> u32 {
        wishes.hints.0.iter().fold(0, |all, &bits| all | bits).into()
    }
    fn no_quarters() -> [u128; 2] {
        [0; 2]
    }
    #[inline(always)]
    fn set_quarter(quarters: &mut [u128; 2], place: usize, quarter: u8) {
        let others = !u128::only(place);
        quarters[0] = (quarters[0] & others) | u128::only_if(place, quarter & 2 != 0);
        quarters[1] = (quarters[1] & others) | u128::only_if(place, quarter & 1 != 0);
    }
    #[inline(always)]
    fn quarter_bits(quarters: &[u128; 2]) -> [u128; 2] {
        *quarters
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
    #[inline(always)]
    fn links(slots: u128) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> u128 {
        links.into()
    }
}
