import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeClasses } from "./differences.ts";

test("waits are meant over jobs of similar size", () => {
    const classes = sizeClasses(
        [
            { nodes: 1, waits: [10, 20] },
            { nodes: 512, waits: [30, 40] },
            { nodes: 513, waits: [1, 0] },
            { nodes: 1024, waits: [3, 0] },
        ],
        512,
    );
    assert.deepEqual(classes, [
        { most: 512, jobs: 2, means: [20, 30] },
        { most: 1024, jobs: 2, means: [2, 0] },
    ]);
});
