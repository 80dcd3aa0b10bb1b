import assert from "node:assert/strict";
import { test } from "node:test";
import { Instant } from "./instant.ts";
import { ring, scheduleOf } from "./schedules-for-tests.ts";
import { waitsText } from "./waits.ts";

test("jobs run from their start until before their end, and wait before", () => {
    const schedule = scheduleOf([
        { submit: 0, start: 0, end: 10, nodes: 64, partition: "torus-64-M0" },
        { submit: 2, start: 10, end: 20, nodes: 64, partition: "torus-64-M0" },
        { submit: 3, start: null, end: null, nodes: 9999 },
    ]);
    const at = (second: number) => {
        const { running, waiting } = new Instant(schedule, second);
        return [running, waiting];
    };
    assert.deepEqual(at(1), [[0], []]);
    assert.deepEqual(at(5), [[0], [1]]);
    assert.deepEqual(at(10), [[1], []]);
    assert.deepEqual([...schedule.events], [0, 10, 20]);
    assert.deepEqual(schedule.span, [0, 20]);
});

test("a partition is held by jobs in its midplanes and by those on its cables", () => {
    const schedule = scheduleOf([
        { submit: 0, start: 0, end: 30, nodes: 128, partition: "torus-128-A" },
        { submit: 0, start: 1, end: 50, nodes: 64, partition: "torus-64-M3" },
        { submit: 2, start: 50, end: 60, nodes: 100, granted: 128, partition: "torus-128-B" },
    ]);
    const now = new Instant(schedule, 5);
    const waits = now.waits(2);
    assert.ok(waits.kind === "partition");
    assert.deepEqual([waits.size, waits.total, waits.free], [128, 2, 0]);
    // A is held by the first job only; B by its cables until then, and by the second job after that.
    assert.deepEqual([waits.next!.partition.name, waits.next!.holders, waits.next!.until], ["torus-128-A", [0], 30]);
    assert.deepEqual(now.holdersOf(schedule.partitions.find(({ name }) => name === "torus-128-B")!), [0, 1]);
    assert.deepEqual([now.in(3), now.through(3)], [[1], [0]]);
    assert.match(
        waitsText(now, 2),
        /all 2 partitions of 128 nodes are held: torus-128-A is free first, when job 10 ends/,
    );
});

test("small jobs share a midplane, and conflict only where their node cards do", () => {
    const schedule = scheduleOf([
        { submit: 0, start: 0, end: 30, nodes: 16, partition: "mesh-16-M0-N01" },
        { submit: 1, start: 40, end: 50, nodes: 10, granted: 16, partition: "mesh-16-M0-N00" },
        { submit: 1, start: 40, end: 50, nodes: 64, partition: "torus-64-M0" },
    ]);
    assert.deepEqual(schedule.stays[0][0].pieces, [{ from: 0.25, to: 0.5 }]);
    const now = new Instant(schedule, 5);
    const small = now.waits(1);
    assert.ok(small.kind === "partition");
    assert.deepEqual([small.total, small.free, small.next?.holders], [2, 1, [0]]);
    assert.match(waitsText(now, 1), /for its turn: 1 of 2/);
    const large = now.waits(2);
    assert.ok(large.kind === "partition" && large.free === 3);
});

test("without partitions, jobs wait for those that end first", () => {
    const schedule = scheduleOf(
        [
            { submit: 0, start: 0, end: 30, nodes: 60 },
            { submit: 0, start: 0, end: 20, nodes: 30 },
            { submit: 1, start: 30, end: 50, nodes: 50 },
        ],
        null,
        100,
    );
    const waits = new Instant(schedule, 5).waits(2);
    assert.ok(waits.kind === "nodes");
    assert.deepEqual([waits.needed, waits.free, waits.holders, waits.until], [50, 10, [1, 0], 30]);
});

test("behind switches, blocks are counted", () => {
    const switched = { ...ring, is_switched: true, dimensions: [], cables: [], block: "cube" };
    const schedule = scheduleOf(
        [
            { submit: 0, start: 0, end: 30, nodes: 192 },
            { submit: 1, start: 30, end: 50, nodes: 128 },
        ],
        switched,
    );
    const now = new Instant(schedule, 5);
    assert.match(waitsText(now, 1), /^for 2 cubes, of which 1 cube free, until job 10 ends in 25 s$/);
});
