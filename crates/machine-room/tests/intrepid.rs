//! Statements of sections 2 and 3 of Desai et al. 2009 (S64, S65), tested one by one by exact search over the
//! catalogues.
//!
//! Tests of a row use row 0; a separate test shows that all rows are equivalent.

use machine_room::{Catalogue, LinkChip, Partition, Room, Wiring};

fn room() -> Room {
    Room::named("intrepid").unwrap()
}

fn paper() -> Catalogue {
    room().catalogue("paper-2009").unwrap()
}

fn partition(midplanes: &[&str], wiring: Wiring) -> Partition {
    room().partition(midplanes, wiring, None).unwrap()
}

/// The partitions of `nodes` nodes that lie entirely in row `row`.
fn in_row(catalogue: &Catalogue, row: usize, nodes: u32, wiring: Wiring) -> Vec<usize> {
    let all = catalogue.partitions().iter().enumerate();
    let fits = |partition: &Partition| {
        partition.nodes() == nodes
            && partition.wiring() == wiring
            && partition.midplanes().ones().all(|midplane| midplane / 16 == row)
    };
    all.filter(|(_, partition)| fits(partition)).map(|(index, _)| index).collect()
}

/// The maximum number of `candidates` that can run together, by exhaustive search.
fn max_together(catalogue: &Catalogue, candidates: &[usize]) -> usize {
    let Some((&first, rest)) = candidates.split_first() else { return 0 };
    let disjoint: Vec<usize> =
        rest.iter().copied().filter(|&other| !catalogue.conflict(first, other)).collect();
    let with = 1 + max_together(catalogue, &disjoint);
    if disjoint.len() == rest.len() { with } else { with.max(max_together(catalogue, rest)) }
}

/// Every combination of one partition from each group that can run together.
fn together(catalogue: &Catalogue, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    groups.iter().fold(vec![vec![]], |paths, group| {
        let extend = |path: &Vec<usize>| {
            let path = path.clone();
            let free: Vec<usize> = group
                .iter()
                .copied()
                .filter(|&new| path.iter().all(|&old| !catalogue.conflict(old, new)))
                .collect();
            free.into_iter().map(move |new| [path.clone(), vec![new]].concat()).collect::<Vec<_>>()
        };
        paths.iter().flat_map(extend).collect()
    })
}

fn tori(catalogue: &Catalogue, nodes: u32) -> Vec<usize> {
    in_row(catalogue, 0, nodes, Wiring::Torus)
}

fn meshes(catalogue: &Catalogue, nodes: u32) -> Vec<usize> {
    in_row(catalogue, 0, nodes, Wiring::Mesh)
}

mod section_2 {
    use super::*;

    #[test]
    fn midplanes_contain_512_nodes_in_an_8x8x8_structure_and_a_2k_partition_is_four() {
        let room = room();
        assert_eq!(room.midplane_shape(), [8, 8, 8]);
        assert!(paper().partitions().iter().filter(|p| p.nodes() == 2048).all(|p| p.midplane_count() == 4));
    }

    #[test]
    fn individual_midplanes_can_be_used_as_partitions() {
        let catalogue = paper();
        let midplanes: Vec<usize> =
            (0..5).flat_map(|row| in_row(&catalogue, row, 512, Wiring::Torus)).collect();
        assert_eq!((midplanes.len(), max_together(&catalogue, &midplanes)), (80, 80));
    }

    #[test]
    fn a_link_chip_connects_to_at_most_four_cables() {
        let room = room();
        for midplane in 0..room.midplanes().len() {
            for dimension in 0..3 {
                let touches = |cable: &&machine_room::Cable| {
                    cable.dimension == dimension && (cable.from == midplane || cable.to == midplane)
                };
                assert!((2..=4).contains(&room.cables().iter().filter(touches).count()));
            }
        }
    }

    #[test]
    fn cables_can_only_be_used_by_a_single_partition_at_once() {
        let catalogue = room().catalogue("site").unwrap();
        for (i, one) in catalogue.partitions().iter().enumerate() {
            for (j, other) in catalogue.partitions().iter().enumerate().skip(i + 1) {
                assert!(catalogue.conflict(i, j) || one.cables().is_disjoint(other.cables()));
            }
        }
    }

