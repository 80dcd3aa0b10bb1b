//! Invariants of all rooms, checked on every partition of the compiled-in rooms and on random rooms.

use machine_room::{Catalogue, Partition, Room, Wiring};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Whether the partition's cables in `dimension` form a cycle through all of its own midplanes on every line, by
/// search.
fn is_closed(room: &Room, p: &Partition, dimension: usize) -> bool {
    let stride_key = |midplane: usize| {
        let mut place = room.coordinates(midplane);
        place.remove(dimension);
        place
    };
    let lines: BTreeSet<Vec<u32>> = p.midplanes().ones().map(stride_key).collect();
    lines.iter().all(|line| {
        let own: Vec<usize> =
            p.midplanes().ones().filter(|&midplane| stride_key(midplane) == *line).collect();
        let steps: Vec<(usize, usize)> = p
            .cables()
            .ones()
            .map(|cable| room.cables()[cable])
            .filter(|cable| cable.dimension == dimension && stride_key(cable.from) == *line)
            .map(|cable| (cable.from, cable.to))
            .collect();
        has_cycle(&steps, &own, &mut vec![own[0]])
    })
}

/// Whether a path along `steps` returns to its start after visiting all of `own` and no midplane twice.
fn has_cycle(steps: &[(usize, usize)], own: &[usize], path: &mut Vec<usize>) -> bool {
    let here = path[path.len() - 1];
    for &(_, to) in steps.iter().filter(|(from, _)| *from == here) {
        if to == path[0] && own.iter().all(|midplane| path.contains(midplane)) {
            return true;
        }
        if !path.contains(&to) {
            path.push(to);
            if has_cycle(steps, own, path) {
                return true;
            }
            path.pop();
        }
    }
    false
}

fn check_partition(room: &Room, p: &Partition) {
    let shape = p.shape();
    assert_eq!(p.nodes() as usize, p.midplane_count() * room.nodes_of_midplane() as usize);
    for dimension in 0..shape.dimensions() {
        assert_eq!(shape.length(dimension), p.spans()[dimension] * room.midplane_shape()[dimension]);
        let closed = p.spans()[dimension] == 1 || is_closed(room, p, dimension);
        assert_eq!(shape.wraps(dimension), closed, "{} {dimension}", p.name());
    }
    let is_open = (0..shape.dimensions()).any(|d| shape.length(d) > 1 && !shape.wraps(d));
    assert_eq!((p.has_open_dimension(), p.wiring() == Wiring::Mesh), (is_open, is_open));
    for at in p.passed_through() {
        assert!(!p.midplanes().contains(at.midplane));
    }
}

/// Checks the conflict matrix against its definition: two partitions conflict if they share a midplane or a cable.
fn check_conflicts(room: &Room, catalogue: &Catalogue, every: usize) {
    let partitions = catalogue.partitions();
    for i in (0..partitions.len()).step_by(every) {
        for j in 0..partitions.len() {
            assert_eq!(catalogue.conflict(i, j), room.conflicts(&partitions[i], &partitions[j]));
            assert_eq!(catalogue.conflict(i, j), catalogue.conflict(j, i));
        }
        assert!(catalogue.conflict(i, i));
    }
}

fn check_names(catalogue: &Catalogue) {
    let names: BTreeSet<&str> = catalogue.partitions().iter().map(Partition::name).collect();
    assert_eq!(names.len(), catalogue.partitions().len());
    for (index, p) in catalogue.partitions().iter().enumerate() {
        assert_eq!(catalogue.find(p.name()), Some(index));
    }
}

/// Checks each catalogue of the compiled-in rooms, except those of switched rooms.
fn check_catalogues(check: impl Fn(&Room, &Catalogue)) {
    for room in Room::known().map(|name| Room::named(name).unwrap()).filter(|room| !room.is_switched()) {
        room.profiles().for_each(|(profile, _)| check(&room, &room.catalogue(profile).unwrap()));
    }
}

#[test]
fn cables_close_exactly_the_wrapped_dimensions() {
    check_catalogues(|room, catalogue| {
        let whole = catalogue.partitions().iter().filter(|p| p.cards().is_none());
        whole.for_each(|p| check_partition(room, p));
    });
}

