//! Twisted tori, compared with searches of the graph of their links.

mod support;

use geometry::{Direction, HalfWay, Hops, MAX_DIMENSIONS, Preference, Shape, ShapeError, Twist};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap, VecDeque};
use support::{shifts, twisted, walk};

/// The number of the values of a coin's upper 26 bits, which choose a vector.
const CHOICES: u64 = 1 << 26;

fn shapes() -> impl Strategy<Value = Shape> {
    let dimensions = prop::collection::vec((1u32..=6, prop::bool::weighted(0.85)), 1..=6);
    let machines = (dimensions, shifts());
    machines.prop_filter_map("up to 300 nodes", |(dimensions, shifts)| {
        let (lengths, wraps): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
        let shape = Shape::new(&lengths, &wraps).ok().filter(|shape| shape.nodes() <= 300)?;
        Some(twisted(shape, &shifts)).filter(|shape| shape.is_twisted() || shifts.first == 0)
    })
}

/// The number of links from a node to each other over links in some directions; none if they do not lead there.
fn distances(shape: &Shape, source: u32, directions: &[Direction]) -> Vec<Option<u32>> {
    let mut distances = vec![None; shape.nodes() as usize];
    distances[source as usize] = Some(0);
    let mut frontier = VecDeque::from([source]);
    while let Some(node) = frontier.pop_front() {
        let farther = distances[node as usize].map(|links| links + 1);
        for next in directions.iter().filter_map(|&toward| shape.neighbor(node, toward)) {
            if distances[next as usize].is_none() {
                distances[next as usize] = farther;
                frontier.push_back(next);
            }
        }
    }
    distances
}

fn all_directions(shape: &Shape) -> Vec<Direction> {
    Direction::all(shape.dimensions()).collect()
}

/// All vectors of `links` hops from `dimension` on that, added to `hops`, lead from `source` to `target`.
fn vectors_of(
    shape: &Shape,
    (source, target): (u32, u32),
    dimension: usize,
    links: i32,
    hops: Hops,
    found: &mut BTreeSet<[i32; MAX_DIMENSIONS]>,
) {
    if dimension == shape.dimensions() {
        if links == 0 && walk(shape, source, &hops) == Some(target) {
            found.insert(hops.0);
        }
        return;
    }
    for along in -links..=links {
        let mut hops = hops;
        hops.0[dimension] = along;
        vectors_of(shape, (source, target), dimension + 1, links - along.abs(), hops, found);
    }
}

/// The nodes of the ring along a dimension that contains a node.
fn ring(shape: &Shape, node: u32, dimension: usize) -> Vec<u32> {
    let plus = Direction::new(dimension, true);
    let next = |at: &u32| shape.neighbor(*at, plus).filter(|&next| next != node);
    std::iter::successors(Some(node), next).collect()
}

