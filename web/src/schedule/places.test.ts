import assert from "node:assert/strict";
import { test } from "node:test";
import { firstFit, joined } from "./places.ts";

test("neighboring pieces are one", () => {
    const pieces = [
        { from: 3, to: 4 },
        { from: 0, to: 1 },
        { from: 1, to: 2 },
    ];
    assert.deepEqual(joined(pieces), [
        { from: 0, to: 2 },
        { from: 3, to: 4 },
    ]);
});

test("jobs take the first free nodes, in pieces only where no hole fits", () => {
    const stays = [
        { start: 0, end: 10, nodes: 4 },
        { start: 0, end: 30, nodes: 2 },
        { start: 10, end: 20, nodes: 3 },
        { start: 12, end: 20, nodes: 5 },
        { start: 12, end: 12, nodes: 1 },
    ];
    assert.deepEqual(firstFit(stays, 10, null), [
        [{ from: 0, to: 4 }],
        [{ from: 4, to: 6 }],
        [{ from: 0, to: 3 }],
        [
            { from: 3, to: 4 },
            { from: 6, to: 10 },
        ],
        [],
    ]);
});

test("in blocks, large jobs take whole ones, and small ones share", () => {
    const stays = [
        { start: 0, end: 9, nodes: 4 },
        { start: 1, end: 9, nodes: 128 },
        { start: 2, end: 9, nodes: 8 },
    ];
    assert.deepEqual(firstFit(stays, 256, 64), [[{ from: 0, to: 4 }], [{ from: 64, to: 192 }], [{ from: 4, to: 12 }]]);
});

test("no two jobs have a node at the same time", () => {
    let seed = 7;
    const random = (below: number) => {
        seed = (seed * 48271) % 2147483647;
        return seed % below;
    };
    const stays = Array.from({ length: 300 }, () => {
        const start = random(1000);
        return { start, end: start + random(10), nodes: 1 + random(20) };
    });
    const pieces = firstFit(stays, 64, 16);
    for (let second = 0; second < 1010; second++) {
        const owner = new Set<number>();
        stays.forEach(({ start, end }, stay) => {
            if (start > second || end <= second) return;
            for (const { from, to } of pieces[stay])
                for (let node = from; node < to; node++) {
                    assert.ok(!owner.has(node) && node < 64);
                    owner.add(node);
                }
        });
    }
});