    #[test]
    fn link_chips_join_a_midplane_to_a_pair_of_cables_or_wrap_it() {
        // In Y and Z. In X a partition also uses cables that it does not need (docs/models/machine-room.md).
        let room = room();
        for p in paper().partitions() {
            for midplane in p.midplanes().ones() {
                for dimension in 1..3 {
                    let own = |end: fn(&machine_room::Cable) -> usize| {
                        let cables = p.cables().ones().map(|cable| room.cables()[cable]);
                        cables.filter(|cable| cable.dimension == dimension && end(cable) == midplane).count()
                    };
                    let expected = match p.link_chip(midplane, dimension).unwrap() {
                        LinkChip::Wrap => (0, 0),
                        LinkChip::Join => (1, 1),
                        LinkChip::PassThrough => {
                            unreachable!("a partition does not pass through its own midplanes")
                        }
                    };
                    assert_eq!((own(|cable| cable.from), own(|cable| cable.to)), expected);
                }
            }
        }
    }

    #[test]
    fn a_midplane_that_is_passed_through_can_run_alone_but_not_connect_in_that_dimension() {
        let (room, catalogue) = (room(), room().catalogue("free").unwrap());
        let mut passed = 0;
        for p in paper().partitions() {
            for at in p.passed_through() {
                passed += 1;
                assert_eq!(p.link_chip(at.midplane, at.dimension), Some(LinkChip::PassThrough));
                let alone = partition(&[&room.midplanes()[at.midplane]], Wiring::Torus);
                assert!(!room.conflicts(p, &alone));
                let connects =
                    |other: &&Partition| other.link_chip(at.midplane, at.dimension) == Some(LinkChip::Join);
                // In Y and Z a torus uses the whole loop. In X the loops of other rows may remain intact.
                if at.dimension > 0 {
                    assert!(
                        catalogue.partitions().iter().filter(connects).all(|other| room.conflicts(p, other))
                    );
                }
            }
        }
        assert!(passed > 0);
    }

    #[test]
    fn a_torus_connects_each_midplane_to_six_neighbors_and_a_mesh_needs_only_interior_connections() {
        let room = room();
        for (row, racks) in [("R00-M0 R00-M1 R02-M0 R02-M1", 2), ("R00-M0 R00-M1", 1)] {
            let names: Vec<&str> = row.split(' ').collect();
            let (torus, mesh) = (partition(&names, Wiring::Torus), partition(&names, Wiring::Mesh));
            assert_eq!(torus.shape().to_string(), format!("8x{}x16", 8 * racks));
            assert!((0..3).all(|dimension| torus.shape().wraps(dimension)));
            assert!(mesh.cables().ones().all(|cable| torus.cables().contains(cable)));
            assert!(mesh.cables().count_ones(..) < torus.cables().count_ones(..));
            let interior = |cable: usize| {
                let cable = room.cables()[cable];
                mesh.midplanes().contains(cable.from) && mesh.midplanes().contains(cable.to)
            };
            assert!(mesh.cables().ones().all(interior));
            assert!(mesh.has_open_dimension() && mesh.passed_through().is_empty());
        }
    }

    /// (row, rack, midplane within the rack) of a name such as R23-M1.
    fn position(name: &str) -> (u32, u32, u32) {
        let digit = |at: usize| name[at..=at].parse().unwrap();
        (digit(1), digit(2), digit(5))
    }

    #[test]
    fn x_connects_rows_y_the_same_position_two_racks_on_and_z_the_midplanes_of_two_racks() {
        let room = room();
        let mut two_racks_on = vec![0; room.midplanes().len()];
        for cable in room.cables() {
            let (row, rack, _) = position(&room.midplanes()[cable.from]);
            let (to_row, to_rack, _) = position(&room.midplanes()[cable.to]);
            match cable.dimension {
                0 => assert!(row != to_row && rack == to_rack),
                1 => {
                    assert!(row == to_row && rack % 2 == to_rack % 2);
                    let at_place = |midplane: usize| room.coordinates(midplane)[2];
                    assert_eq!(at_place(cable.from), at_place(cable.to));
                    // The loop is folded: the other cable of each midplane spans four racks.
                    assert!([2, 4].contains(&rack.abs_diff(to_rack)));
                    if rack.abs_diff(to_rack) == 2 {
                        two_racks_on[cable.from] += 1;
                        two_racks_on[cable.to] += 1;
                    }
                }
                _ => assert!(row == to_row && rack / 2 == to_rack / 2),
            }
        }
        assert!(two_racks_on.iter().all(|&cables| cables == 1));
    }

