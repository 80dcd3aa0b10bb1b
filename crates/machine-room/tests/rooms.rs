//! The compiled-in rooms: sizes and counts of their catalogues, and the sources of their numbers.

use machine_room::{Catalogue, ROOMS, Room, Wiring};
use std::collections::BTreeMap;

/// The number of partitions by size and wiring, as `(nodes, "torus")`.
fn counts(catalogue: &Catalogue) -> BTreeMap<(u32, String), usize> {
    let mut counts = BTreeMap::new();
    for partition in catalogue.partitions() {
        *counts.entry((partition.nodes(), partition.wiring().to_string())).or_default() += 1;
    }
    counts
}

fn expected(counts: &[(u32, &str, usize)]) -> BTreeMap<(u32, String), usize> {
    counts.iter().map(|&(nodes, wiring, count)| ((nodes, wiring.to_owned()), count)).collect()
}

#[test]
fn every_number_of_a_room_has_a_source() {
    for (name, text) in ROOMS {
        let lines: Vec<&str> = text.lines().collect();
        let values = |line: &str| {
            line.contains(" = ") && !line.starts_with(['#', ' ']) && !line.starts_with("description")
        };
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| values(line)) {
            let mut above = lines[..index].iter().rev().take_while(|line| line.starts_with('#'));
            let has_source =
                above.any(|line| line.starts_with("# source:") || line.starts_with("# assumed,"));
            assert!(has_source, "{name}:{}: {line}", index + 1);
        }
    }
}

#[test]
fn every_catalogue_of_every_room_can_be_built() {
    for name in Room::known() {
        let room = Room::named(name).unwrap();
        for (profile, _) in room.profiles() {
            let started = std::time::Instant::now();
            let catalogue = room.catalogue(profile).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!catalogue.partitions().is_empty());
            let largest = catalogue.sizes().into_iter().max();
            let expected = match (name, profile) {
                ("tpu-v5p-pod", "site") => 6144, // the largest job (T11)
                _ => room.nodes(),
            };
            assert_eq!(largest, Some(expected), "{name} {profile}: the whole room is a partition");
            println!(
                "{name} {profile}: {} partitions, {:?}",
                catalogue.partitions().len(),
                started.elapsed()
            );
        }
    }
}

#[test]
fn intrepid_is_the_machine_of_the_paper() {
    // S64: 40 racks, 80 midplanes = 5x4x4, 163,840 cores, four per node; 288 cables: X 128, Y 80, Z 80.
    let room = Room::named("intrepid").unwrap();
    assert_eq!((room.midplanes().len(), room.nodes() * 4), (80, 163_840));
    let of_dimension = |dimension: usize| room.cables().iter().filter(|c| c.dimension == dimension).count();
    assert_eq!([0, 1, 2].map(of_dimension), [128, 80, 80]);
}

#[test]
fn the_catalogues_of_intrepid_have_the_sizes_and_counts_of_their_rules() {
    let room = Room::named("intrepid").unwrap();
    let site = expected(&[
        (32, "mesh", 40),
        (64, "mesh", 640),
        (128, "mesh", 320),
        (256, "mesh", 160),
        (512, "torus", 80),
        (1024, "torus", 41),
        (1024, "mesh", 40),
        (2048, "torus", 20),
        (4096, "torus", 17),
        (4096, "mesh", 10),
        (8192, "torus", 8),
        (16384, "torus", 4),
        (24576, "torus", 1),
        (32768, "torus", 2),
        (40960, "torus", 1),
    ]);
    assert_eq!(counts(&room.catalogue("site").unwrap()), site);
    let large = expected(&[
        (8192, "torus", 5),
        (16384, "torus", 4),
        (24576, "torus", 1),
        (32768, "torus", 2),
        (40960, "torus", 1),
    ]);
    let mut paper =
        expected(&[(512, "torus", 80), (1024, "torus", 40), (2048, "torus", 20), (4096, "torus", 10)]);
    paper.extend(large.clone());
    assert_eq!(counts(&room.catalogue("paper-2009").unwrap()), paper);
    let mut mesh =
        expected(&[(512, "torus", 80), (1024, "mesh", 40), (2048, "torus", 20), (4096, "mesh", 10)]);
    mesh.extend(large);
    assert_eq!(counts(&room.catalogue("mesh-1k-4k").unwrap()), mesh);
}

#[test]
fn slices_of_n_n_2n_and_n_2n_2n_chips_can_be_twisted() {
    let room = Room::named("tpu-v4-pod").unwrap();
    let catalogue = room.catalogue("free").unwrap();
    let twisted = catalogue.partitions().iter().filter(|partition| partition.shape().is_twisted());
    let shapes: Vec<&[u32]> = twisted.map(|partition| partition.shape().lengths()).collect();
    assert_eq!(shapes, [[4, 4, 8], [4, 8, 8], [8, 8, 16], [8, 16, 16], [12, 12, 24]]);
    let formed = |cubes: &[&str], spans: [u32; 3]| room.partition(cubes, Wiring::TwistedTorus, Some(&spans));
    let apart = formed(&["cube-03", "cube-41"], [1, 1, 2]).unwrap();
    assert_eq!(apart.name(), "twisted-torus-128-4x4x8");
    assert!(!apart.has_open_dimension());
    assert!(formed(&["cube-03"], [1, 1, 1]).unwrap_err().to_string().contains("usual twist"));
    let cabled = Room::named("bluegene-p-2-racks").unwrap();
    let refused = cabled.partition(&["R00-M0", "R00-M1"], Wiring::TwistedTorus, None);
    assert!(refused.unwrap_err().to_string().contains("only switches can"));
}

#[test]
fn faults_in_a_room_that_is_like_another_are_named() {
    let like = |lines: &str| Room::parse(lines, "mine.toml").map_err(|error| error.to_string());
    let small = "[room]\nlike = \"tpu-v4-pod\"\n[midplane]\ncount = 2\n";
    assert_eq!(like(small).unwrap().midplanes(), ["cube-00", "cube-01"]);
    let own = "[room]\nlike = \"tpu-v5p-pod\"\n[midplane]\nnames = [\"a\", \"b\"]\n";
    assert_eq!(like(own).unwrap().midplanes(), ["a", "b"]);
    for (lines, expected) in [
        ("[room]\nlike = \"tpu-v4-pod\"\n[midplane]\ncount = 4000000000", "at most 4096"),
        ("[room]\nlike = \"tpu-v4\"", "there is no room"),
        ("[room]\nlike = \"tpu-v4-pod\"\n[midplane]\nnames = [\"a\"]\ncount = 1", "lists all midplanes"),
        ("[room]\nlike = \"tpu-v4-pod\"\n[midplane]\nnames = \"cube\"", "one name with {}"),
        ("[room]\nlike = \"tpu-v4-pod\"\n[midplane]\ncount = 0", "must be 1"),
        ("[room]\nlike = \"intrepid\"\n[profile.site]\ntwisted = [\"row\"]", "only switches can"),
    ] {
        let error = like(lines).expect_err(lines);
        assert!(error.contains(expected), "{lines}: {error}");
    }
}
