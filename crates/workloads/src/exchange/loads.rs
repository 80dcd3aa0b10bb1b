//! The operations that ranks have under way at a time, and their slow collectives: from a sample of ranks that
//! represents all.

use super::{Exchange, Part};
use base::draws::mix;
use messaging::RankMap;
use mpi::{DryRun, Load, LoadMeter, Selection, SlowerCall, SlowerCalls};
use traces::Trace;

/// Ranks whose calls are read.
const SAMPLE: u32 = 16;

/// The loads of ranks that a map places and that make the calls of an exchange, with algorithms of collectives
/// chosen by `selection`.
pub(crate) fn of_exchange(
    exchange: &(dyn Exchange + 'static),
    map: &RankMap,
    selection: Selection,
) -> Vec<Load> {
    let are_alike = !exchange.grid().is_empty();
    let sample = if are_alike { vec![0] } else { sample(map.ranks()) };
    let load = |rank: u32| {
        let is_local = |peer: u32| map.place(peer).node == map.place(rank).node;
        let communicators = exchange.communicators(rank);
        let mut meter = LoadMeter::new((rank, map.ranks()), &communicators, selection, &is_local);
        for part in [Part::Before, Part::Iteration, Part::After] {
            (0..).map_while(|step| exchange.call_of(part, rank, step)).for_each(|call| meter.read(&call));
        }
        meter.end()
    };
    sample.into_iter().map(load).collect()
}

/// The loads of ranks that a map places and that make the calls of a trace. The loads of a graph of operations are
/// those of blocking ones.
pub fn of_trace(trace: &Trace, map: &RankMap, selection: Selection) -> Vec<Load> {
    let load = |rank: u32| {
        let is_local = |peer: u32| map.place(peer).node == map.place(rank).node;
        let part = trace.rank(rank);
        let mut meter = LoadMeter::new((rank, map.ranks()), part.communicators(), selection, &is_local);
        part.for_each_call(|call| meter.read(call));
        meter.end()
    };
    sample(map.ranks()).into_iter().map(load).collect()
}

/// The slow collectives of ranks that make the calls of a trace. For these, the selection `chosen` takes far longer
/// than the one by shape. The longest of each operation is returned.
pub fn slower_of_trace(trace: &Trace, chosen: Selection, by_shape: Selection) -> Vec<SlowerCall> {
    if chosen == by_shape {
        return Vec::new();
    }
    let mut calls = SlowerCalls::new(chosen, by_shape);
    for number in sample(trace.ranks()) {
        let part = trace.rank(number);
        let mut rank = DryRun::new(number, trace.ranks(), part.communicators());
        part.for_each_call(|call| calls.read(&mut rank, call));
    }
    calls.end()
}

/// A sample of ranks that represents all. It has all if they are few, or some that no pattern in their numbers
/// selects.
fn sample(ranks: u32) -> Vec<u32> {
    match ranks <= SAMPLE {
        true => (0..ranks).collect(),
        false => (1..=SAMPLE).map(|number| (mix(number.into()) % u64::from(ranks)) as u32).collect(),
    }
}
