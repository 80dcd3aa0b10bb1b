/** Coordinates along the edges of the picture, as text above the canvas. */

import type { Machine } from "../data/machine.ts";
import { type Layout, position } from "./layout.ts";
import type { Point, View } from "./types.ts";

export interface Label {
    text: string;
    at: Point;
    /** Where to move it in the picture: the direction in space, and pixels. */
    away: Point;
    pixels: number;
    kind: "tick" | "axis" | "block" | "selected";
}

const mostTicks = 10;

export function labelsOf(machine: Machine, layout: Layout, view: View): Label[] {
    if (layout.isEmpty) return [];
    const first = machine.facts.shape.map((_, d) => view.slice[d]?.[0] ?? 0);
    const labels = layout.inner.flatMap((_, axis) => axisLabels(machine, layout, view, first, axis));
    return layout.outer.length > 0 ? [...labels, ...blockLabels(machine, layout, view, first)] : labels;
}

function shownCoordinates(machine: Machine, view: View, dimension: number): number[] {
    const last = machine.facts.shape[dimension] - 1;
    const [low, high] = view.slice[dimension] ?? [0, last];
    return Array.from({ length: Math.min(high, last) - low + 1 }, (_, i) => low + i);
}

/** x below the front, y below the right side, z up the left edge. */
function axisLabels(machine: Machine, layout: Layout, view: View, first: number[], axis: number): Label[] {
    const dimension = layout.inner[axis];
    const all = shownCoordinates(machine, view, dimension);
    // An odd step shows both ways of a folded ring.
    const step = niceStep(all.length / mostTicks) | (layout.isFolded(dimension) ? 1 : 0);
    const anchor = first.slice();
    if (axis === 1 && layout.inner.length > 2) anchor[layout.inner[0]] = extreme(machine, layout, view, 0);
    const away = awayFrom(axis, layout.inner.length);
    const at = (c: number): Point => {
        const node = machine.nodeAt(anchor.map((value, d) => (d === dimension ? c : value)))!;
        const place = position(layout, node);
        return place;
    };
    // In a folded ring neighbors in the picture are none in number.
    const places = all.slice().sort((a, b) => at(a)[axis] - at(b)[axis]);
    const ticks = places.filter((_, i) => i % step === 0);
    const labels: Label[] = ticks.map((c) => ({ text: String(c), at: at(c), away, pixels: 10, kind: "tick" }));
    const mean = (k: number) => all.reduce((sum, c) => sum + at(c)[k], 0) / all.length;
    const middle: Point = [mean(0), mean(1), mean(2)];
    labels.push({ text: machine.facts.dimensions[dimension], at: middle, away, pixels: 32, kind: "axis" });
    return labels;
}

function awayFrom(axis: number, axes: number): Point {
    if (axis === 0) return [0, -0.75, axes > 2 ? -0.3 : 0];
    return axis === 1 && axes > 2 ? [0.75, 0, -0.3] : [-0.75, 0, 0];
}

/** The coordinate that is drawn farthest out: in a folded ring not the last. */
function extreme(machine: Machine, layout: Layout, view: View, axis: number): number {
    const dimension = layout.inner[axis];
    const coordinates = shownCoordinates(machine, view, dimension);
    const place = (c: number) => {
        const node = machine.nodeAt(machine.facts.shape.map((_, d) => (d === dimension ? c : 0)))!;
        return layout.positions[3 * node + axis];
    };
    return coordinates.reduce((best, c) => (place(c) > place(best) ? c : best));
}

function blockLabels(machine: Machine, layout: Layout, view: View, first: number[]): Label[] {
    const { dimensions } = machine.facts;
    let blocks: number[][] = [first];
    for (const d of layout.outer) {
        const coordinates = shownCoordinates(machine, view, d);
        blocks = blocks.flatMap((block) => coordinates.map((c) => block.map((value, k) => (k === d ? c : value))));
    }
    const [x, , z] = layout.inner;
    return blocks.map((block) => {
        const [low, high] = [position(layout, machine.nodeAt(block)!), topOf(machine, layout, view, block, x, z)];
        const at: Point = [(low[0] + high[0]) / 2, low[1], high[2]];
        const text = layout.outer.map((d) => `${dimensions[d]}=${block[d]}`).join(" ");
        return { text, at, away: [0, 0, 1] as Point, pixels: 8, kind: "block" as const };
    });
}

function topOf(machine: Machine, layout: Layout, view: View, block: number[], x: number, z: number): Point {
    const corner = block.slice();
    corner[x] = extreme(machine, layout, view, layout.inner.indexOf(x));
    if (z !== undefined) corner[z] = extreme(machine, layout, view, layout.inner.indexOf(z));
    return position(layout, machine.nodeAt(corner)!);
}

function niceStep(least: number): number {
    return [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256].find((step) => step >= least) ?? 1000;
}