    #[test]
    fn a_torus_over_several_midplanes_of_a_dimension_takes_all_cables_of_its_lines() {
        let room = room();
        for p in paper().partitions() {
            for (number, cable) in room.cables().iter().enumerate().filter(|(_, cable)| cable.dimension > 0) {
                let touches = [cable.from, cable.to].iter().any(|&midplane| {
                    p.spans()[cable.dimension] > 1 && p.link_chip(midplane, cable.dimension).is_some()
                });
                assert_eq!(p.cables().contains(number), touches, "{}", p.name());
            }
        }
    }

    #[test]
    fn several_meshes_can_be_active_on_one_loop_but_not_a_torus_with_one() {
        let room = room();
        let [low, high] = [["R00-M0", "R00-M1"], ["R01-M1", "R01-M0"]];
        let conflict = |a: Wiring, b: Wiring| room.conflicts(&partition(&low, a), &partition(&high, b));
        assert!(!conflict(Wiring::Mesh, Wiring::Mesh));
        assert!(conflict(Wiring::Torus, Wiring::Mesh));
        assert!(conflict(Wiring::Torus, Wiring::Torus));
    }

    #[test]
    fn partitions_below_512_nodes_can_only_be_meshes() {
        let catalogue = room().catalogue("site").unwrap();
        let small: Vec<&Partition> = catalogue.partitions().iter().filter(|p| p.nodes() < 512).collect();
        // The site's table also has single node cards, on 40 of the midplanes' cards.
        assert_eq!(small.iter().filter(|p| p.nodes() == 32).count(), 40);
        assert_eq!(small.len(), 80 * (8 + 4 + 2) + 40);
        assert!(small.iter().all(|p| p.has_open_dimension() && p.cables().is_clear()));
    }
}

mod section_3 {
    use super::*;

