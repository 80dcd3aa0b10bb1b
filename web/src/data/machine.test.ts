import assert from "node:assert/strict";
import { test } from "node:test";
import { machineOf } from "./machines-for-tests.ts";

test("nodes are numbered with x fastest, and names are read back", () => {
    const machine = machineOf({ shape: [4, 3, 2] });
    for (let node = 0; node < machine.nodes; node++) {
        assert.equal(machine.nodeAt(machine.coordinates(node)), node);
        assert.deepEqual(machine.parse(machine.nodeName(node)), { node });
        assert.deepEqual(machine.parse(String(node)), { node });
    }
    for (let link = 0; link < machine.links; link++) {
        assert.deepEqual(machine.parse(machine.linkName(link)), { link });
        assert.equal(machine.linkFrom(machine.source[link], machine.direction[link]), link);
    }
});

test("names are read as users write them", () => {
    const machine = machineOf({ shape: [4, 3, 2] });
    const link = machine.linkFrom(machine.nodeAt([3, 1, 1])!, machine.directionOf("y-"));
    for (const text of ["(3,1,1) y-", "3 1 1 y-", " ( 3, 1, 1 )  Y -", "3,1,1y-"]) {
        assert.deepEqual(machine.parse(text), { link }, text);
    }
});

test("what is no node or link gets a message", () => {
    const machine = machineOf({ shape: [4, 3, 2], wrap: [false, true, true] });
    for (const text of ["", "x", "24", "(4,0,0)", "(0,0)", "(0,0,0) w+", "(3,0,0) x+", "<b>", "1e9"]) {
        assert.ok("problem" in machine.parse(text), text);
    }
});
