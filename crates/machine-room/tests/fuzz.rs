//! Fuzz target: machine rooms. All catalogues of a room that is read are formed, if it is small.

#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;

use machine_room::Room;
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "[dimension.X]",
    "[profile.a]",
    "[boxes.a]",
    "torus",
    "mesh",
    "opens",
    "loops",
    "[[0, 1], [2, 3]]",
    "per_midplane",
    "\"X\"",
    "names",
    "shape",
    "switched",
    "below_midplane",
    "all",
];

const SMALL_MIDPLANES: usize = 32;

fn corpus() -> Vec<Vec<u8>> {
    let known = ["bluegene-p-2-racks", "tpu-v4-pod", "intrepid"];
    known.iter().map(|name| Room::text_of(name).unwrap().as_bytes().to_vec()).collect()
}

proptest! {
    #[test]
    fn rooms_are_read_or_rejected_in_one_line(bytes in mutation::mutated(corpus(), WORDS)) {
        let text = String::from_utf8_lossy(&bytes);
        match Room::parse(&text, "fuzz.toml") {
            Ok(room) if room.midplanes().len() <= SMALL_MIDPLANES => {
                for (profile, _) in room.profiles() {
                    let _ = room.catalogue(profile);
                }
            }
            Ok(_) => {}
            Err(error) => {
                let message = error.to_string();
                prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
            }
        }
    }
}
