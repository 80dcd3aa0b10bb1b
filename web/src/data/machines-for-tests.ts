/** Machines for tests: plain and twisted tori, made here only, since the page itself has no geometry of tori. */

import { Machine } from "./machine.ts";
import type { MachineFacts } from "./page.ts";
import { Table } from "./parquet.ts";

export interface Shape {
    shape: number[];
    wrap?: boolean[];
    /** What a wrap in x shifts in the last dimension. */
    twist?: number;
    dead?: number[];
}

export function machineOf({ shape, wrap = shape.map(() => true), twist = 0, dead = [] }: Shape): Machine {
    const dimensions = ["x", "y", "z", "u", "v", "w"].slice(0, shape.length);
    const strides = shape.map((_, d) => shape.slice(0, d).reduce((a, b) => a * b, 1));
    const nodes = shape.reduce((a, b) => a * b, 1);
    const columns: Record<string, unknown[]> = { node: [], direction: [], target: [], is_wrap: [] };
    for (let node = 0; node < nodes; node++) {
        const at = shape.map((extent, d) => Math.floor(node / strides[d]) % extent);
        for (let direction = 0; direction < 2 * shape.length; direction++) {
            const [d, step] = [direction >> 1, direction & 1 ? -1 : 1];
            const to = at.slice();
            to[d] += step;
            const isWrap = to[d] < 0 || to[d] >= shape[d];
            if (isWrap && !wrap[d]) continue;
            if (isWrap && d === 0) to[shape.length - 1] += step * twist;
            const target = to.reduce((sum, c, k) => sum + strides[k] * ((c + shape[k]) % shape[k]), 0);
            columns.node.push(node);
            columns.direction.push(dimensions[d] + (step > 0 ? "+" : "-"));
            columns.target.push(target);
            columns.is_wrap.push(isWrap ? 1 : 0);
        }
    }
    const table = new Table(columns.node.length, new Map(Object.entries(columns)));
    const facts: MachineFacts = {
        name: "test",
        shape,
        wrap,
        is_twisted: twist > 0,
        dimensions,
        cycle_seconds: null,
        dead_nodes: dead,
        vcs: ["dynamic_0", "escape"],
    };
    return new Machine(facts, table, table);
}
