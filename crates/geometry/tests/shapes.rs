//! Invariants of shapes, for random shapes of one to six dimensions.

use geometry::{Direction, HalfWay, MAX_DIMENSIONS, Preference, Shape, ShapeError};
use proptest::prelude::*;

fn shapes() -> impl Strategy<Value = Shape> {
    let dimensions = prop::collection::vec((1u32..6, any::<bool>()), 1..=6);
    (dimensions, prop::sample::select(&HalfWay::ALL[..]), any::<u64>()).prop_map(
        |(dimensions, half_way, seed)| {
            let (lengths, wraps): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
            Shape::new(&lengths, &wraps).unwrap().with_half_way(half_way, seed)
        },
    )
}

/// Follows the hops one link at a time to the node where they lead.
fn walk(shape: &Shape, source: u32, hops: &geometry::Hops) -> Option<u32> {
    let mut node = source;
    for direction in hops.directions() {
        for _ in 0..hops.0[direction.dimension()].unsigned_abs() {
            node = shape.neighbor(node, direction)?;
        }
    }
    Some(node)
}

proptest! {
    #[test]
    fn numbers_and_coordinates_are_inverse(shape in shapes()) {
        for node in 0..shape.nodes() {
            prop_assert_eq!(shape.node(&shape.coordinates(node)), node);
        }
    }

    #[test]
    fn neighbors_are_mutual_and_counted(shape in shapes()) {
        for direction in Direction::all(shape.dimensions()) {
            let mut links = 0;
            for node in 0..shape.nodes() {
                if let Some(next) = shape.neighbor(node, direction) {
                    links += 1;
                    prop_assert_eq!(shape.neighbor(next, direction.opposite()), Some(node));
                    prop_assert_eq!(shape.distance(node, next), 1);
                }
            }
            prop_assert_eq!(links, shape.links_toward(direction));
        }
    }

    #[test]
    fn routes_are_minimal_and_arrive(shape in shapes(), coin in any::<u32>(), a in any::<u32>(), b in any::<u32>()) {
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        let hops = shape.route(source, target, coin);
        prop_assert_eq!(hops.total(), shape.distance(source, target));
        prop_assert_eq!(shape.minimal_routes(source, target).route(&shape, coin), hops);
        prop_assert_eq!(walk(&shape, source, &hops), Some(target));
    }

    /// A rule decides for targets half-way round a ring and for no others.
    #[test]
    fn rules_for_targets_half_way_change_no_other_route(
        shape in shapes(), coins in any::<[u32; 2]>(), a in any::<u32>(), b in any::<u32>()
    ) {
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        let [one, other] = coins.map(|coin| shape.route(source, target, coin));
        let free = shape.clone().with_half_way(HalfWay::PerPacket, 0);
        let routes = free.minimal_routes(source, target);
        for dimension in 0..shape.dimensions() {
            if !routes.are_several_along(dimension) {
                prop_assert_eq!(one.0[dimension], routes.route(&free, 0).0[dimension]);
                prop_assert_eq!(other.0[dimension], routes.route(&free, 0).0[dimension]);
            }
        }
        let are_several = shape.minimal_routes(source, target).are_several();
        prop_assert!(are_several || one == other, "packets that draw nothing take one route");
    }

    #[test]
    fn forced_directions_arrive(
        shape in shapes(), plus in any::<[bool; MAX_DIMENSIONS]>(), a in any::<u32>(), b in any::<u32>()
    ) {
        let preferences = plus.map(|plus| if plus { Preference::Plus } else { Preference::Minus });
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        if shape.admits(source, target, &preferences) {
            let hops = shape.route_with_preferences(source, target, 0, &preferences);
            prop_assert_eq!(walk(&shape, source, &hops), Some(target));
            for direction in hops.directions() {
                prop_assert_eq!(direction.is_plus(), plus[direction.dimension()]);
            }
        }
    }

    #[test]
    fn mean_distance_is_the_mean_of_distances(shape in shapes()) {
        let total: u64 = (0..shape.nodes()).map(|target| {
            (0..shape.nodes()).map(|source| u64::from(shape.distance(source, target))).sum::<u64>()
        }).sum();
        let mean = total as f64 / f64::from(shape.nodes()).powi(2);
        prop_assert!((shape.mean_distance() - mean).abs() < 1e-9);
    }
}

/// Row M1: 8^3 6.0, 16^3 12, 32^3 24, 64x32x32 32.
#[test]
fn mean_distances_of_row_m1() {
    for (lengths, mean) in
        [([8, 8, 8], 6.0), ([16, 16, 16], 12.0), ([32, 32, 32], 24.0), ([64, 32, 32], 32.0)]
    {
        assert_eq!(Shape::torus(&lengths).unwrap().mean_distance(), mean);
    }
    assert_eq!(Shape::torus(&[5]).unwrap().mean_distance(), 24.0 / 20.0);
    assert_eq!(Shape::new(&[4], &[false]).unwrap().mean_distance(), 15.0 / 12.0);
}

#[test]
fn half_way_ties_are_decided_by_the_coin() {
    let ring = Shape::torus(&[8]).unwrap();
    assert_eq!(ring.route(0, 4, 1).0[0], 4);
    assert_eq!(ring.route(0, 4, 0).0[0], -4);
    assert_eq!(Shape::torus(&[2]).unwrap().links(), 4, "a wrapped length of 2 has both of its links");
}

#[test]
fn registers_send_half_way_packets_of_neighbors_opposite_ways() {
    let torus = Shape::torus(&[8, 4]).unwrap().with_half_way(HalfWay::Registers, 0);
    let hops = |x: u32, y: u32| {
        let source = torus.node(&[x, y, 0, 0, 0, 0]);
        torus.route(source, torus.node(&[(x + 4) % 8, (y + 2) % 4, 0, 0, 0, 0]), 0).0
    };
    assert_eq!(hops(0, 0)[..2], [4, 2]);
    assert_eq!(hops(1, 0)[..2], [-4, 2]);
    assert_eq!(hops(6, 3)[..2], [4, -2]);
}

/// Half of the pairs that are half-way apart take either direction, and each pair always the same.
#[test]
fn pairs_draw_their_directions_evenly() {
    let ring = Shape::torus(&[1000]).unwrap().with_half_way(HalfWay::PerPair, 5);
    let is_plus = |node: u32| ring.route(node, (node + 500) % 1000, 0).0[0] > 0;
    let plus = (0..1000).filter(|&node| is_plus(node)).count();
    assert!((450..=550).contains(&plus), "{plus}");
}

#[test]
fn invalid_shapes_are_rejected() {
    assert_eq!(Shape::torus(&[]), Err(ShapeError::Dimensions(0)));
    assert_eq!(Shape::torus(&[2; 7]), Err(ShapeError::Dimensions(7)));
    assert_eq!(Shape::torus(&[4, 0]), Err(ShapeError::Empty { dimension: 1 }));
    assert_eq!(Shape::torus(&[1 << 20, 1 << 20]), Err(ShapeError::TooLarge));
    assert_eq!(Shape::new(&[4, 4], &[true]), Err(ShapeError::Wraps { dimensions: 2, wraps: 1 }));
}
