import assert from "node:assert/strict";
import { test } from "node:test";
import { format, parse } from "./address.ts";
import { parseQuestion } from "./asking.ts";
import { scheduleOf } from "./schedules-for-tests.ts";
import type { ScheduleState } from "./state.ts";

const start: ScheduleState = {
    time: 100,
    from: 0,
    to: 5000,
    run: 0,
    asked: null,
    cables: "used",
    colors: "job",
    arrangement: "racks",
    theme: "auto",
    hovered: null,
};

test("the address keeps what differs from the start, and reads it back", () => {
    assert.equal(format(start, start), "");
    const asked: ScheduleState["asked"][] = [{ job: 12 }, { midplane: "R00-M0" }, { partition: "a & b:<c>" }];
    for (const each of asked) {
        const state: ScheduleState = {
            ...start,
            time: 7,
            from: 5,
            to: 90,
            run: 1,
            asked: each,
            cables: "all",
            theme: "dark",
        };
        assert.deepEqual(parse(`#${format(state, start)}`, start, 2), state);
    }
});

test("addresses that mean nothing are the start", () => {
    for (const text of ["", "#t=x&show=9-2&run=a", "#ask=job:x", "#cables=gold&colors=", "#ask=constructor:1"])
        assert.deepEqual(parse(text, start, 1), start, text);
    assert.equal(parse("#run=5", start, 2).run, 1);
});

test("an address of a longer log shows the end of this one", () => {
    const { time, from, to } = parse("#t=9000&show=4000-9000", start, 1);
    assert.deepEqual([time, from, to], [5000, 4000, 5000]);
    assert.deepEqual(parse("#show=7000-9000", start, 1), start);
});

test("jobs, midplanes and partitions are asked by name", () => {
    const runs = [scheduleOf([{ submit: 0, start: 0, end: 9, nodes: 64, partition: "torus-64-M0" }])];
    assert.deepEqual(parseQuestion(" job 10 ", runs), { job: 10 });
    assert.deepEqual(parseQuestion("m3", runs), { midplane: "M3" });
    assert.deepEqual(parseQuestion("torus-128-a", runs), { partition: "torus-128-A" });
    for (const text of ["", "11", "M9", "<b>"]) assert.ok("problem" in (parseQuestion(text, runs) ?? {}), text);
});
