/**
 * Nodes and links of a machine: their coordinates, names and neighbors.
 *
 * It has no geometry of tori: which node a link ends at, and which links are wraps, is read from table `wires`.
 * A direction is a number, 2 * dimension for plus and 2 * dimension + 1 for minus.
 */

import { remembered } from "../remembered.ts";
import type { MachineFacts } from "./page.ts";
import type { Table } from "./parquet.ts";

/** What a text names, or what is wrong with it. */
export type Parsed = { node: number } | { link: number } | { problem: string };

export class Machine {
    readonly facts: MachineFacts;
    readonly nodes: number;
    /** By row of table `links`. */
    readonly source: Int32Array;
    readonly target: Int32Array;
    readonly direction: Uint8Array;
    readonly isWrap: Uint8Array;
    readonly deadNodes: Set<number>;
    private readonly strides: number[];
    private readonly rows: Int32Array;

    constructor(facts: MachineFacts, links: Table, wires: Table) {
        this.facts = facts;
        this.strides = facts.shape.map((_, d) => facts.shape.slice(0, d).reduce((a, b) => a * b, 1));
        this.nodes = facts.shape.reduce((a, b) => a * b, 1);
        this.deadNodes = new Set(facts.dead_nodes);
        this.source = links.integers("node");
        this.direction = Uint8Array.from(this.directionsOf(links.texts("direction")));
        this.target = wires.integers("target");
        this.isWrap = Uint8Array.from(wires.integers("is_wrap"));
        this.rows = new Int32Array(this.nodes * this.directions).fill(-1);
        this.source.forEach((node, link) => {
            this.rows[node * this.directions + this.direction[link]] = link;
        });
    }

    get links(): number {
        return this.source.length;
    }

    get dimensions(): number {
        return this.facts.shape.length;
    }

    get directions(): number {
        return 2 * this.dimensions;
    }

    coordinate(node: number, dimension: number): number {
        return Math.floor(node / this.strides[dimension]) % this.facts.shape[dimension];
    }

    coordinates(node: number): number[] {
        return this.facts.shape.map((_, d) => this.coordinate(node, d));
    }

    nodeAt(coordinates: number[]): number | null {
        const { shape } = this.facts;
        if (coordinates.length !== shape.length) return null;
        if (coordinates.some((c, d) => !Number.isInteger(c) || c < 0 || c >= shape[d])) return null;
        return coordinates.reduce((node, c, d) => node + c * this.strides[d], 0);
    }

    /** The link that leaves a node in a direction, or null where there is none. */
    linkFrom(node: number, direction: number): number | null {
        const link = this.rows[node * this.directions + direction];
        return link === undefined || link < 0 ? null : link;
    }

    linksFrom(node: number): number[] {
        return Array.from({ length: this.directions }, (_, d) => this.linkFrom(node, d)).filter(
            (link) => link !== null,
        );
    }

    /** The neighbor in a direction, by table `wires`. */
    neighbor(node: number, direction: number): number | null {
        const link = this.linkFrom(node, direction);
        return link === null ? null : this.target[link];
    }

    directionName(direction: number): string {
        return this.facts.dimensions[direction >> 1] + (direction & 1 ? "-" : "+");
    }

    /** -1 for a name that is none. */
    directionOf(name: string): number {
        const dimension = this.facts.dimensions.indexOf(name.slice(0, -1));
        const sign = "+-".indexOf(name.slice(-1));
        return dimension < 0 || sign < 0 ? -1 : 2 * dimension + sign;
    }

    private directionsOf(names: string[]): Iterable<number> {
        const known = new Map<string, number>();
        return names.map((name) => remembered(known, name, () => this.directionOf(name)));
    }

    nodeName(node: number): string {
        return this.dimensions === 1 ? `(${node})` : `(${this.coordinates(node).join(",")})`;
    }

    linkName(link: number): string {
        return `${this.nodeName(this.source[link])} ${this.directionName(this.direction[link])}`;
    }

    /** What a user typed: "12", "(4,0,0)", "4 0 0", and with a direction a link: "(4,0,0) x+". */
    parse(text: string): Parsed {
        const match = text.trim().match(/^\(?\s*([\d\s,]+?)\s*\)?\s*(?:([a-z])\s*([+-]))?$/i);
        if (!match) return { problem: `Write a node as 12 or ${this.nodeName(0)}, a link as ${this.example}.` };
        const numbers = match[1].split(/[\s,]+/).map(Number);
        const node = numbers.length === 1 ? this.nodeOf(numbers[0]) : this.nodeAt(numbers);
        if (node === null) return { problem: `There is no such node: the machine is ${this.facts.shape.join("x")}.` };
        if (!match[2]) return { node };
        const direction = this.directionOf(match[2].toLowerCase() + match[3]);
        const link = direction < 0 ? null : this.linkFrom(node, direction);
        return link === null ? { problem: `Node ${this.nodeName(node)} has no such link.` } : { link };
    }

    private nodeOf(number: number): number | null {
        return number < this.nodes ? number : null;
    }

    get example(): string {
        return this.links > 0 ? this.linkName(0) : "(0,0,0) x+";
    }
}
