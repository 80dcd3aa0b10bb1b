import assert from "node:assert/strict";
import { test } from "node:test";
import { machineOf } from "./machines-for-tests.ts";
import { Table } from "./parquet.ts";
import { LinkSeries, Series } from "./series.ts";

const table = (columns: Record<string, unknown[]>) =>
    new Table(Object.values(columns)[0].length, new Map(Object.entries(columns)));

test("rows are found by cycle", () => {
    const series = new Series(table({ start_cycle: [0n, 10n, 20n], end_cycle: [10n, 20n, 25n] }));
    assert.deepEqual(
        [0, 9, 10, 24, 25].map((cycle) => series.rowAt(cycle)),
        [0, 0, 1, 2, null],
    );
    assert.equal(series.shareOf([true, false, true]), 0.6);
});

test("bytes are shares of the row's full value, and peaks are the first of the largest", () => {
    const machine = machineOf({ shape: [2], wrap: [false] });
    const rows = [Uint8Array.of(0, 255), Uint8Array.of(51, 0), Uint8Array.of(255, 255)];
    const links = new LinkSeries(table({ full: [0.5, 1, 0.2], bytes: rows }), "links", machine);
    assert.deepEqual(Array.from(links.overTime(0)), [0, 0.2, 0.2]);
    assert.deepEqual(Array.from(links.overTime(1)), [0.5, 0, 0.2]);
    assert.deepEqual(Array.from(links.peaks().row), [1, 0]);
});

test("of planes there is a byte for each direction and coordinate", () => {
    const machine = machineOf({ shape: [3, 2] });
    const bytes = Uint8Array.from({ length: 10 }, (_, i) => i); // x+ 0..2, x- 3..5, y+ 6..7, y- 8..9
    const links = new LinkSeries(table({ full: [255], bytes: [bytes] }), "planes", machine);
    const at = (x: number, y: number, name: string) => {
        const link = machine.linkFrom(machine.nodeAt([x, y])!, machine.directionOf(name))!;
        return links.value(0, link);
    };
    assert.deepEqual([at(2, 0, "x+"), at(2, 1, "x-"), at(0, 1, "y+"), at(0, 0, "y-")], [2, 5, 7, 8]);
});
