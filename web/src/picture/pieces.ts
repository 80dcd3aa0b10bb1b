/**
 * Links as straight pieces: one for a link between neighbors, several for an arc, three dashes for a dead link.
 *
 * A piece has two ends of four numbers each: a place, and how far along the link it is, from 0 to 1. Pieces of a link
 * follow each other, in the order of links.
 */

import type { Machine } from "../data/machine.ts";
import { type Layout, position } from "./layout.ts";
import type { Point, View } from "./types.ts";

export interface Pieces {
    count: number;
    start: Float32Array;
    finish: Float32Array;
    /** The link of each piece. */
    link: Int32Array;
}

/** Points of a path, and how far along each is. */
export type Path = { points: Point[]; along: number[] };

/** Machines with more links than this have coarser arcs. */
const manyLinks = 50_000;

export class PieceList {
    private start: Float32Array;
    private finish: Float32Array;
    private link: Int32Array;
    private count = 0;

    constructor(room: number) {
        this.start = new Float32Array(4 * room);
        this.finish = new Float32Array(4 * room);
        this.link = new Int32Array(room);
    }

    add(link: number, from: Point, to: Point, begin: number, end: number): void {
        if (this.count === this.link.length) this.grow();
        const at = 4 * this.count;
        for (let k = 0; k < 3; k++) {
            this.start[at + k] = from[k];
            this.finish[at + k] = to[k];
        }
        this.start[at + 3] = begin;
        this.finish[at + 3] = end;
        this.link[this.count++] = link;
    }

    addPath(link: number, { points, along }: Path): void {
        for (let i = 1; i < points.length; i++) this.add(link, points[i - 1], points[i], along[i - 1], along[i]);
    }

    done(): Pieces {
        const { count } = this;
        return {
            count,
            start: this.start.subarray(0, 4 * count),
            finish: this.finish.subarray(0, 4 * count),
            link: this.link.subarray(0, count),
        };
    }

    private grow(): void {
        const room = Math.max(64, 2 * this.link.length);
        const grown = <A extends Float32Array | Int32Array>(old: A, length: number): A => {
            const array = new (old.constructor as new (n: number) => A)(length);
            array.set(old as never);
            return array;
        };
        this.start = grown(this.start, 4 * room);
        this.finish = grown(this.finish, 4 * room);
        this.link = grown(this.link, room);
    }
}

export function piecesOfLinks(machine: Machine, layout: Layout, view: View, isDead: (link: number) => boolean): Pieces {
    const list = new PieceList(machine.links);
    for (let link = 0; link < machine.links; link++) {
        const path = pathOfLink(machine, layout, view, link);
        if (!path) continue;
        if (isDead(link)) addDashes(list, link, path);
        else list.addPath(link, path);
    }
    return list.done();
}

/** The path of a link, or null if it is not shown. */
export function pathOfLink(machine: Machine, layout: Layout, view: View, link: number): Path | null {
    const source = machine.source[link];
    if (!layout.shown[source]) return null;
    const dimension = machine.direction[link] >> 1;
    const from = position(layout, source);
    const to = position(layout, machine.target[link]);
    const way = wayOf(machine, layout, view, link, dimension);
    if (way === "hidden") return null;
    if (way === "straight") return straight(from, to);
    if (way === "stub") return straight(from, plus(from, stubOf(machine, layout, link, dimension)));
    const isCoarse = machine.links > manyLinks;
    const aside = bulgeOf(layout, dimension, 0.22);
    if (way === "low arc" && isCoarse) return straight(plus(from, aside), plus(to, aside));
    if (way === "low arc") return arc(from, to, aside, [0, 0, 0], 8);
    return wrapArc(machine, layout, link, from, to, isCoarse ? 4 : 16);
}

type Way = "hidden" | "straight" | "stub" | "arc" | "low arc";

