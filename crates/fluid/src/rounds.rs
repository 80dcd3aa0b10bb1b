//! The demands of the rounds of a phase: of as many rounds at a time as memory holds.
//!
//! Every rank gives its rounds one after the other, so that the demands of a round are complete only after the last
//! rank. A first pass over the ranks finds the rounds that are alike, such as those of a ring, of which one is enough
//! ([`Kinds`]). Later rounds are dropped where memory does not hold them, and collected again in a further pass.

use crate::demand::{Demand, Setting};
use crate::{MAX_ROUNDS, Unsuited};
use mapping::links::Split;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use workloads::flows::{Phase, Round};

/// Passes the demand of each kind of round to `visit`, with the number of these rounds. The phase is one of `ranks`
/// ranks, and `max_bytes` is the memory for it.
pub(crate) fn demands<'a>(
    setting: Setting<'a>,
    phase: &Phase,
    ranks: u32,
    max_bytes: usize,
    mut visit: impl FnMut(Demand<'a>, u64),
) -> Result<(), Unsuited> {
    let mut passes = Passes::new(setting, ranks, max_bytes);
    let kinds = passes.check(phase)?;
    while passes.first < kinds.0.len() {
        let kinds_left = &kinds.0[passes.first..];
        let demands = passes.next(phase, kinds_left)?;
        passes.first += demands.len();
        kinds_left.iter().zip(demands).for_each(|(kind, demand)| visit(demand, kind.rounds));
    }
    Ok(())
}

/// Checks the rounds of a phase of `ranks` ranks, for which there are `max_bytes` of memory.
pub(crate) fn check(
    setting: Setting<'_>,
    phase: &Phase,
    ranks: u32,
    max_bytes: usize,
) -> Result<(), Unsuited> {
    Passes::new(setting, ranks, max_bytes).check(phase).map(drop)
}

/// The rounds of a source.
fn rounds_of(phase: &Phase, source: u32) -> Result<Vec<Round>, Unsuited> {
    phase.senders.rounds(source).ok_or(Unsuited::NoRounds)
}

/// Rounds in which each rank does the same: the first of them, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    first: usize,
    rounds: u64,
}

/// The kinds of rounds of a phase, in order of their first.
struct Kinds(Vec<Kind>);

impl Kinds {
    /// The kinds of the rounds of the first `sources` ranks.
    fn of(phase: &Phase, sources: u32) -> Result<Self, Unsuited> {
        let (mut balances, mut signatures) = (Vec::new(), Vec::new());
        for source in 0..sources {
            let rounds = rounds_of(phase, source)?;
            balance(&mut balances, &rounds);
            signatures.resize(signatures.len().max(rounds.len()), 0);
            for (sum, round) in signatures.iter_mut().zip(&rounds) {
                *sum = signature(*sum, source, round);
            }
        }
        if balances.iter().any(|&balance| balance != 0) {
            return Err(Unsuited::NotTogether);
        }
        let mut kinds: Vec<Kind> = Vec::new();
        let mut known = HashMap::new();
        for (first, signature) in signatures.into_iter().enumerate() {
            let kind = *known.entry(signature).or_insert_with(|| {
                kinds.push(Kind { first, rounds: 0 });
                kinds.len() - 1
            });
            kinds[kind].rounds += 1;
        }
        if kinds.len() > MAX_ROUNDS { Err(Unsuited::TooManyRounds) } else { Ok(Kinds(kinds)) }
    }
}

/// The sum of 128 bits that identify the work of a source in a round, over the sources so far.
fn signature(sum: u128, source: u32, round: &Round) -> u128 {
    let bits = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, source, round).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    sum.wrapping_add(bits(0) << 64 | bits(1))
}

/// The number of ranks that are sampled to find what is too large.
const SAMPLED: u32 = 5;

/// Passes over all ranks, each for some rounds.
struct Passes<'a> {
    setting: Setting<'a>,
    splits: &'static [Split],
    sources: u32,
    max_bytes: usize,
    /// The first kind of round of the next pass, and the most kinds that it has.
    first: usize,
    width: usize,
}

