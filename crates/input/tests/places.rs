//! A default is blamed on the document or override that has added its table, and not on the document around that table.

use input::{Document, Override};
use serde_json::{Value, json};

const KEY: &str = "machine.link_errors.timeout_cycles";

fn preset() -> Document {
    document(json!({ "machine": { "shape": [4] } }), "preset.toml")
}

fn document(value: Value, origin: &str) -> Document {
    Document::from_plain(value, origin).unwrap()
}

#[test]
fn a_merged_document_is_blamed_for_the_tables_it_adds() {
    let mut merged = preset();
    merged.merge(document(json!({ "machine": { "link_errors": { "bit_error_rate": 1e-6 } } }), "scenario"));
    assert_eq!(merged.place(KEY), "scenario");
    assert_eq!(merged.place("machine.shape"), "preset.toml");
    assert_eq!(
        merged.place("machine.router"),
        "scenario",
        "a key that neither has is missing in the later one"
    );
}

#[test]
fn an_override_is_blamed_for_the_tables_it_adds() {
    let mut changed = preset();
    let change = Override {
        path: "machine.link_errors.bit_error_rate".to_owned(),
        value: json!(1e-6),
        origin: "--set machine.link_errors.bit_error_rate".to_owned(),
    };
    changed.apply(&change).unwrap();
    assert_eq!(changed.place(KEY), change.origin);
    assert_eq!(changed.place("machine.router"), "preset.toml");
}
