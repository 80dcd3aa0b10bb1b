import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsThatFit, layoutOf, rowsThatFit } from "./layout.ts";
import { ring } from "./schedules-for-tests.ts";

function overlaps(cells: { x: number; y: number }[]): boolean {
    return cells.some((a, i) =>
        cells.slice(i + 1).some((b) => Math.abs(a.x - b.x) < 1 - 1e-9 && Math.abs(a.y - b.y) < 1 - 1e-9),
    );
}

test("racks stand in rows, with midplane 1 above midplane 0", () => {
    const names = ["R00-M0", "R00-M1", "R0A-M0", "R0A-M1", "R10-M0", "R10-M1", "R1A-M0", "R1A-M1"];
    const midplanes = names.map((name, i) => ({ name, place: [0, i] }));
    const { cells, columns, rows } = layoutOf(ring, midplanes, "racks", 2);
    assert.ok(!overlaps(cells));
    assert.ok(cells[1].y < cells[0].y && cells[0].x === cells[1].x);
    assert.ok(cells[2].x > cells[0].x && cells[4].y > cells[0].y);
    assert.deepEqual(
        columns.map(({ text }) => text),
        ["Rack 0", "Rack A"],
    );
    assert.deepEqual(
        rows.map(({ text }) => text),
        ["Row 0", "Row 1"],
    );
});

test("five dimensions: the first two are rows, and gaps part groups", () => {
    const lengths = [2, 3, 2, 2, 1];
    const dimensions = lengths.map((length, d) => ({ name: "ABCDE"[d], length }));
    const midplanes = Array.from({ length: 24 }, (_, i) => ({
        name: `m${i}`,
        place: [Math.floor(i / 12), Math.floor(i / 4) % 3, Math.floor(i / 2) % 2, i % 2, 0],
    }));
    const { cells, columns, rows } = layoutOf({ ...ring, dimensions }, midplanes, "racks", 2);
    assert.ok(!overlaps(cells));
    assert.equal(new Set(cells.map(({ y }) => y)).size, 6);
    assert.equal(new Set(cells.map(({ x }) => x)).size, 4);
    assert.ok(cells[2].x - cells[1].x > cells[1].x - cells[0].x);
    assert.deepEqual(
        columns.filter(({ isGroup }) => isGroup).map(({ text }) => text),
        ["C 0", "C 1"],
    );
    assert.equal(rows.length, 2 + 6);
});

test("blocks behind switches fill a grid", () => {
    const midplanes = Array.from({ length: 64 }, (_, i) => ({ name: `cube-${i}`, place: [] }));
    const { cells } = layoutOf({ ...ring, is_switched: true, dimensions: [] }, midplanes, "racks", 3);
    assert.ok(!overlaps(cells));
    assert.equal(64 % new Set(cells.map(({ x }) => x)).size, 0);
});

test("labels do not overlap: the shared word is left out first, then some of them", () => {
    const labels = Array.from({ length: 8 }, (_, i) => ({ at: i + 0.5, text: `Rack ${i}`, isGroup: false }));
    const texts = (pixels: number) => columnsThatFit(labels, pixels).map(({ text }) => text);
    assert.deepEqual(columnsThatFit(labels, 60), labels);
    assert.deepEqual(texts(33), ["Rack 0", "1", "2", "3", "4", "5", "6", "7"]);
    assert.deepEqual(texts(8), ["Rack 0", "4", "6"]);
    assert.equal(rowsThatFit(labels, 14).length, 8);
    assert.equal(rowsThatFit(labels, 7).length, 4);
});
