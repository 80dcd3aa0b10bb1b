/**
 * Where blocks of a room are drawn, in units of a block. Racks stand in rows where names say so; by places, the first
 * half of the dimensions are rows and the others columns, with gaps between groups; blocks behind switches are a grid.
 */

import type { RoomFacts } from "../data/page.ts";
import type { Midplane } from "./data.ts";
import type { ScheduleState } from "./state.ts";

export interface Cell {
    x: number;
    y: number;
}

export interface Label {
    /** Along the axis, in units. */
    at: number;
    text: string;
    isGroup: boolean;
}

export interface Layout {
    width: number;
    height: number;
    cells: Cell[];
    columns: Label[];
    rows: Label[];
}

/** Of neighbors that differ in the innermost part of their keys, in the next, and so on. */
const gaps = [0.22, 0.5, 0.8, 1];

export function layoutOf(
    room: RoomFacts,
    midplanes: Midplane[],
    arrangement: ScheduleState["arrangement"],
    aspect: number,
): Layout {
    const racks = racksOf(midplanes);
    if (racks && (arrangement === "racks" || room.is_switched)) return rackLayout(racks);
    return room.dimensions.length > 0 ? placeLayout(room, midplanes) : gridLayout(midplanes.length, aspect);
}

export function hasRacks(midplanes: Midplane[]): boolean {
    return racksOf(midplanes) !== null;
}

export interface Rack {
    row: string;
    rack: string;
    midplane: number;
}

/** Blue Gene's names: R2E-M1 is midplane 1 of rack E in row 2. */
export function racksOf(midplanes: Midplane[]): Rack[] | null {
    const parts = midplanes.map(({ name }) => name.match(/^R([0-9A-Z])([0-9A-Z])-M(\d)$/));
    if (parts.length === 0 || parts.some((part) => !part)) return null;
    return parts.map((part) => ({ row: part![1], rack: part![2], midplane: Number(part![3]) }));
}

function rackLayout(racks: Rack[]): Layout {
    const digit = (text: string) => Number.parseInt(text, 36);
    // Midplane 1 is the upper one.
    const rows = new Axis(racks.map(({ row, midplane }) => [digit(row), -midplane]));
    const columns = new Axis(racks.map(({ rack }) => [digit(rack)]));
    const nameOf = (at: number) => at.toString(36).toUpperCase();
    return {
        width: columns.length,
        height: rows.length,
        cells: racks.map(({ row, rack, midplane }) => ({
            x: columns.at([digit(rack)]),
            y: rows.at([digit(row), -midplane]),
        })),
        columns: columns.labels(0, (at) => `Rack ${nameOf(at)}`),
        rows: rows.labels(0, (at) => `Row ${nameOf(at)}`),
    };
}

function placeLayout(room: RoomFacts, midplanes: Midplane[]): Layout {
    const { dimensions } = room;
    const half = Math.floor(dimensions.length / 2);
    // Dimensions of one place tell nothing.
    const long = dimensions.map((_, d) => d).filter((d) => dimensions[d].length > 1);
    const ofRows = long.filter((d) => d < half);
    const ofColumns = long.filter((d) => d >= half);
    const key = (place: number[], of: number[]) => of.map((d) => place[d]);
    const rows = new Axis(midplanes.map(({ place }) => key(place, ofRows)));
    const columns = new Axis(midplanes.map(({ place }) => key(place, ofColumns)));
    const name = (of: number[], level: number) => (at: number) => `${dimensions[of[level]].name} ${at}`;
    const labels = (axis: Axis, of: number[]) => of.flatMap((_, level) => axis.labels(level, name(of, level)));
    return {
        width: columns.length,
        height: rows.length,
        cells: midplanes.map(({ place }) => ({ x: columns.at(key(place, ofColumns)), y: rows.at(key(place, ofRows)) })),
        columns: labels(columns, ofColumns),
        rows: labels(rows, ofRows),
    };
}

/** As near to blocks of 1.5 to 1 as it goes, in full rows if it can be. */
function gridLayout(count: number, aspect: number): Layout {
    const shapes = Array.from({ length: count }, (_, i) => ({ columns: i + 1, rows: Math.ceil(count / (i + 1)) }));
    const fault = ({ columns, rows }: { columns: number; rows: number }) =>
        Math.abs(Math.log((aspect * rows) / columns / 1.5)) +
        (columns * rows === count ? 0 : 0.7 + (columns * rows - count) / count);
    const { columns, rows } = shapes.reduce((best, shape) => (fault(shape) < fault(best) ? shape : best));
    const step = 1 + gaps[0];
    return {
        width: columns * step - gaps[0],
        height: rows * step - gaps[0],
        cells: Array.from({ length: count }, (_, i) => ({
            x: (i % columns) * step,
            y: Math.floor(i / columns) * step,
        })),
        columns: [],
        rows: [],
    };
}

/** Keys in ascending order along an axis: the further out two neighbors differ, the wider the gap between them. */
class Axis {
    readonly length: number;
    private readonly keys: number[][];
    private readonly positions = new Map<string, number>();

    constructor(keys: number[][]) {
        const unique = new Map(keys.map((key) => [key.join(), key]));
        this.keys = [...unique.values()].sort(ascending);
        let at = 0;
        this.keys.forEach((key, i) => {
            if (i > 0) at += 1 + gapBetween(this.keys[i - 1], key);
            this.positions.set(key.join(), at);
        });
        this.length = at + 1;
    }

    at(key: number[]): number {
        return this.positions.get(key.join())!;
    }

    /** One for each value of a part of the key, in the middle of its neighbors. */
    labels(level: number, text: (value: number) => string): Label[] {
        const groups = new Map<string, number[][]>();
        for (const key of this.keys) {
            const group = key.slice(0, level + 1).join();
            groups.set(group, [...(groups.get(group) ?? []), key]);
        }
        return [...groups.values()].map((keys) => ({
            at: (this.at(keys[0]) + this.at(keys[keys.length - 1]) + 1) / 2,
            text: text(keys[0][level]),
            isGroup: level < keys[0].length - 1,
        }));
    }
}

/** Pixels of a letter, at least between texts, and of the height of a line. */
const [letter, between, line] = [6.4, 6, 13];

/** Columns' labels that do not overlap: with the word that all share at the first only, if there is little room. */
export function columnsThatFit(labels: Label[], pixels: number): Label[] {
    const width = ({ text }: Label) => text.length * letter;
    const need = (a: Label, b: Label) => (width(a) + width(b)) / 2 + between;
    const long = spread(labels, pixels, need);
    if (long.length === labels.length) return labels;
    const short = labels.map((label, i) => (i === 0 ? label : { ...label, text: label.text.split(" ").at(-1)! }));
    return spread(short, pixels, need);
}

export function rowsThatFit(labels: Label[], pixels: number): Label[] {
    return spread(labels, pixels, () => line);
}

/** Those of ascending labels that are as far from the one before as they need. */
function spread(labels: Label[], pixels: number, need: (a: Label, b: Label) => number): Label[] {
    const kept: Label[] = [];
    for (const label of labels) {
        const last = kept.at(-1);
        if (!last || (label.at - last.at) * pixels >= need(last, label)) kept.push(label);
    }
    return kept;
}

function ascending(a: number[], b: number[]): number {
    const level = a.findIndex((value, i) => value !== b[i]);
    return level < 0 ? 0 : a[level] - b[level];
}

function gapBetween(a: number[], b: number[]): number {
    const level = a.findIndex((value, i) => value !== b[i]);
    return gaps[a.length - 1 - level] ?? 1;
}
