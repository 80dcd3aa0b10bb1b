/** What changes over time: the rows of table `series`, and in the same intervals the utilization of each link. */

import { remembered } from "../remembered.ts";
import type { Machine } from "./machine.ts";
import type { Facts } from "./page.ts";
import type { Table } from "./parquet.ts";
import { firstAbove } from "./search.ts";

export class Series {
    readonly rows: number;
    readonly start: Float64Array;
    readonly end: Float64Array;
    private readonly table: Table;
    private readonly columns = new Map<string, Float64Array>();

    constructor(table: Table) {
        this.table = table;
        this.rows = table.rows;
        this.start = table.numbers("start_cycle");
        this.end = table.numbers("end_cycle");
    }

    /** The row in which a cycle lies, or null past the end. */
    rowAt(cycle: number): number | null {
        const row = firstAbove(this.end, cycle);
        return row < this.rows ? row : null;
    }

    /** The share of the time that rows take in which something is so. */
    shareOf(isSo: boolean[]): number {
        let time = 0;
        isSo.forEach((is, row) => {
            if (is) time += this.end[row] - this.start[row];
        });
        return time / (this.end[this.rows - 1] - this.start[0]);
    }

    column(name: string): Float64Array | null {
        if (!this.table.has(name)) return null;
        return remembered(this.columns, name, () => this.table.numbers(name));
    }
}

/** When a link was busiest. */
export interface Peaks {
    value: Float64Array;
    row: Int32Array;
}

export class LinkSeries {
    readonly full: Float64Array;
    private readonly bytes: Uint8Array[];
    /** The byte of a link; null: as many bytes as links, in their order. */
    private readonly place: Int32Array | null;
    private readonly links: number;
    private known: Peaks | null = null;

    constructor(table: Table, kind: Facts["series"], machine: Machine) {
        this.full = table.numbers("full");
        this.bytes = table.bytes("bytes");
        this.links = machine.links;
        this.place = kind === "planes" ? placesInPlanes(machine) : null;
    }

    get rows(): number {
        return this.full.length;
    }

    value(row: number, link: number): number {
        const byte = this.bytes[row][this.place ? this.place[link] : link];
        return (byte / 255) * this.full[row];
    }

    fill(row: number, values: Float64Array): void {
        const unit = this.full[row] / 255;
        const bytes = this.bytes[row];
        const { place } = this;
        if (place) for (let link = 0; link < this.links; link++) values[link] = bytes[place[link]] * unit;
        else for (let link = 0; link < this.links; link++) values[link] = bytes[link] * unit;
    }

    overTime(link: number): Float64Array {
        return Float64Array.from({ length: this.rows }, (_, row) => this.value(row, link));
    }

    peaks(): Peaks {
        this.known ??= this.findPeaks();
        return this.known;
    }

    private findPeaks(): Peaks {
        const value = new Float64Array(this.links);
        const row = new Int32Array(this.links);
        const now = new Float64Array(this.links);
        for (let r = 0; r < this.rows; r++) {
            this.fill(r, now);
            for (let link = 0; link < this.links; link++) {
                if (now[link] > value[link]) {
                    value[link] = now[link];
                    row[link] = r;
                }
            }
        }
        return { value, row };
    }
}

/** Bytes of planes: for x+, x-, y+ ... one for each coordinate along the dimension. */
function placesInPlanes(machine: Machine): Int32Array {
    const { shape } = machine.facts;
    const first: number[] = [];
    let next = 0;
    for (const extent of shape) {
        first.push(next, next + extent);
        next += 2 * extent;
    }
    return Int32Array.from(machine.source, (node, link) => {
        const direction = machine.direction[link];
        return first[direction] + machine.coordinate(node, direction >> 1);
    });
}
