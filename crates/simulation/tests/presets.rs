//! Presets: every value names its source, and every preset fits every shape.

use simulation::resolve;
use std::path::Path;

#[test]
fn every_value_of_a_preset_names_its_source() {
    for text in [
        include_str!("../../../machines/bluegene-l.toml"),
        include_str!("../../../machines/bluegene-l-early.toml"),
        include_str!("../../../machines/bluegene-p.toml"),
    ] {
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in
            lines.iter().enumerate().filter(|(_, line)| line.contains(" = ") && !line.starts_with('#'))
        {
            let above = lines[..index].iter().rev().take_while(|line| line.starts_with('#'));
            let has_source =
                above.into_iter().any(|line| line.starts_with("# source:") || line.starts_with("# assumed,"));
            assert!(has_source, "{line}");
        }
    }
}

#[test]
fn presets_run_in_any_number_of_dimensions() {
    for preset in ["bluegene-l", "bluegene-l-early", "bluegene-p"] {
        for shape in ["[5]", "[4, 4]", "[2, 2, 2, 2]", "[2, 2, 2, 2, 2]", "[2, 3, 2, 1, 2, 2]"] {
            let text = format!(
                "[machine]\npreset = \"{preset}\"\nshape = {shape}\n[workload]\nkind = \"uniform-random\""
            );
            resolve(&text, "a.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
