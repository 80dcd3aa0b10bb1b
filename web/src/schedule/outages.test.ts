import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutageFacts } from "../data/page.ts";
import { busiest } from "./context.ts";
import { Instant } from "./instant.ts";
import { endedBy, outageLine, outInShort } from "./outages.ts";
import { ring, scheduleOf } from "./schedules-for-tests.ts";
import { freeAt, waitsBriefly, waitsShortly, waitsText } from "./waits.ts";

test("what is out of service has a name and its times", () => {
    const outages = [{ from: 3600, until: 7200, midplane: 1 }, { from: 60, cable: 3 }, { nodes: 1 }];
    const schedule = scheduleOf([{ submit: 0, start: 0, end: 10, nodes: 64 }], ring, 256, { outages });
    const lines = schedule.outages.map((outage) => outageLine(schedule, outage));
    assert.deepEqual(lines, [
        "1 node: out of service from day 1, 00:00 on, for good",
        "Cable Y M3 M0: out of service from day 1, 00:01 on, for good",
        "M1: out of service from day 1, 01:00 until day 1, 02:00",
    ]);
    assert.equal(outInShort(schedule, schedule.outages), "1 midplane and 1 cable and 1 node");
    assert.equal(outInShort(schedule, []), "");
});

test("a partition that needs what is out of service is not free", () => {
    const outages = [
        { from: 0, until: 40, midplane: 0 },
        { from: 20, until: 60, midplane: 0 },
        { from: 0, until: 99, cable: 2 },
    ];
    const jobs = [
        { submit: 0, start: 0, end: 30, nodes: 128, partition: "torus-128-B" },
        { submit: 1, start: 99, end: 120, nodes: 128, partition: "torus-128-A" },
        { submit: 1, start: 50, end: 60, nodes: 64, partition: "torus-64-M1" },
    ];
    const schedule = scheduleOf(jobs, ring, 256, { outages });
    const now = new Instant(schedule, 5);
    const large = now.waits(1);
    assert.ok(large.kind === "partition");
    assert.deepEqual([large.total, large.free, large.closed, large.next!.until], [2, 0, 2, 99]);
    const small = now.waits(2);
    assert.ok(small.kind === "partition");
    assert.deepEqual([small.total, small.free, small.closed], [4, 1, 1]);
    // Both outages of M0 are one.
    assert.equal(now.outageOf(0)!.until, 60);
    assert.equal(now.outageOf(1), null);
    assert.equal(now.outageOfCable(2)!.until, 99);
    assert.deepEqual([...schedule.events], [0, 30, 50, 60, 99, 120]);
});

test("a partition is free when its holders have ended and nothing of it is out of service", () => {
    const alone = { submit: 0, start: 0, end: 30, nodes: 256, partition: "torus-64-M0" };
    const jobs = [alone, { submit: 1, start: 90, end: 99, nodes: 128, partition: "torus-128-A" }];
    // The outage of M0 ends the job, and then the partition is not free.
    const outages = [
        { from: 30, until: 90, midplane: 0 },
        { from: 0, midplane: 2 },
    ];
    const now = new Instant(scheduleOf(jobs, ring, 256, { outages }), 5);
    assert.equal(
        waitsText(now, 1),
        "because all 2 partitions of 128 nodes are held or out of service: torus-128-A is free first, when job 10 ends and M0 is in service again in 1 min 25 s",
    );
    assert.equal(waitsShortly(now, 1), "at least 1 min 25 s more for job 10 and M0");
    assert.deepEqual([waitsBriefly(now, 1), freeAt(now, 1)], ["job 10, M0", 90]);
    const broken = new Instant(scheduleOf(jobs, ring, 256, { outages: [{ midplane: 1 }, { midplane: 2 }] }), 40);
    assert.equal(waitsText(broken, 1), "because all 2 partitions of 128 nodes are out of service, for good");
    assert.deepEqual([waitsBriefly(broken, 1), freeAt(broken, 1)], ["M1", Infinity]);
});

test("nodes out of service are not free", () => {
    const jobs = [
        { submit: 0, start: 0, end: 30, nodes: 60 },
        { submit: 1, start: 50, end: 70, nodes: 90 },
    ];
    const outages = [{ from: 2, until: 50, nodes: 20 }];
    const now = new Instant(scheduleOf(jobs, null, 100, { outages }), 5);
    assert.equal(now.freeNodes, 20);
    assert.equal(
        waitsText(now, 1),
        "for 90 nodes, of which 20 nodes free, until job 10 ends and 20 nodes are in service again in 45 s",
    );
});