#[test]
fn conflicts_are_symmetric_and_mean_sharing() {
    check_catalogues(|room, catalogue| {
        check_conflicts(room, catalogue, 1 + catalogue.partitions().len() / 300);
        check_names(catalogue);
    });
}

#[test]
fn with_optical_switches_only_sizes_conflict() {
    let room = Room::named("tpu-v4-pod").unwrap();
    let catalogue = room.catalogue("free").unwrap();
    for (i, one) in catalogue.partitions().iter().enumerate() {
        assert!(!one.has_open_dimension() && one.cables().is_clear() && one.midplanes().is_clear());
        assert!(one.shape().lengths().iter().all(|length| length % 4 == 0));
        for (j, other) in catalogue.partitions().iter().enumerate().filter(|(j, _)| *j != i) {
            assert_eq!(catalogue.conflict(i, j), one.nodes() + other.nodes() > 4096);
        }
    }
    let cubes = |names: &[&str], spans: &[u32]| room.partition(names, Wiring::Torus, Some(spans));
    let far_apart = cubes(&["cube-00", "cube-63"], &[1, 1, 2]).unwrap();
    assert_eq!(far_apart.shape().to_string(), "4x4x8");
    assert!(!room.conflicts(&far_apart, &cubes(&["cube-01", "cube-02"], &[2, 1, 1]).unwrap()));
    assert!(room.conflicts(&far_apart, &cubes(&["cube-63"], &[1, 1, 1]).unwrap()));
    for wrong in [[1, 1, 3], [u32::MAX; 3]] {
        assert!(cubes(&["cube-00", "cube-63"], &wrong).is_err());
    }
}

/// A room file with two dimensions; the first has a loop over all positions and one over some of them.
fn file(lengths: [u32; 2], order: &[u32], inner: &[u32], opens: bool) -> String {
    let names: Vec<String> = (0..lengths[0] * lengths[1]).map(|number| format!("\"M{number}\"")).collect();
    let whole: Vec<u32> = order.iter().copied().filter(|place| *place < lengths[0]).collect();
    let some: Vec<u32> = inner.iter().copied().filter(|place| *place < lengths[0]).collect();
    let mut loops = vec![whole, some];
    loops.retain(|places| places.len() > 1);
    let across: Vec<u32> = (0..lengths[1]).collect();
    let across = if lengths[1] > 1 { vec![across] } else { vec![] };
    format!(
        "[room]\ndescription = \"random\"\ndimensions = [\"P\", \"Q\"]\n[midplane]\nshape = [2, 3]\nnames = [{}]\n\
         [dimension.P]\nlength = {}\nloops = {loops:?}\nopens = {opens}\n[dimension.Q]\nlength = {}\nloops = {across:?}\n\
         [boxes.any]\nP = \"runs\"\nQ = \"runs\"\n\
         [profile.both]\ndescription = \"both\"\ntorus = [\"any\"]\nmesh = [\"any\"]\n",
        names.join(", "),
        lengths[0],
        lengths[1],
    )
}

proptest! {
    #[test]
    fn random_rooms_satisfy_the_invariants(
        lengths in [1u32..6, 1u32..4],
        order in Just(vec![0u32, 1, 2, 3, 4]).prop_shuffle(),
        inner in prop::sample::subsequence(vec![0u32, 1, 2, 3, 4], 0..5).prop_shuffle(),
        opens in any::<bool>(),
    ) {
        let room = match Room::parse(&file(lengths, &order, &inner, opens), "random.toml") {
            Ok(room) => room,
            Err(error) => {
                prop_assert!(error.to_string().contains("also close the loop"), "{}", error);
                return Ok(());
            }
        };
        let catalogue = room.catalogue("both").unwrap();
        catalogue.partitions().iter().for_each(|p| check_partition(&room, p));
        check_conflicts(&room, &catalogue, 1);
        check_names(&catalogue);
        for p in catalogue.partitions() {
            let names: Vec<&str> = p.midplanes().ones().map(|m| room.midplanes()[m].as_str()).collect();
            let wirings = [Wiring::Torus, Wiring::Mesh].map(|wiring| room.partition(&names, wiring, None).unwrap());
            prop_assert!(wirings.contains(p));
        }
    }
}
