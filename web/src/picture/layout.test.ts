import assert from "node:assert/strict";
import { test } from "node:test";
import { machineOf } from "../data/machines-for-tests.ts";
import { foldedPlace, layOut, position } from "./layout.ts";
import { piecesOfLinks } from "./pieces.ts";
import type { View } from "./types.ts";

const view: View = { slice: [], explode: null, wraps: "arcs", outer: "stubs" };

test("a folded ring has every place once, and no neighbors are farther apart than two", () => {
    for (const extent of [1, 2, 3, 4, 7, 8, 32]) {
        const places = Array.from({ length: extent }, (_, c) => foldedPlace(c, extent));
        assert.deepEqual(
            places.slice().sort((a, b) => a - b),
            places.map((_, i) => i),
        );
        places.forEach((place, c) => {
            assert.ok(Math.abs(place - places[(c + 1) % extent]) <= 2);
        });
    }
});

test("no two nodes share a place, in up to six dimensions", () => {
    for (const shape of [
        [5],
        [4, 3],
        [4, 3, 2],
        [3, 3, 3, 3],
        [4, 4, 4, 4, 2],
        [2, 2, 2, 2, 2, 3],
        [4, 1, 1],
        [1, 4, 1, 3],
    ]) {
        const machine = machineOf({ shape });
        for (const wraps of ["arcs", "folded"] as const) {
            const layout = layOut(machine, { ...view, wraps });
            const places = new Set(Array.from({ length: machine.nodes }, (_, node) => position(layout, node).join()));
            assert.equal(places.size, machine.nodes, `${shape} ${wraps}`);
        }
    }
});

test("a slice shows its nodes, and links that leave it as short ends", () => {
    const machine = machineOf({ shape: [4, 4, 4] });
    const sliced: View = { ...view, slice: [null, null, [2, 2]] };
    const layout = layOut(machine, sliced);
    assert.equal(
        layout.shown.reduce((a, b) => a + b, 0),
        16,
    );
    const pieces = piecesOfLinks(machine, layout, { ...sliced, wraps: "hidden" }, () => false);
    const vertical = Array.from(pieces.link).filter((link) => machine.direction[link] >> 1 === 2);
    assert.equal(vertical.length, 32);
    assert.ok(Array.from(pieces.link).every((link) => layout.shown[machine.source[link]] === 1));
});

test("hidden wraps are absent, arcs are several pieces, dead links dashes", () => {
    const machine = machineOf({ shape: [4, 4] });
    const count = (wraps: View["wraps"], dead = -1) => {
        const some = { ...view, wraps };
        return piecesOfLinks(machine, layOut(machine, some), some, (link) => link === dead).count;
    };
    assert.equal(count("hidden"), 48);
    assert.equal(count("stubs"), 64);
    assert.ok(count("arcs") > 64 * 2);
    assert.equal(count("stubs", 0), 66);
});

test("planes that are pulled apart keep their other coordinates", () => {
    const machine = machineOf({ shape: [3, 3, 3] });
    const [near, far] = [null, { dimension: 2, gap: 2 }].map((explode) => layOut(machine, { ...view, explode }));
    for (let node = 0; node < machine.nodes; node++) {
        const [a, b] = [position(near, node), position(far, node)];
        assert.deepEqual([b[0], b[1], b[2]], [a[0], a[1], 3 * a[2]]);
    }
});