test("nodes that fail later are not awaited", () => {
    const jobs = [
        { submit: 0, start: 0, end: 30, nodes: 60 },
        { submit: 1, start: 50, end: 70, nodes: 90 },
    ];
    const outages = [{ from: 30, until: 50, nodes: 20 }];
    const waits = new Instant(scheduleOf(jobs, null, 100, { outages }), 5).waits(1);
    assert.deepEqual([waits.kind, waits.kind === "nodes" && waits.until], ["nodes", 50]);
});

test("jobs behind switches are not drawn where a block is out of service", () => {
    const switched = { ...ring, is_switched: true, dimensions: [], cables: [], block: "cube" };
    const jobs = [
        { submit: 0, start: 0, end: 30, nodes: 128 },
        { submit: 1, start: 30, end: 50, nodes: 128 },
    ];
    const outages = [{ from: 10, until: 40, midplane: 0 }];
    const schedule = scheduleOf(jobs, switched, 256, { outages });
    assert.deepEqual(
        schedule.stays.map(([stay]) => stay.pieces),
        [[{ from: 1, to: 3 }], [{ from: 1, to: 3 }]],
    );
    assert.equal(new Instant(schedule, 15).freeNodes, 64);
});

test("a job whose run an outage ended waits until it runs again", () => {
    const jobs = [
        { submit: 0, start: 50, end: 70, nodes: 64, partition: "torus-64-M1" },
        { submit: 1, start: null, end: null, nodes: 64 },
    ];
    const ended = [
        { job: 10, start: 5, end: 20, partition: "torus-64-M0", granted_nodes: 64 },
        { job: 11, start: 6, end: 80, partition: "torus-64-M3", granted_nodes: 64 },
    ];
    const schedule = scheduleOf(jobs, ring, 256, { ended });
    const at = (second: number) => {
        const { running, waiting } = new Instant(schedule, second);
        return [running, waiting];
    };
    assert.deepEqual(at(2), [[], [0, 1]]);
    assert.deepEqual(at(10), [[0, 1], []]);
    assert.deepEqual(at(30), [[1], [0]]);
    assert.deepEqual(at(60), [[0, 1], []]);
    // It does not run again.
    assert.deepEqual(at(80), [[], []]);
    assert.deepEqual([new Instant(schedule, 10).in(0), new Instant(schedule, 60).in(0)], [[0], []]);
    assert.deepEqual(
        schedule.stays[0].map(({ since, start, isEnded }) => [since, start, isEnded]),
        [
            [0, 5, true],
            [20, 50, false],
        ],
    );
    assert.deepEqual([...schedule.events], [5, 6, 20, 50, 70, 80]);
    assert.deepEqual([schedule.span, busiest(schedule)], [[0, 80], 1]);
});

test("the queue says in short what is out of service", () => {
    const jobs = [
        { submit: 0, start: 0, end: 30, nodes: 64, partition: "torus-64-M0" },
        { submit: 0, start: 0, end: 40, nodes: 64, partition: "torus-64-M1" },
        { submit: 0, start: 0, end: 500, nodes: 64, partition: "torus-64-M2" },
        { submit: 1, start: 90, end: 99, nodes: 128, partition: "torus-128-A" },
    ];
    const briefly = (outages: Partial<OutageFacts>[]) =>
        waitsBriefly(new Instant(scheduleOf(jobs, ring, 256, { outages }), 5), 3);
    const midplane = { from: 2, until: 90, midplane: 1 };
    const cable = { from: 2, until: 95, cable: 3 };
    assert.equal(briefly([]), "2 jobs");
    assert.equal(briefly([midplane]), "2 jobs, M1");
    assert.equal(briefly([cable]), "2 jobs, 1 cable");
    assert.equal(briefly([midplane, cable]), "2 jobs, 1 midplane and 1 cable");
});

test("an outage ends the runs that need its part when it begins", () => {
    const jobs = [
        { submit: 0, start: 90, end: 99, nodes: 64, partition: "torus-64-M1" },
        { submit: 1, start: 90, end: 99, nodes: 64, partition: "torus-64-M2" },
        { submit: 2, start: 5, end: 20, nodes: 64, partition: "torus-64-M0" },
    ];
    const ended = [
        { job: 10, start: 5, end: 20, partition: "torus-64-M0", granted_nodes: 64 },
        { job: 11, start: 5, end: 20, partition: "torus-64-M3", granted_nodes: 64 },
    ];
    const outages = [
        { from: 20, until: 40, midplane: 0 },
        { from: 20, until: 40, midplane: 3 },
        { from: 30, until: 40, midplane: 1 },
    ];
    const schedule = scheduleOf(jobs, ring, 256, { outages, ended });
    assert.deepEqual(
        schedule.outages.map((outage) => endedBy(schedule, outage).map(({ row }) => row)),
        [[0], [1], []],
    );
});