impl<'a> Passes<'a> {
    fn new(setting: Setting<'a>, ranks: u32, max_bytes: usize) -> Self {
        let splits: &[Split] = match setting.alike {
            // How flows split makes no difference to nodes that are alike.
            Some(_) => &[Split::Evenly],
            None if setting.machine.is_in_order(setting.routing) => &[Split::DimensionOrder],
            None => &[Split::Evenly, Split::Orders],
        };
        Passes {
            setting,
            splits,
            sources: if setting.alike.is_some() { 1 } else { ranks },
            max_bytes,
            first: 0,
            width: (max_bytes / (splits.len() * setting.bytes_of_demand())).clamp(1, MAX_ROUNDS),
        }
    }

    /// The kinds of rounds. Refuses at once what would be refused after a long time.
    fn check(&self, phase: &Phase) -> Result<Kinds, Unsuited> {
        self.check_memory(phase)?;
        Kinds::of(phase, self.sources)
    }

    /// Refuses rounds of which memory does not hold the needs of half of all ranks, by the median of some.
    fn check_memory(&self, phase: &Phase) -> Result<(), Unsuited> {
        if self.sources < SAMPLED {
            return Ok(()); // one rank may stand for all
        }
        let sampled = (0..SAMPLED).map(|number| number * (self.sources / SAMPLED));
        let longest = |source: u32| {
            let rounds = phase.senders.rounds(source)?;
            rounds.into_iter().max_by_key(|round| round.flows.len()).map(|round| (source, round))
        };
        let mut bytes: Vec<usize> = sampled
            .filter_map(longest)
            .map(|(source, round)| {
                let mut demand = Demand::new(self.setting, self.splits[0]);
                demand.add(source, &round);
                demand.bytes() - self.setting.bytes_of_demand()
            })
            .collect();
        bytes.sort_unstable();
        let median = bytes.get(bytes.len() / 2).copied().unwrap_or(0);
        let of_half = median * self.splits.len() * (self.sources / 2) as usize;
        if of_half > self.max_bytes { Err(Unsuited::TooLarge) } else { Ok(()) }
    }

    /// The demands of the first of these kinds of rounds: at least one, if there are kinds.
    fn next(&mut self, phase: &Phase, kinds: &[Kind]) -> Result<Vec<Demand<'a>>, Unsuited> {
        let of_split = |&split: &Split| {
            kinds.iter().take(self.width).map(|_| Demand::new(self.setting, split)).collect()
        };
        let mut of_splits: Vec<Vec<Demand>> = self.splits.iter().map(of_split).collect();
        for source in 0..self.sources {
            let rounds = rounds_of(phase, source)?;
            for demands in &mut of_splits {
                for (demand, kind) in demands.iter_mut().zip(kinds) {
                    rounds.get(kind.first).into_iter().for_each(|round| demand.add(source, round));
                }
            }
            self.fit(&mut of_splits)?;
        }
        Ok(of_splits.into_iter().reduce(min_busy).unwrap_or_default())
    }

    /// Leaves the later half of the rounds to another pass until memory holds the others.
    fn fit(&mut self, of_splits: &mut [Vec<Demand<'a>>]) -> Result<(), Unsuited> {
        while of_splits.iter().flatten().map(Demand::bytes).sum::<usize>() > self.max_bytes {
            let rounds = of_splits[0].len();
            if rounds == 1 {
                return Err(Unsuited::TooLarge);
            }
            self.width = rounds / 2;
            of_splits.iter_mut().for_each(|demands| demands.truncate(self.width));
        }
        Ok(())
    }
}

/// Adds what is sent in each round, less what is received: 0 after all ranks, if they are in the same round together.
fn balance(balances: &mut Vec<i128>, rounds: &[Round]) {
    balances.resize(balances.len().max(rounds.len()), 0);
    for (balance, round) in balances.iter_mut().zip(rounds) {
        let Some(received) = round.received else { continue };
        *balance +=
            round.flows.iter().map(|flow| i128::from(flow.messages)).sum::<i128>() - i128::from(received);
    }
}

