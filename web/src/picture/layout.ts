/**
 * Where nodes are drawn.
 *
 * The first three dimensions that have more than one coordinate are the axes of the picture. Each further one puts
 * blocks side by side: the fourth along x, the fifth along z, the sixth along x again.
 *
 *     v=1  [block] [block]
 *     v=0  [block] [block]
 *           u=0     u=1
 */

import type { Machine } from "../data/machine.ts";
import type { Point, View } from "./types.ts";

export interface Layout {
    /** Three numbers a node. */
    positions: Float32Array;
    /** 1 for nodes that are in the slice. */
    shown: Uint8Array;
    /** In a slice of a larger machine, next to which this one is drawn. */
    isEmpty: boolean;
    /** Dimensions that are axes of a block, at most three, and those between blocks. */
    inner: number[];
    outer: number[];
    isFolded: (dimension: number) => boolean;
    low: Point;
    high: Point;
}

export function innerAndOuter(shape: number[]): { inner: number[]; outer: number[] } {
    const long = shape.map((_, d) => d).filter((d) => shape[d] > 1);
    const dimensions = long.length > 0 ? long : [0];
    return { inner: dimensions.slice(0, 3), outer: dimensions.slice(3) };
}

/** The place of a coordinate in a ring that is cabled there and back, so that no cable is longer than two. */
export function foldedPlace(coordinate: number, extent: number): number {
    return 2 * coordinate < extent ? 2 * coordinate : 2 * (extent - 1 - coordinate) + 1;
}

export function layOut(machine: Machine, view: View): Layout {
    const { shape, wrap } = machine.facts;
    const { inner, outer } = innerAndOuter(shape);
    const isFolded = (d: number) => view.wraps === "folded" && wrap[d] && shape[d] > 2;
    const places = shape.map((extent, d) => {
        const spread = view.explode?.dimension === d ? 1 + view.explode.gap : 1;
        return Array.from({ length: extent }, (_, c) => spread * (isFolded(d) ? foldedPlace(c, extent) : c));
    });
    const offsets = blockOffsets(shape, inner, outer, places, view.slice);
    const positions = new Float32Array(3 * machine.nodes);
    const shown = new Uint8Array(machine.nodes);
    const low: [number, number, number] = [Infinity, Infinity, Infinity];
    const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    for (let node = 0; node < machine.nodes; node++) {
        shown[node] = inSlice(machine, node, view.slice) ? 1 : 0;
        inner.forEach((d, axis) => {
            positions[3 * node + axis] += places[d][machine.coordinate(node, d)];
        });
        outer.forEach((d, i) => {
            positions[3 * node + offsets[i].axis] += offsets[i].of[machine.coordinate(node, d)];
        });
        for (let axis = 0; shown[node] && axis < 3; axis++) {
            low[axis] = Math.min(low[axis], positions[3 * node + axis]);
            high[axis] = Math.max(high[axis], positions[3 * node + axis]);
        }
    }
    return { positions, shown, isEmpty: !shown.includes(1), inner, outer, isFolded, low, high };
}

/** Blocks that are sliced away leave no gap. */
function blockOffsets(
    shape: number[],
    inner: number[],
    outer: number[],
    places: number[][],
    slice: View["slice"],
): { axis: number; of: number[] }[] {
    const sizes = [0, 1, 2].map((axis) => (axis < inner.length ? Math.max(...places[inner[axis]]) : 0));
    const gaps = sizes.map((size) => Math.max(2.2, 0.6 * size));
    const axes = [0, 2, 0];
    return outer.map((d, i) => {
        const axis = axes[i];
        const step = sizes[axis] + gaps[axis] * (i < 2 ? 1 : 2);
        const [first, last] = slice[d] ?? [0, shape[d] - 1];
        sizes[axis] += step * (last - first);
        return { axis, of: Array.from({ length: shape[d] }, (_, c) => (c - first) * step) };
    });
}

export function inSlice(machine: Machine, node: number, slice: View["slice"]): boolean {
    return slice.every((range, d) => {
        if (!range) return true;
        const c = machine.coordinate(node, d);
        return range[0] <= c && c <= range[1];
    });
}

export function position(layout: Layout, node: number): Point {
    const { positions } = layout;
    return [positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]];
}
