import assert from "node:assert/strict";
import { test } from "node:test";
import type { Machine } from "./machine.ts";
import { machineOf, type Shape } from "./machines-for-tests.ts";
import { differenceOf, dimensionOrder, quadrant } from "./routes.ts";

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