/// The demand of each round whose busiest link is less busy: adaptive routing avoids the other.
fn min_busy<'a>(ones: Vec<Demand<'a>>, others: Vec<Demand<'a>>) -> Vec<Demand<'a>> {
    let busiest = |demand: &Demand| demand.busiest_links().into_iter().fold(0.0, f64::max);
    let pick = |(one, other)| if busiest(&one) <= busiest(&other) { one } else { other };
    ones.into_iter().zip(others).map(pick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Sender};
    use geometry::Shape;
    use messaging::RankMap;
    use std::sync::Arc;
    use workloads::flows::{Flow, Senders};

    const RANKS: u32 = 16;

    /// In round `r`, each rank sends to the one `r + 1` further on.
    struct Around(u32);

    impl Senders for Around {
        fn report(&self, _: u32, _: &mut dyn FnMut(Flow)) {}

        fn rounds(&self, source: u32) -> Option<Vec<Round>> {
            let target = |round: u32| (source + round + 1) % RANKS;
            let flow = |round: u32| Flow { target: target(round), bytes: 1000, messages: 1, hops: None };
            let round = |round| Round { flows: vec![flow(round)], received: Some(1), ..Round::default() };
            Some((0..self.0).map(round).collect())
        }
    }

    /// The hops of each round, with `max_bytes` of memory, and the number of rounds of the first pass.
    fn hops(rounds: u32, max_bytes: usize) -> Result<(Vec<u128>, usize), Unsuited> {
        let network = network::Parameters::bluegene_l(Shape::torus(&[4, 4]).unwrap(), 1);
        let software = messaging::Parameters::default();
        let machine = Machine { network: &network, sender: Sender::Ranks(&software) };
        let places = RankMap::in_order(RANKS, &network.shape, 1).unwrap();
        let setting = Setting { machine: &machine, routing: None, places: &places, alike: None };
        let phase = Phase { repetitions: 1, senders: Arc::new(Around(rounds)) };
        let mut passes = Passes::new(setting, RANKS, max_bytes);
        let kinds = passes.check(&phase)?;
        let first = passes.next(&phase, &kinds.0)?.len();
        let mut all = Vec::new();
        demands(setting, &phase, RANKS, max_bytes, |demand, rounds| {
            all.extend((0..rounds).map(|_| demand.packet_hops));
        })?;
        Ok((all, first))
    }

    #[test]
    fn rounds_are_the_same_in_any_number_of_passes() {
        let (expected, first) = hops(12, 1 << 30).unwrap();
        assert_eq!((expected.len(), first), (12, 12));
        for max_bytes in [100_000, 60_000, 30_000] {
            let (found, first) = hops(12, max_bytes).unwrap();
            assert!(first < 12 && found == expected, "{max_bytes} bytes: {first} rounds at first");
        }
        assert_eq!(hops(0, 1 << 30), Ok((Vec::new(), 0)));
    }

    /// Two of each in which all ranks do the same, one of those in which one rank does something else.
    #[test]
    fn rounds_that_are_alike_are_found() {
        struct Alike;

        impl Senders for Alike {
            fn report(&self, _: u32, _: &mut dyn FnMut(Flow)) {}

            fn rounds(&self, source: u32) -> Option<Vec<Round>> {
                let flow = |bytes| Flow { target: (source + 1) % RANKS, bytes, messages: 1, hops: None };
                let lengths = [1000, 2000, 1000, if source == 7 { 1 } else { 2000 }, 2000];
                Some(lengths.map(|bytes| Round { flows: vec![flow(bytes)], ..Round::default() }).to_vec())
            }
        }

        let kinds = Kinds::of(&Phase { repetitions: 1, senders: Arc::new(Alike) }, RANKS).unwrap().0;
        let found: Vec<(usize, u64)> = kinds.iter().map(|kind| (kind.first, kind.rounds)).collect();
        assert_eq!(found, [(0, 2), (1, 2), (3, 1)]);
    }

    #[test]
    fn a_round_that_memory_does_not_hold_is_refused() {
        assert_eq!(hops(12, 10_000), Err(Unsuited::TooLarge));
    }

    /// Before its ranks have been looked at: the needs of eight are too many.
    #[test]
    fn what_is_too_large_for_half_of_all_is_refused_at_once() {
        let network = network::Parameters::bluegene_l(Shape::torus(&[4, 4]).unwrap(), 1);
        let software = messaging::Parameters::default();
        let machine = Machine { network: &network, sender: Sender::Ranks(&software) };
        let places = RankMap::in_order(RANKS, &network.shape, 1).unwrap();
        let setting = Setting { machine: &machine, routing: None, places: &places, alike: None };
        let phase = Phase { repetitions: 1, senders: Arc::new(Around(1)) };
        let of_half = 2 * 8 * crate::fair::BYTES_OF_NEED;
        let check =
            |max_bytes| Passes::new(setting, RANKS, max_bytes).check(&phase).map(|kinds| kinds.0.len());
        assert_eq!((check(of_half - 1), check(of_half)), (Err(Unsuited::TooLarge), Ok(1)));
    }
}