proptest! {
    #[test]
    fn links_commute_and_are_mutual(shape in shapes()) {
        for one in all_directions(&shape) {
            let mut targets = BTreeSet::new();
            for node in 0..shape.nodes() {
                let Some(next) = shape.neighbor(node, one) else { continue };
                prop_assert!(targets.insert(next));
                prop_assert_eq!(shape.neighbor(next, one.opposite()), Some(node));
                prop_assert_eq!(shape.destination(node, &Hops::one(one)), Some(next));
                for other in all_directions(&shape) {
                    let turned = shape.neighbor(node, other).and_then(|node| shape.neighbor(node, one));
                    if let Some(turned) = turned {
                        prop_assert_eq!(shape.neighbor(next, other), Some(turned));
                    }
                }
            }
            prop_assert_eq!(targets.len() as u64, shape.links_toward(one));
        }
    }

    #[test]
    fn hops_lead_where_links_do(shape in shapes(), hops in prop::array::uniform6(-13i32..14), node: u32) {
        let mut hops = Hops(hops);
        hops.0[shape.dimensions()..].fill(0);
        let source = node % shape.nodes();
        // A dimension of length 1 that wraps has no links, but hops along it stay at the node.
        (0..shape.dimensions()).filter(|&d| shape.length(d) == 1).for_each(|d| hops.0[d] = 0);
        prop_assert_eq!(shape.destination(source, &hops), walk(&shape, source, &hops));
    }

    #[test]
    fn distances_are_those_of_the_links(shape in shapes(), node: u32) {
        let source = node % shape.nodes();
        let found = distances(&shape, source, &all_directions(&shape));
        for target in 0..shape.nodes() {
            prop_assert_eq!(found[target as usize], Some(shape.distance(source, target)));
            let hops = shape.route(source, target, node);
            prop_assert_eq!(hops.total(), shape.distance(source, target));
            prop_assert_eq!(shape.destination(source, &hops), Some(target));
            prop_assert_eq!(shape.minimal_routes(source, target).route(&shape, node), hops);
        }
        if shape.is_torus() {
            let sum: u32 = found.iter().flatten().sum();
            prop_assert!((shape.mean_distance() - f64::from(sum) / f64::from(shape.nodes())).abs() < 1e-9);
            prop_assert!(shape.looks_alike_everywhere());
        }
    }

    #[test]
    fn all_minimal_vectors_are_known(shape in shapes(), a: u32, b: u32) {
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        let mut expected = BTreeSet::new();
        let links = shape.distance(source, target) as i32;
        vectors_of(&shape, (source, target), 0, links, Hops::default(), &mut expected);
        let shares: Vec<(Hops, f64)> = shape.route_shares(source, target).collect();
        prop_assert_eq!(shares.len(), expected.len());
        let found: BTreeSet<_> = shares.iter().map(|(hops, _)| hops.0).collect();
        prop_assert_eq!(found, expected);
        prop_assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-6);
    }

    /// Over coins that take every value of their upper bits equally often, each vector is taken as often as any other.
    #[test]
    fn coins_are_fair(shape in shapes(), a: u32, b: u32, low in 0u32..64) {
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        let in_twist = |hops: Hops| {
            let along = |dimension| if shape.takes_part_in_twist(dimension) { hops.0[dimension] } else { 0 };
            std::array::from_fn::<i32, MAX_DIMENSIONS, _>(along)
        };
        let vectors: BTreeSet<_> = shape.route_shares(source, target).map(|(hops, _)| in_twist(hops)).collect();
        let coins = 32 * vectors.len() as u64;
        let mut counts: HashMap<_, u32> = HashMap::new();
        for number in 0..coins {
            let upper = (2 * number + 1) * CHOICES / (2 * coins);
            let hops = shape.route(source, target, (upper as u32) << 6 | low);
            *counts.entry(in_twist(hops)).or_default() += 1;
        }
        prop_assert_eq!(counts.len(), vectors.len());
        prop_assert!(counts.values().all(|&count| count == 32), "{counts:?}");
    }

    #[test]
    fn each_ring_has_one_dateline(shape in shapes()) {
        for dimension in 0..shape.dimensions() {
            for node in 0..shape.nodes() {
                let ring = ring(&shape, node, dimension);
                if !shape.wraps(dimension) || shape.length(dimension) == 1 {
                    prop_assert!(!shape.is_dateline(node, Direction::new(dimension, true)));
                    prop_assert!(!shape.is_dateline(node, Direction::new(dimension, false)));
                    continue;
                }
                prop_assert_eq!(ring.len() as u32, shape.orbit_length(dimension));
                prop_assert_eq!(shape.longest_hops(dimension), shape.orbit_length(dimension) - 1);
                for is_plus in [true, false] {
                    let toward = Direction::new(dimension, is_plus);
                    let before: Vec<u32> =
                        ring.iter().copied().filter(|&node| shape.is_dateline(node, toward)).collect();
                    prop_assert_eq!(before.len(), 1);
                    let beyond = shape.neighbor(before[0], toward).unwrap();
                    prop_assert!(shape.is_dateline(beyond, toward.opposite()));
                }
                if !shape.takes_part_in_twist(dimension) {
                    let wraps = shape.coordinates(node)[dimension] == shape.length(dimension) - 1;
                    prop_assert_eq!(shape.is_dateline(node, Direction::new(dimension, true)), wraps);
                }
            }
        }
    }

    /// The vector is the shortest among those that the directions admit: as short as a walk over links in these alone.
    #[test]
    fn preferences_are_kept(
        shape in shapes(), coin: u32, a: u32, b: u32,
        preferences in prop::array::uniform6(prop::sample::select(vec![Preference::Minimal, Preference::Plus, Preference::Minus])),
    ) {
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        prop_assume!(shape.admits(source, target, &preferences));
        let hops = shape.route_with_preferences(source, target, coin, &preferences);
        prop_assert_eq!(walk(&shape, source, &hops), Some(target));
        let is_admitted = |toward: &Direction| match preferences[toward.dimension()] {
            Preference::Minimal => true,
            Preference::Plus => toward.is_plus(),
            Preference::Minus => !toward.is_plus(),
        };
        prop_assert!(hops.directions().all(|toward| is_admitted(&toward)));
        for dimension in 0..shape.dimensions() {
            prop_assert!(hops.0[dimension].unsigned_abs() <= shape.longest_hops(dimension));
        }
        let admitted: Vec<Direction> = all_directions(&shape).into_iter().filter(is_admitted).collect();
        prop_assert_eq!(distances(&shape, source, &admitted)[target as usize], Some(hops.total()));
    }

    #[test]
    fn a_rule_without_draws_gives_each_pair_one_route(shape in shapes(), coins: [u32; 2], a: u32, b: u32) {
        let shape = shape.with_half_way(HalfWay::PerPair, 3);
        let (source, target) = (a % shape.nodes(), b % shape.nodes());
        let [one, other] = coins.map(|coin| shape.route(source, target, coin));
        prop_assert_eq!(one, other);
        prop_assert_eq!(shape.route_shares(source, target).collect::<Vec<_>>(), vec![(one, 1.0)]);
    }

    /// Whole lengths, and what they shift in turn, change no link.
    #[test]
    fn equal_machines_have_equal_twists(shape in shapes(), times in prop::collection::vec(-2i32..3, 36)) {
        let Some(twist) = shape.twist() else { return Ok(()) };
        let mut other = twist;
        for (across, along, by) in twist.shifts() {
            // Adding a length along a dimension that shifts others adds what it shifts, which is then taken away.
            let times = times[6 * across + along];
            let length = shape.length(along) as i32;
            other = other.shifting(across, along, other.shift(across)[along] - by + by + times * length);
            for (dimension, &shift) in twist.shift(along).iter().enumerate() {
                other = other.shifting(across, dimension, other.shift(across)[dimension] - times * shift);
            }
        }
        let again = shape.clone().with_twist(other).unwrap();
        prop_assert_eq!(again.twist(), shape.twist());
        prop_assert_eq!(&again, &shape);
        for node in 0..shape.nodes() {
            for toward in all_directions(&shape) {
                prop_assert_eq!(again.neighbor(node, toward), shape.neighbor(node, toward));
            }
        }
    }

    #[test]
    fn shapes_are_stored_without_tables(shape in shapes()) {
        let stored = serde_json::to_string(&shape).unwrap();
        prop_assert_eq!(serde_json::from_str::<Shape>(&stored).unwrap(), shape.clone());
        if !shape.is_twisted() {
            let expected = format!(
                r#"{{"lengths":{:?},"wraps":{:?},"nodes":{},"half_way":"per-packet","seed":0}}"#,
                shape.lengths(),
                (0..shape.dimensions()).map(|dimension| shape.wraps(dimension)).collect::<Vec<_>>(),
                shape.nodes(),
            );
            prop_assert_eq!(stored, expected.replace(", ", ","));
        }
    }

    /// Packets take vectors in the shares that are set.
    #[test]
    fn shares_are_kept(shape in shapes(), drawn in prop::collection::vec(0u32..5, 64), b: u32) {
        let target = b % shape.nodes();
        let shares = |vectors: usize| {
            let drawn = |vector: usize| f64::from(drawn[vector % 64] + u32::from(vector == 0));
            let sum: f64 = (0..vectors).map(drawn).sum();
            (0..vectors).map(|vector| drawn(vector) / sum).collect::<Vec<f64>>()
        };
        let all: Vec<Vec<f64>> = shape.shares_by_difference().map(|vectors| shares(vectors.len())).collect();
        let shape = shape.with_route_shares(&all).unwrap();
        let taken: Vec<(Hops, f64)> = shape.route_shares(0, target).collect();
        let coins = 1000u64;
        let mut counts: HashMap<Hops, u32> = HashMap::new();
        for number in 0..64 * coins {
            let upper = (number / 64) * CHOICES / coins;
            *counts.entry(shape.route(0, target, (upper as u32) << 6 | (number % 64) as u32)).or_default() += 1;
        }
        for (hops, share) in taken {
            let found = f64::from(counts.get(&hops).copied().unwrap_or(0)) / (64.0 * coins as f64);
            prop_assert!((found - share).abs() < 0.002, "{found} {share}");
        }
        let stored = serde_json::to_string(&shape).unwrap();
        prop_assert_eq!(serde_json::from_str::<Shape>(&stored).unwrap(), shape);
    }
}