function wayOf(machine: Machine, layout: Layout, view: View, link: number, dimension: number): Way {
    const leavesSlice = !layout.shown[machine.target[link]];
    const isOuter = layout.outer.includes(dimension);
    if (isOuter) {
        if (view.outer === "hidden" || (view.wraps === "hidden" && machine.isWrap[link])) return "hidden";
        return view.outer === "stubs" || leavesSlice ? "stub" : machine.isWrap[link] ? "arc" : "straight";
    }
    if (machine.isWrap[link]) {
        if (view.wraps === "hidden") return "hidden";
        if (view.wraps === "stubs" || leavesSlice) return "stub";
        if (!layout.isFolded(dimension)) return "arc";
    }
    if (leavesSlice) return "stub";
    return layout.isFolded(dimension) && lengthOfLink(machine, layout, link) > 1.5 ? "low arc" : "straight";
}

function lengthOfLink(machine: Machine, layout: Layout, link: number): number {
    const from = position(layout, machine.source[link]);
    const to = position(layout, machine.target[link]);
    return Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
}

const straight = (from: Point, to: Point): Path => ({ points: [from, to], along: [0, 1] });

function plus(a: Point, b: Point): Point {
    return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** Short ends point along their axis. Those to other blocks take a diagonal, where no other link is. */
function stubOf(machine: Machine, layout: Layout, link: number, dimension: number): Point {
    const sign = machine.direction[link] & 1 ? -1 : 1;
    const diagonals: Point[] = [
        [0.3, 0.3, 0],
        [0, 0.3, 0.3],
        [0.3, 0, 0.3],
    ];
    const block = layout.outer.indexOf(dimension);
    const stub = block >= 0 ? diagonals[block] : alongAxis(layout, dimension, 0.42);
    return [sign * stub[0], sign * stub[1], sign * stub[2]];
}

function alongAxis(layout: Layout, dimension: number, length: number): Point {
    const axis = layout.inner.indexOf(dimension);
    return [axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0];
}

/** Arcs run along the row of nodes that they close: toward the middle between rows, in flat pictures in the plane. */
function bulgeOf(layout: Layout, dimension: number, size: number): Point {
    const axis = layout.inner.indexOf(dimension);
    const isFlat = layout.inner.length < 3;
    if (axis === 0) return [0, size, isFlat ? 0 : size];
    if (axis === 1) return [size, 0, isFlat ? 0 : size];
    return axis === 2 ? [size, size, 0] : [0, size, 0];
}

function wrapArc(machine: Machine, layout: Layout, link: number, from: Point, to: Point, parts: number): Path {
    const dimension = machine.direction[link] >> 1;
    const sign = machine.direction[link] & 1 ? -1 : 1;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const size = layout.inner.length === 1 ? 0.3 + 0.12 * length : 0.34;
    const overshoot = alongAxis(layout, dimension, 0.8 * sign);
    return arc(from, to, bulgeOf(layout, dimension, size), overshoot, parts);
}

/** From a to b with a bulge to the side; it leaves a in the direction of `overshoot` and reaches b from behind. */
export function arc(from: Point, to: Point, bulge: Point, overshoot: Point, parts: number): Path {
    const points: Point[] = [];
    const along: number[] = [];
    for (let i = 0; i <= parts; i++) {
        const t = i / parts;
        const eased = t * t * (3 - 2 * t);
        const side = 1 - 2 * t;
        const rise = 1 - side ** 4;
        const at = (k: 0 | 1 | 2) => from[k] + (to[k] - from[k]) * eased + bulge[k] * rise + overshoot[k] * side * rise;
        points.push([at(0), at(1), at(2)]);
        along.push(t);
    }
    return { points, along };
}

function addDashes(list: PieceList, link: number, path: Path): void {
    const dashes = path.points.length > 2 ? 9 : 3;
    for (let i = 0; i < dashes; i++) {
        const begin = (i + 0.2) / dashes;
        const end = (i + 0.75) / dashes;
        list.add(link, pointAt(path, begin), pointAt(path, end), begin, end);
    }
}

export function pointAt({ points, along }: Path, place: number): Point {
    let i = 1;
    while (i < along.length - 1 && along[i] < place) i++;
    const mix = (place - along[i - 1]) / (along[i] - along[i - 1]);
    const [a, b] = [points[i - 1], points[i]];
    return [a[0] + (b[0] - a[0]) * mix, a[1] + (b[1] - a[1]) * mix, a[2] + (b[2] - a[2]) * mix];
}
