//! Which rank runs where.
//!
//! ```text
//!   Mapping::Order(XYZT)   x first, then y, z and the cores     -+
//!   Mapping::Fold          along a snake through the machine     |
//!   Mapping::Random        drawn                                 +- place(ranks, grid, machine) -> RankMap
//!   Mapping::Listed        as a file or the user says           -+      rank -> (node, core)
//! ```
//!
//! No two ranks share a core, and none runs on a dead node: orders leave such nodes out, lists with one are refused.
//!
//! # To add one
//!
//! 1. A file here with a function from the number of ranks, their grid and the machine to places.
//! 2. A variant of `Mapping` with its name in `Mapping::NAMES`, from which `torusim map` takes the usual
//!    ones, and its arm in `place`.
//! 3. Its name in the test `mappings_take_every_core_of_a_live_node_once` below: all mappings are bijections.
//! 4. The doc comment of `order`, its error, and the arm of `read` in `simulation/src/scenario/mapping.rs`.
//! 5. A row in `docs/guide.md`.
//!
//! A search for a mapping is a `Method` of `crates/mapping/src/search`.

mod fold;
mod listed;
mod order;
mod rank_map;

use base::draws::{NodeKey, Purpose};
pub use listed::{ListError, Listed};
use network::Parameters;
pub use order::Order;
pub use rank_map::{Place, RankMap, RankMapError, node_at_distance};

/// How the ranks of a program are placed on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// Dimension by dimension.
    Order(Order),
    /// Along a snake, so that neighbors in the grid of ranks are neighbors on the machine.
    Fold,
    /// Drawn by the seed of the machine.
    Random,
    /// The places of a list.
    Listed(Listed),
}

impl Mapping {
    /// The mappings that are no orders of dimensions, by name.
    pub const NAMES: [(&str, Mapping); 2] = [("fold", Mapping::Fold), ("random", Mapping::Random)];

    /// The mapping called `name`: one of [`Mapping::NAMES`], or an order of `dimensions` dimensions.
    pub fn named(name: &str, dimensions: usize) -> Option<Self> {
        let known = Mapping::NAMES.into_iter().find(|(known, _)| *known == name);
        known.map(|(_, mapping)| mapping).or_else(|| Order::named(name, dimensions).map(Mapping::Order))
    }

    /// Places `ranks` ranks, which form a grid of these lengths (rank numbers vary fastest along its first dimension),
    /// or a row if `grid` has no lengths.
    ///
    /// # Errors
    /// When there are more ranks than cores of live nodes or places in the list, or the grid does not fold.
    pub fn place(&self, ranks: u32, grid: &[u32], parameters: &Parameters) -> Result<RankMap, RankMapError> {
        let (nodes, cores) = (parameters.live_nodes(), parameters.node.cores);
        if u64::from(ranks) > u64::from(nodes) * u64::from(cores) {
            return Err(RankMapError::TooManyRanks { ranks: ranks.into(), nodes, cores });
        }
        let places = match self {
            Mapping::Order(order) => order.live_places(parameters).take(ranks as usize).collect(),
            Mapping::Fold => fold::places(ranks, grid, parameters)?,
            Mapping::Random => random_places(ranks, parameters),
            Mapping::Listed(listed) => listed.first(ranks)?,
        };
        Ok(RankMap::of_places(places))
    }
}

/// The first `ranks` of all live places in a random order (Fisher and Yates).
fn random_places(ranks: u32, parameters: &Parameters) -> Vec<Place> {
    let cores_last = Order::cores_last(parameters.shape.dimensions());
    let mut places: Vec<Place> = cores_last.live_places(parameters).collect();
    let key = NodeKey::new(parameters.seed, 0);
    for taken in 0..ranks as usize {
        let left = (places.len() - taken) as u64;
        let draw = key.draw64(Purpose::RankPlace, taken as u64, 0);
        places.swap(taken, taken + ((u128::from(draw) * u128::from(left)) >> 64) as usize);
    }
    places.truncate(ranks as usize);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Faults, Shape};
    use proptest::prelude::*;

    fn machines() -> impl Strategy<Value = Parameters> {
        let lengths = prop::collection::vec(1u32..5, 1..=4);
        (lengths, 1u8..4, prop::collection::btree_set(any::<u32>(), 0..3), any::<u64>()).prop_map(
            |(lengths, cores, dead, seed)| {
                let shape = Shape::torus(&lengths).unwrap();
                let nodes = shape.nodes();
                let mut parameters = Parameters::bluegene_l(shape, seed);
                parameters.node.cores = cores;
                let dead: Vec<u32> = dead.into_iter().map(|node| node % nodes).collect();
                if let Ok(faults) = Faults::new(&parameters.shape, &dead, &[], Default::default()) {
                    parameters.faults = faults;
                }
                parameters
            },
        )
    }

    proptest! {
        /// Every mapping of all cores is a bijection to those of live nodes.
        #[test]
        fn mappings_take_every_core_of_a_live_node_once(parameters in machines(), turn in any::<u64>()) {
            let (shape, cores) = (&parameters.shape, parameters.node.cores);
            let live: Vec<u32> = (0..shape.nodes()).filter(|&node| !parameters.faults.is_dead(node)).collect();
            let ranks = live.len() as u32 * u32::from(cores);
            let order = Order::permuted(shape.dimensions(), turn);
            for mapping in [Mapping::Order(order), Mapping::Fold, Mapping::Random] {
                let map = mapping.place(ranks, &[], &parameters).unwrap();
                let mut places: Vec<(u32, u8)> =
                    (0..ranks).map(|rank| map.place(rank)).map(|place| (place.node, place.core)).collect();
                places.sort_unstable();
                let all = live.iter().flat_map(|&node| (0..cores).map(move |core| (node, core)));
                prop_assert!(places.into_iter().eq(all), "{:?}", mapping);
                let more = mapping.place(ranks + 1, &[], &parameters).unwrap_err();
                let is_too_many = matches!(more, RankMapError::TooManyRanks { .. });
                prop_assert!(is_too_many);
                let few = mapping.place(ranks / 2, &[], &parameters).unwrap();
                prop_assert!((0..ranks / 2).all(|rank| few.place(rank) == map.place(rank)));
            }
        }

        /// A mapping that is written is read again.
        #[test]
        fn lists_round_trip(parameters in machines()) {
            let ranks = parameters.live_nodes() * u32::from(parameters.node.cores);
            let map = Mapping::Random.place(ranks, &[], &parameters).unwrap();
            let listed = Listed::parse(&map.text(&parameters.shape), &parameters).unwrap();
            prop_assert_eq!(Mapping::Listed(listed).place(ranks, &[], &parameters).unwrap(), map);
        }
    }

    #[test]
    fn another_seed_draws_another_mapping() {
        let map = |seed| {
            let parameters = Parameters::bluegene_l(Shape::torus(&[4, 4, 4]).unwrap(), seed);
            Mapping::Random.place(64, &[], &parameters).unwrap()
        };
        assert_eq!(map(1), map(1));
        assert_ne!(map(1), map(2));
    }
}
