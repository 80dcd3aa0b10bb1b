//! What the model must fulfil whatever the engine: formulas and conservation laws.

mod support;

use geometry::Shape;
use network::Engine;
use network::reference::ReferenceEngine;
use support::{RandomPackets, bluegene_l, drain};

#[test]
fn drained_runs_deliver_what_they_inject() {
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let mut engine = ReferenceEngine::new(bluegene_l(&shape), RandomPackets::new(&shape, 3).traffic());
    drain(&mut engine, 1_000_000);
    let totals = engine.totals();
    assert_eq!((totals.injected, totals.delivered), (64 * 20, 64 * 20));
    engine.assert_tokens_conserved();
    eprintln!("{totals:?}");
}
