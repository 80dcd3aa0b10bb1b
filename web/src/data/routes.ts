/**
 * Ways of packets from a node to another, walked through table `wires`.
 *
 * Rust says how many hops a packet makes in each dimension, as vectors by the difference of two nodes. The difference
 * is found by a walk: from the target, backwards by the coordinates of the source. So the page needs no rule of twists.
 */

import type { Machine } from "./machine.ts";
import type { Detour, RouteFacts, RouteVector } from "./page.ts";

export interface Pair {
    source: number;
    target: number;
}

/** The vectors of a pair; null where they are not known. */
export function vectorsOf(machine: Machine, routes: RouteFacts, pair: Pair): RouteVector[] | null {
    if (!routes.vectors) return null;
    const { wrap } = machine.facts;
    const straight = wrap.map((wraps, d) =>
        wraps ? 0 : machine.coordinate(pair.target, d) - machine.coordinate(pair.source, d),
    );
    const difference = differenceOf(machine, pair);
    if (difference === null) return null;
    const vectors = routes.vectors[difference] ?? [];
    return vectors.map(({ hops, share }) => ({ hops: hops.map((h, d) => (wrap[d] ? h : straight[d])), share }));
}

/** A way that some of a pair's packets take: parts, at whose ends software forwards them. */
export interface Way {
    parts: { source: number; hops: number[] }[];
    share: number;
}

/** The ways of a pair: round what is dead, or by its minimal vectors. None if they are not known. */
export function waysOf(machine: Machine, routes: RouteFacts, pair: Pair): Way[] {
    const detour = routes.detours.find(({ source, target }) => source === pair.source && target === pair.target);
    if (detour) {
        const partsOf = (way: Detour) => {
            const sources = [pair.source, ...way.map(({ to }) => to)];
            return way.map(({ hops }, i) => ({ source: sources[i], hops }));
        };
        return detour.ways.map((way) => ({ parts: partsOf(way), share: 1 / detour.ways.length }));
    }
    const vectors = vectorsOf(machine, routes, pair) ?? [];
    return vectors.map(({ hops, share }) => ({ parts: [{ source: pair.source, hops }], share }));
}

/** The links of a way: those of all orders of its hops, and those in dimension order. */
export function linksOf(machine: Machine, way: Way): { any: number[]; inOrder: number[] } {
    const links = (each: typeof quadrant) => way.parts.flatMap(({ source, hops }) => each(machine, source, hops));
    return { any: links(quadrant), inOrder: links(dimensionOrder) };
}

/** The node that lies from node 0 as the target lies from the source; 0 in dimensions that do not wrap. */
export function differenceOf(machine: Machine, pair: Pair): number | null {
    const { wrap } = machine.facts;
    let node: number | null = pair.target;
    for (let d = 0; d < machine.dimensions && node !== null; d++) {
        const backwards = wrap[d] ? machine.coordinate(pair.source, d) : 0;
        node = walk(machine, node, 2 * d + 1, backwards);
    }
    if (node === null) return null;
    return machine.nodeAt(machine.coordinates(node).map((c, d) => (wrap[d] ? c : 0)));
}

function walk(machine: Machine, start: number, direction: number, hops: number): number | null {
    let node: number | null = start;
    for (let i = 0; i < hops && node !== null; i++) node = machine.neighbor(node, direction);
    return node;
}

function directionOfHop(dimension: number, hops: number): number {
    return 2 * dimension + (hops < 0 ? 1 : 0);
}

/** The links of a route that finishes each dimension before the next. */
export function dimensionOrder(machine: Machine, source: number, hops: number[]): number[] {
    const links: number[] = [];
    let node = source;
    for (let d = 0; d < hops.length; d++) {
        for (let i = 0; i < Math.abs(hops[d]); i++) {
            const link = machine.linkFrom(node, directionOfHop(d, hops[d]));
            if (link === null) return links;
            links.push(link);
            node = machine.target[link];
        }
    }
    return links;
}

/** All links that a packet with these hops can cross, in any order of its hops. */
export function quadrant(machine: Machine, source: number, hops: number[]): number[] {
    const extents = hops.map((h) => Math.abs(h) + 1);
    const strides = extents.map((_, d) => extents.slice(0, d).reduce((a, b) => a * b, 1));
    const points = extents.reduce((a, b) => a * b, 1);
    const nodes: (number | null)[] = [source];
    const links: number[] = [];
    for (let point = 0; point < points; point++) {
        const made = extents.map((extent, d) => Math.floor(point / strides[d]) % extent);
        const last = made.findIndex((hop) => hop > 0);
        if (last >= 0) {
            const before = nodes[point - strides[last]];
            nodes[point] = before === null ? null : machine.neighbor(before, directionOfHop(last, hops[last]));
        }
        const node = nodes[point];
        if (node === null) continue;
        for (let d = 0; d < hops.length; d++) {
            const link = made[d] < extents[d] - 1 ? machine.linkFrom(node, directionOfHop(d, hops[d])) : null;
            if (link !== null) links.push(link);
        }
    }
    return links;
}

export function hopsText(machine: Machine, hops: number[]): string {
    const parts = hops
        .map((h, d) => (h === 0 ? "" : `${Math.abs(h)} ${machine.facts.dimensions[d]}${h < 0 ? "-" : "+"}`))
        .filter((part) => part);
    return parts.length > 0 ? parts.join(", ") : "none: the same node";
}
