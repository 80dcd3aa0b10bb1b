import assert from "node:assert/strict";
import { test } from "node:test";
import { format, parse } from "./address.ts";
import { machineOf } from "./data/machines-for-tests.ts";
import { homeCamera } from "./picture/camera.ts";
import type { State } from "./state.ts";

const machine = machineOf({ shape: [4, 3, 2] });

const start: State = {
    time: null,
    quantity: "utilization",
    scale: "largest",
    hide: 0,
    slice: [null, null, null],
    explode: null,
    wraps: "arcs",
    outer: "stubs",
    nodes: "plain",
    messages: "none",
    run: 0,
    selection: null,
    route: null,
    ring: true,
    compare: "both",
    camera: homeCamera(false),
    theme: "auto",
};

test("the first view has an empty address", () => {
    assert.equal(format(start, start, [machine]), "");
});

test("every part of the state comes back", () => {
    const state: State = {
        time: 12,
        quantity: "packets_dynamic_0",
        scale: "full",
        hide: 0.25,
        slice: [[1, 1], null, [0, 1]],
        explode: { dimension: 2, gap: 1.5 },
        wraps: "folded",
        outer: "arcs",
        nodes: "rank",
        messages: 3,
        run: 0,
        selection: { link: machine.linkFrom(5, 2)! },
        route: { source: 1, target: 9 },
        ring: false,
        compare: "difference",
        camera: { yaw: 1.25, pitch: -0.5, zoom: 0.5, shift: [0.125, 0, -0.25] },
        theme: "light",
    };
    assert.deepEqual(parse(format(state, start, [machine]), start, [machine]), state);
});

test("what an address has wrong is left as it was", () => {
    const text = "#t=-1&hide=7&slice=x:9,q:1,y:2-1&explode=z:-3&wraps=up&ask=(9,9,9)&route=0&camera=1,2&run=5&ring=1";
    assert.deepEqual(parse(text, start, [machine]), { ...start, hide: 1 });
});