fn automatic(lengths: &[u32]) -> Shape {
    let twist = Twist::automatic(lengths).expect("these lengths have a usual twist");
    Shape::torus(lengths).unwrap().with_twist(twist).unwrap()
}

fn diameter(shape: &Shape) -> u32 {
    (0..shape.nodes()).map(|target| shape.distance(0, target)).max().unwrap()
}

/// The bytes on each link in a direction, if each node sends one byte to each, as its routes are shared.
fn all_to_all_loads(shape: &Shape) -> Vec<f64> {
    let mut loads = vec![0.0; 2 * shape.dimensions()];
    for target in 0..shape.nodes() {
        for (hops, share) in shape.route_shares(0, target) {
            for toward in hops.directions() {
                loads[toward.index()] += share * f64::from(hops.0[toward.dimension()].unsigned_abs());
            }
        }
    }
    loads
}

#[test]
fn the_usual_twist_shortens_routes() {
    for (lengths, plain, twisted) in [([4, 4, 8], 8, 6), ([4, 8, 8], 10, 6), ([8, 4, 4], 8, 6)] {
        assert_eq!(diameter(&Shape::torus(&lengths).unwrap()), plain);
        assert_eq!(diameter(&automatic(&lengths)), twisted, "{lengths:?}");
    }
    let shape = automatic(&[4, 4, 8]);
    assert_eq!([0, 1, 2].map(|dimension| shape.orbit_length(dimension)), [8, 8, 8]);
    assert_eq!(shape.to_string(), "4x4x8 twisted");
    assert_eq!(shape.twist().unwrap().to_string(), "x shifts z by 4, y shifts z by 4");
    let other = Shape::torus(&[4, 4, 8]).unwrap().with_twist(Twist::default().shifting(0, 2, -4));
    assert_eq!(other.unwrap().to_string(), "4x4x8 twisted (x shifts z by 4)");
    for lengths in [&[4, 4, 4][..], &[4, 8], &[4, 4, 12], &[1, 1, 2], &[2, 4, 8], &[4, 4, 8, 8]] {
        assert_eq!(Twist::automatic(lengths), None, "{lengths:?}");
    }
}