    #[test]
    fn the_full_system_is_5x4x4_and_a_row_1x4x4() {
        let catalogue = paper();
        let spans = |nodes: u32| {
            let of_size = catalogue.partitions().iter().filter(move |p| p.nodes() == nodes);
            of_size.map(|p| p.spans().to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(spans(40960), [[5, 4, 4]]);
        assert_eq!(spans(8192), [[1, 4, 4]; 5]);
    }

    #[test]
    fn jobs_up_to_32k_have_partitions() {
        let sizes = [512, 1024, 2048, 4096, 8192, 16384, 24576, 32768, 40960];
        assert_eq!(paper().sizes(), sizes);
    }

    #[test]
    fn all_rows_are_equivalent() {
        let catalogue = paper();
        for nodes in [512, 1024, 2048, 4096, 8192] {
            let counts: Vec<usize> = (0..5)
                .map(|row| max_together(&catalogue, &in_row(&catalogue, row, nodes, Wiring::Torus)))
                .collect();
            assert_eq!(counts, [counts[0]; 5], "{nodes}");
        }
    }

    #[test]
    fn a_row_runs_one_8k_or_four_2k_or_only_one_4k_or_four_1k() {
        let catalogue = paper();
        for (nodes, max) in [(8192, 1), (4096, 1), (2048, 4), (1024, 4), (512, 16)] {
            assert_eq!(max_together(&catalogue, &tori(&catalogue, nodes)), max, "{nodes}");
        }
    }

    #[test]
    fn a_4k_and_two_2k_are_valid_and_two_4k_are_not() {
        let catalogue = paper();
        let [two, four] = [2048, 4096].map(|nodes| tori(&catalogue, nodes));
        assert!(!together(&catalogue, &[four.clone(), two.clone(), two]).is_empty());
        assert!(together(&catalogue, &[four.clone(), four]).is_empty());
    }

    #[test]
    fn with_a_4k_and_two_1k_the_remaining_four_midplanes_run_only_individually() {
        let catalogue = paper();
        let [one, four] = [1024, 4096].map(|nodes| tori(&catalogue, nodes));
        let paths = together(&catalogue, &[four, one.clone(), one]);
        assert!(!paths.is_empty());
        for path in paths {
            let disjoint = |nodes: u32| -> Vec<usize> {
                let fits = |&index: &usize| path.iter().all(|&running| !catalogue.conflict(running, index));
                tori(&catalogue, nodes).into_iter().filter(fits).collect()
            };
            assert_eq!(disjoint(512).len(), 4);
            assert!([1024, 2048, 4096, 8192].iter().all(|&nodes| disjoint(nodes).is_empty()));
        }
    }

    #[test]
    fn x_cables_would_connect_these_midplanes_but_prevent_jobs_of_several_rows() {
        let (room, catalogue) = (room(), paper());
        // What the same 4K and two 1K partitions leave free in rows 0 and 1; X cables would connect it.
        let across = partition(&["R05-M1", "R05-M0", "R15-M0", "R15-M1"], Wiring::Torus);
        let lower = partition(&["R05-M1", "R15-M0"], Wiring::Torus);
        assert!(room.conflicts(&across, &lower));
        let running: Vec<Partition> = [["R04-M0", "R04-M1"], ["R14-M0", "R14-M1"], ["R06-M0", "R06-M1"]]
            .iter()
            .map(|rack| partition(rack, Wiring::Torus))
            .collect();
        assert!(running.iter().all(|p| !room.conflicts(p, &lower)));
        assert!(room.conflicts(&running[0], &across), "Z cables are taken, so only X is left");
        let of_rows = |p: &&Partition| p.spans()[0] > 1 && p.midplanes().contains(0);
        let large: Vec<&Partition> = catalogue.partitions().iter().filter(of_rows).collect();
        assert!(!large.is_empty() && large.iter().all(|p| !p.cables().is_disjoint(lower.cables())));
    }

    #[test]
    fn small_partitions_use_no_x_cables() {
        assert!(paper().partitions().iter().all(|p| p.spans()[0] == 1 || p.nodes() >= 16384));
    }
}

/// Section 4.3, and consequences of the rules.
mod meshes {
    use super::*;

    #[test]
    fn a_row_runs_two_4k_or_eight_1k_meshes() {
        let catalogue = room().catalogue("mesh-1k-4k").unwrap();
        for (nodes, max) in [(4096, 2), (1024, 8)] {
            assert_eq!(max_together(&catalogue, &super::meshes(&catalogue, nodes)), max, "{nodes}");
        }
    }

    #[test]
    fn the_cabling_of_a_2k_or_8k_mesh_suffices_for_a_torus() {
        let (room, catalogue) = (room(), paper());
        for p in catalogue.partitions().iter().filter(|p| [2048, 8192].contains(&p.nodes())) {
            let names: Vec<&str> =
                p.midplanes().ones().map(|midplane| room.midplanes()[midplane].as_str()).collect();
            assert_eq!(&partition(&names, Wiring::Mesh), p);
        }
    }

    #[test]
    fn a_4k_mesh_is_open_in_one_dimension_only() {
        let catalogue = room().catalogue("site").unwrap();
        let shapes: Vec<String> = super::meshes(&catalogue, 4096)
            .iter()
            .map(|&i| catalogue.partitions()[i].shape().to_string())
            .collect();
        assert_eq!(shapes, ["8x16mx32"; 2]);
    }

    #[test]
    fn meshes_conflict_less() {
        let conflicts = |profile: &str| {
            let catalogue = room().catalogue(profile).unwrap();
            (0..catalogue.partitions().len())
                .map(|index| catalogue.conflicts(index).count_ones(..))
                .sum::<usize>()
        };
        assert!(conflicts("mesh-1k-4k") < conflicts("paper-2009"));
    }
}

#[test]
fn the_catalogue_has_as_many_conflicting_pairs_as_the_sites_table() {
    // The site's table names 227 partitions of 512 nodes or more; 2,437 of their 25,651 pairs conflict. Three of them
    // use exactly the midplanes and cables of another one, and the catalogue holds these once: two midplanes as meshes,
    // and the 2K mesh of racks 32 and 33. Their pairs are added back.
    let catalogue = room().catalogue("site").unwrap();
    let large: Vec<usize> = (0..catalogue.partitions().len())
        .filter(|&index| catalogue.partitions()[index].nodes() >= 512)
        .collect();
    let degree = |name: &str| {
        let index = catalogue.find(name).unwrap_or_else(|| panic!("{name}"));
        large.iter().filter(|&&other| other != index && catalogue.conflict(index, other)).count()
    };
    let pairs = large.iter().map(|&i| large.iter().filter(|&&j| j < i && catalogue.conflict(i, j)).count());
    let twins = ["torus-512-R33-M0", "torus-512-R40-M0", "torus-2048-X3-Y1-Z0123"];
    let added: usize = twins.iter().map(|name| degree(name) + 1).sum();
    // R33-M0 lies in the 2K partition, so the twins of both also conflict with each other.
    assert_eq!((large.len() + 3) * (large.len() + 2) / 2, 25_651);
    assert_eq!(pairs.sum::<usize>() + added + 1, 2_437);
}
