import assert from "node:assert/strict";
import { test } from "node:test";
import type { Machine } from "./machine.ts";
import { machineOf, type Shape } from "./machines-for-tests.ts";
import { differenceOf, dimensionOrder, linksOf, quadrant, waysOf } from "./routes.ts";

const shapes: Shape[] = [
    { shape: [8] },
    { shape: [4, 5] },
    { shape: [4, 3, 2], wrap: [true, false, true] },
    { shape: [4, 4, 8], twist: 4 },
    { shape: [2, 3, 2, 3] },
];

function walk(machine: Machine, source: number, hops: number[]): number {
    return dimensionOrder(machine, source, hops).reduce((node, link) => {
        assert.equal(machine.source[link], node);
        return machine.target[link];
    }, source);
}

for (const shape of shapes) {
    const machine = machineOf(shape);
    const { wrap } = machine.facts;

    test(`hops from node 0 to the difference lead from source to target: ${JSON.stringify(shape)}`, () => {
        for (let source = 0; source < machine.nodes; source += 3) {
            for (let target = 0; target < machine.nodes; target += 5) {
                const difference = differenceOf(machine, { source, target })!;
                const hops = machine.coordinates(difference);
                wrap.forEach((wraps, d) => {
                    if (!wraps) hops[d] = machine.coordinate(target, d) - machine.coordinate(source, d);
                });
                assert.equal(walk(machine, source, hops), target);
            }
        }
    });

    test(`a quadrant has all links between its nodes, and holds the escape way: ${JSON.stringify(shape)}`, () => {
        const hops = machine.facts.shape.map((extent, d) => (wrap[d] && d % 2 === 1 ? -1 : 1) * (extent - 1));
        const source = machine.nodeAt(hops.map((h) => (h < 0 ? -h : 0)))!;
        const links = quadrant(machine, source, hops);
        const extents = hops.map((h) => Math.abs(h) + 1);
        const points = extents.reduce((a, b) => a * b, 1);
        const expected = extents.reduce((sum, extent) => sum + (points / extent) * (extent - 1), 0);
        assert.equal(links.length, expected);
        const all = new Set(links);
        assert.ok(dimensionOrder(machine, source, hops).every((link) => all.has(link)));
    });
}

test("a detour takes the place of the minimal vectors", () => {
    const machine = machineOf({ shape: [4, 4] });
    const way = [
        { to: 1, hops: [1, 0] },
        { to: 10, hops: [1, 2] },
    ];
    const vectors = Array.from({ length: 16 }, () => [{ hops: [2, 2], share: 1 }]);
    const routes = { vectors, order: "adaptive" as const, detours: [{ source: 0, target: 10, ways: [way] }] };
    const [detour] = waysOf(machine, routes, { source: 0, target: 10 });
    assert.deepEqual(
        detour.parts.map(({ source }) => source),
        [0, 1],
    );
    const { inOrder } = linksOf(machine, detour);
    assert.equal(machine.target[inOrder.at(-1)!], 10);
    assert.equal(waysOf(machine, routes, { source: 0, target: 9 })[0].parts.length, 1);
});
