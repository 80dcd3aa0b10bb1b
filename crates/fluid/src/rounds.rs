//! The demands of the rounds of a phase: of as many rounds at a time as memory holds.
//!
//! Every rank tells its rounds one after the other, so that the demands of a round are complete only after the last rank.
//! Those of later rounds are dropped where memory does not hold them, and collected again in a further pass over the ranks.

use crate::demand::{Demand, Setting};
use crate::{MOST_ROUNDS, Unsuited};
use mapping::links::Split;
use workloads::flows::{Phase, Round};

/// Tells the demand of each round of a phase of so many ranks, in order, with so many bytes of memory.
pub(crate) fn demands<'a>(
    setting: Setting<'a>,
    phase: &Phase,
    ranks: u32,
    most_bytes: usize,
    mut hear: impl FnMut(Demand<'a>),
) -> Result<(), Unsuited> {
    let mut passes = Passes::new(setting, ranks, most_bytes);
    passes.check(phase)?;
    loop {
        let demands = passes.next(phase)?;
        passes.first += demands.len();
        demands.into_iter().for_each(&mut hear);
        if passes.first >= passes.rounds {
            return Ok(());
        }
    }
}

/// Ranks that tell what is too large.
const SAMPLED: u32 = 5;

/// Passes over all ranks, each for some rounds.
struct Passes<'a> {
    setting: Setting<'a>,
    splits: &'static [Split],
    sources: u32,
    most_bytes: usize,
    /// The first round of the next pass, and how many it has at most.
    first: usize,
    width: usize,
    /// All rounds, as far as they are known.
    rounds: usize,
}

impl<'a> Passes<'a> {
    fn new(setting: Setting<'a>, ranks: u32, most_bytes: usize) -> Self {
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
            most_bytes,
            first: 0,
            width: (most_bytes / (splits.len() * setting.bytes_of_demand())).clamp(1, MOST_ROUNDS),
            rounds: 0,
        }
    }

    /// Refuses at once what would be refused after a long time: rounds of which memory does not hold the needs of half of
    /// all ranks, by the median of some.
    fn check(&self, phase: &Phase) -> Result<(), Unsuited> {
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
        if of_half > self.most_bytes { Err(Unsuited::TooLarge) } else { Ok(()) }
    }

    /// The demands of the next rounds: at least one, if there are any.
    fn next(&mut self, phase: &Phase) -> Result<Vec<Demand<'a>>, Unsuited> {
        let mut of_splits: Vec<Vec<Demand>> = self.splits.iter().map(|_| Vec::new()).collect();
        let mut balances = Vec::new();
        for source in 0..self.sources {
            let rounds = phase.senders.rounds(source).ok_or(Unsuited::NoRounds)?;
            if rounds.len() > MOST_ROUNDS {
                return Err(Unsuited::TooManyRounds);
            }
            balance(&mut balances, &rounds);
            self.rounds = self.rounds.max(rounds.len());
            let of_pass = rounds.get(self.first..).unwrap_or_default();
            self.add(&mut of_splits, source, of_pass);
            self.fit(&mut of_splits)?;
        }
        if balances.iter().any(|&balance| balance != 0) {
            return Err(Unsuited::NotTogether);
        }
        Ok(of_splits.into_iter().reduce(least_busy).unwrap_or_default())
    }

    /// Adds what a rank does in the rounds of a pass.
    fn add(&self, of_splits: &mut [Vec<Demand<'a>>], source: u32, rounds: &[Round]) {
        let rounds = &rounds[..rounds.len().min(self.width)];
        for (demands, &split) in of_splits.iter_mut().zip(self.splits) {
            while demands.len() < rounds.len() {
                demands.push(Demand::new(self.setting, split));
            }
            demands.iter_mut().zip(rounds).for_each(|(demand, round)| demand.add(source, round));
        }
    }

    /// Leaves the later half of the rounds to another pass until memory holds the others.
    fn fit(&mut self, of_splits: &mut [Vec<Demand<'a>>]) -> Result<(), Unsuited> {
        while of_splits.iter().flatten().map(Demand::bytes).sum::<usize>() > self.most_bytes {
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

/// Of each round, the demand whose busiest link is less busy: adaptive routing avoids the other.
fn least_busy<'a>(ones: Vec<Demand<'a>>, others: Vec<Demand<'a>>) -> Vec<Demand<'a>> {
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
        fn tell(&self, _: u32, _: &mut dyn FnMut(Flow)) {}

        fn rounds(&self, source: u32) -> Option<Vec<Round>> {
            let target = |round: u32| (source + round + 1) % RANKS;
            let flow = |round: u32| Flow { target: target(round), bytes: 1000, messages: 1, hops: None };
            let round = |round| Round { flows: vec![flow(round)], received: Some(1), ..Round::default() };
            Some((0..self.0).map(round).collect())
        }
    }

    /// The hops of each round, with so much memory, and how many rounds the first pass had.
    fn hops(rounds: u32, most_bytes: usize) -> Result<(Vec<u128>, usize), Unsuited> {
        let network = network::Parameters::bluegene_l(Shape::torus(&[4, 4]).unwrap(), 1);
        let software = messaging::Parameters::default();
        let machine = Machine { network: &network, sender: Sender::Ranks(&software) };
        let places = RankMap::in_order(RANKS, &network.shape, 1).unwrap();
        let setting = Setting { machine: &machine, routing: None, places: &places, alike: None };
        let phase = Phase { repetitions: 1, senders: Arc::new(Around(rounds)) };
        let first = Passes::new(setting, RANKS, most_bytes).next(&phase)?.len();
        let mut all = Vec::new();
        demands(setting, &phase, RANKS, most_bytes, |demand| all.push(demand.packet_hops))?;
        Ok((all, first))
    }

    #[test]
    fn rounds_are_the_same_in_any_number_of_passes() {
        let (expected, first) = hops(12, 1 << 30).unwrap();
        assert_eq!((expected.len(), first), (12, 12));
        for most_bytes in [100_000, 60_000, 30_000] {
            let (found, first) = hops(12, most_bytes).unwrap();
            assert!(first < 12 && found == expected, "{most_bytes} bytes: {first} rounds at first");
        }
        assert_eq!(hops(0, 1 << 30), Ok((Vec::new(), 0)));
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
        assert_eq!(Passes::new(setting, RANKS, of_half - 1).check(&phase), Err(Unsuited::TooLarge));
        assert_eq!(Passes::new(setting, RANKS, of_half).check(&phase), Ok(()));
    }
}
