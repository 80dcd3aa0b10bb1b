import assert from "node:assert/strict";
import { test } from "node:test";
import { machineOf } from "../data/machines-for-tests.ts";
import { homeCamera, Orbit } from "./camera.ts";
import { paint } from "./colors.ts";
import { layOut, position } from "./layout.ts";
import { pick } from "./pick.ts";
import { piecesOfLinks } from "./pieces.ts";
import { ribbonPixels } from "./ribbons.ts";
import type { View } from "./types.ts";

const view: View = { slice: [], explode: null, wraps: "stubs", outer: "stubs" };

/** A flat machine from above: nothing hides anything. */
function scene() {
    const machine = machineOf({ shape: [6, 5] });
    const layout = layOut(machine, view);
    const home = homeCamera(true);
    const orbit = new Orbit(home);
    orbit.show(layout);
    const projection = orbit.place(home, { x: 0, y: 0, width: 900, height: 600 });
    const pieces = piecesOfLinks(machine, layout, view, () => false);
    const linkWords = new Uint32Array(machine.links).fill(paint([1, 2, 3], 0.5));
    const nodeWords = new Uint32Array(machine.nodes).fill(paint([1, 2, 3], 0.5));
    return { machine, projection, things: { layout, pieces, linkWords, nodeWords } };
}

test("each node and each link is hit where it is drawn, to the right of its way", () => {
    const { machine, projection, things } = scene();
    for (let node = 0; node < machine.nodes; node++) {
        const at = projection.project(...position(things.layout, node))!;
        assert.deepEqual(pick(things, projection, at[0], at[1]), { node });
    }
    const { start, finish, link } = things.pieces;
    for (let piece = 0; piece < things.pieces.count; piece++) {
        const k = 4 * piece;
        const a = projection.project(start[k], start[k + 1], start[k + 2])!;
        const b = projection.project(finish[k], finish[k + 1], finish[k + 2])!;
        const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
        const { width, gap } = ribbonPixels(0.5, 0.5, projection.scale / a[2]);
        const aside = gap + width / 2;
        const x = a[0] + 0.7 * (b[0] - a[0]) - (aside * (b[1] - a[1])) / length;
        const y = a[1] + 0.7 * (b[1] - a[1]) + (aside * (b[0] - a[0])) / length;
        assert.deepEqual(pick(things, projection, x, y), { link: link[piece] });
    }
});

test("nothing is hit outside the machine, and nothing hidden", () => {
    const { machine, projection, things } = scene();
    assert.equal(pick(things, projection, 2, 2), null);
    const at = projection.project(...position(things.layout, 7))!;
    const hidden = { ...things, linkWords: new Uint32Array(machine.links), nodeWords: new Uint32Array(machine.nodes) };
    assert.equal(pick(hidden, projection, at[0], at[1]), null);
});