/// Linear programs over all minimal routes find 73.333 bytes rather than 128 as the least load, and 184 rather than 256.
/// Equal shares of the routes reach both.
#[test]
fn the_usual_twist_lightens_all_to_all() {
    let busiest = |shape: &Shape| all_to_all_loads(shape).into_iter().fold(0.0, f64::max);
    for (lengths, plain, least) in [([4, 4, 8], 128.0, 220.0 / 3.0), ([4, 8, 8], 256.0, 184.0)] {
        assert_eq!(busiest(&Shape::torus(&lengths).unwrap()), plain);
        let load = busiest(&automatic(&lengths));
        assert!((load - least).abs() < 1e-9, "{lengths:?} {load}");
    }
}

#[test]
fn twists_that_shift_nothing_are_none() {
    let torus = Shape::torus(&[4, 6, 1]).unwrap();
    for twist in [Twist::default(), Twist::default().shifting(0, 1, 12)] {
        assert_eq!(torus.clone().with_twist(twist).unwrap(), torus);
    }
    let twisted = torus.clone().with_twist(Twist::default().shifting(0, 1, 2)).unwrap();
    assert_eq!(twisted.clone().with_twist(Twist::default()).unwrap(), torus);
    assert!(twisted.supports(HalfWay::PerPair) && !twisted.supports(HalfWay::Registers));
    assert!(torus.supports(HalfWay::Registers));
}

#[test]
fn invalid_twists_are_rejected() {
    let shape = Shape::new(&[4, 6, 1, 5], &[true, true, true, false]).unwrap();
    let refused = |shape: &Shape, twist: Twist| shape.clone().with_twist(twist).unwrap_err().to_string();
    let none = Twist::default();
    for (twist, expected) in [
        (none.shifting(0, 0, 1), "in a twist, crossing the wrap of x shifts other dimensions, not x itself"),
        (
            none.shifting(0, 3, 1),
            "a twist shifts rings where they wrap, but u does not wrap, or has only one node",
        ),
        (
            none.shifting(3, 0, 1),
            "a twist shifts rings where they wrap, but u does not wrap, or has only one node",
        ),
        (
            none.shifting(2, 0, 1),
            "a twist shifts rings where they wrap, but z does not wrap, or has only one node",
        ),
        (
            none.shifting(0, 5, 1),
            "a twist shifts rings where they wrap, but w does not wrap, or has only one node",
        ),
        (
            none.shifting(0, 1, 2).shifting(1, 0, 1),
            "the shifts of a twist must not form a circle, as these do: x shifts y by 2, y shifts x by 1",
        ),
    ] {
        assert_eq!(refused(&shape, twist), expected);
    }
    let long = Shape::torus(&[1 << 10, 1 << 11]).unwrap();
    assert_eq!(long.with_twist(none.shifting(0, 1, 5)), Err(ShapeError::TwistTooLarge));
    let one_ring = Shape::torus(&[1 << 9, 1 << 8]).unwrap();
    assert_eq!(one_ring.with_twist(none.shifting(0, 1, 1)), Err(ShapeError::TwistTooLarge));
    let twisted = automatic(&[2, 2, 4]);
    let few: Vec<Vec<f64>> = vec![vec![1.0]; 3];
    assert!(matches!(twisted.with_route_shares(&few), Err(ShapeError::RouteShares { difference: 3 })));
}
