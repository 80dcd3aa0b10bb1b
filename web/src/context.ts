/** What all parts of a page of runs share: the runs, the state, and what follows from both. */

import type { Quantity } from "./data/quantities.ts";
import { type Moment, maximum, type RunData } from "./data/run.ts";
import type { Series } from "./data/series.ts";
import { littleAbove, niceAbove, time } from "./format.ts";
import { PageContext } from "./page-context.ts";
import { remembered } from "./remembered.ts";
import type { Selection, State, Store } from "./state.ts";

/** A part of the page that follows the state. */
export interface Panel {
    element: HTMLElement;
    update(changed: ReadonlySet<keyof State | "data">): void;
}

export interface Scale {
    low: number;
    high: number;
    isDifference: boolean;
}

export class Context extends PageContext<State> {
    readonly runs: RunData[];
    /** The run that lasts longest: the slider has its rows. */
    readonly longest: RunData;
    private readonly largestDifferences = new Map<string, number>();
    /** Whether links can be compared one by one. */
    readonly isSameMachine: boolean;

    constructor(runs: RunData[], store: Store) {
        super(store);
        this.runs = runs;
        this.isSameMachine = haveSameLinks(runs);
        const end = (run: RunData) => run.series?.end[run.series.rows - 1] ?? -1;
        this.longest = runs.reduce((best, run) => (end(run) > end(best) ? run : best));
    }

    get series(): Series | null {
        return this.longest.series;
    }

    /** The run that selections belong to. */
    get run(): RunData {
        return this.runs[this.state.run];
    }

    /** Those that all runs have: pictures next to each other show the same. */
    get quantities(): Quantity[] {
        return this.run.quantities.filter(({ id }) => this.runs.every((run) => run.has(id)));
    }

    get quantity(): Quantity {
        return this.run.quantity(this.state.quantity);
    }

    get isDifference(): boolean {
        return this.state.compare === "difference" && this.isSameMachine;
    }

    /** The runs that have a picture: indices. */
    get pictured(): number[] {
        if (this.runs.length < 2) return [0];
        const { compare } = this.state;
        if (compare === "both") return [0, 1];
        return compare === "second" ? [1] : [0];
    }

    /** Whether the picture shows a row of the series. */
    get isOfTime(): boolean {
        return this.quantity.overTime && this.state.time !== null && this.series !== null;
    }

    /** Where a row of the slider is in a run's own series. */
    momentOf(run: RunData, time = this.state.time): Moment {
        if (time === null || !run.series) return null;
        return this.rowOf(run, time) ?? "ended";
    }

    /** The row of a run's own series at a row of the slider; null when it has ended. */
    rowOf(run: RunData, row: number): number | null {
        if (run === this.longest || !this.series || !run.series) return row;
        return run.series.rowAt((this.series.start[row] + this.series.end[row]) / 2);
    }

    /** Values of the links of a run, or of the difference. */
    fill(values: Float64Array, index: number): void {
        if (this.isDifference) this.fillDifference(values, this.state.time);
        else this.fillOf(this.runs[index], values, this.state.time);
    }

    private fillDifference(values: Float64Array, time: number | null, first = new Float64Array(values.length)): void {
        this.fillOf(this.runs[0], first, time);
        this.fillOf(this.runs[1], values, time);
        for (let link = 0; link < values.length; link++) values[link] -= first[link];
    }

    private fillOf(run: RunData, values: Float64Array, time: number | null): void {
        run.fill(values, run.quantity(this.state.quantity), this.momentOf(run, time));
    }

    /** Whether both ends of the choice of scale differ. */
    get hasScaleChoice(): boolean {
        const { quantity } = this;
        return quantity.unit === "share" && this.largest(quantity) <= 0.8;
    }

    /** Of the whole run and of all times. */
    private largest({ id, overTime }: Quantity): number {
        if (!this.isDifference) return Math.max(...this.runs.map((run) => largestOf(run, run.quantity(id))));
        const isKnownOverTime = overTime && this.runs.every(({ linkSeries }) => linkSeries !== null);
        const rows = isKnownOverTime && this.series ? this.series.rows : 0;
        return remembered(this.largestDifferences, `${id} ${rows}`, () => this.largestDifference(rows));
    }

    private largestDifference(rows: number): number {
        const [values, first] = [0, 1].map(() => new Float64Array(this.run.machine.links));
        let largest = 0;
        for (const time of [null, ...Array(rows).keys()]) {
            this.fillDifference(values, time, first);
            for (const value of values) if (Math.abs(value) > largest) largest = Math.abs(value);
        }
        return largest;
    }

    /** The same for all times, so that colors can be compared over time. */
    get scale(): Scale {
        const { quantity, state, isDifference } = this;
        const isFull = quantity.unit === "share" && (state.scale === "full" || !this.hasScaleChoice);
        const above = quantity.unit === "share" ? niceAbove : littleAbove;
        const high = isFull ? 1 : above(this.largest(quantity));
        return { low: isDifference ? -high : 0, high, isDifference };
    }

    get threshold(): number {
        return this.state.hide * this.scale.high;
    }

    time(cycles: number): string {
        return time(cycles, this.run.facts.machine.cycle_seconds);
    }

    /** Both units, where both are known. */
    timeWithCycles(cycles: number): string {
        const text = this.time(cycles);
        return this.run.facts.machine.cycle_seconds === null
            ? text
            : `${text} (cycle ${cycles.toLocaleString("en-US")})`;
    }

    select(selection: Selection, run = this.state.run): void {
        this.store.set({ ...this.toRun(run), selection });
    }

    /** What changes when lists and answers turn to a run: nodes of another machine mean nothing in it. */
    toRun(run: number): Partial<State> {
        const isKept = run === this.state.run || this.isSameMachine;
        return isKept ? { run } : { run, selection: null, route: null };
    }
}

/** Whether there are two runs, whose links are those of one machine. */
export function haveSameLinks(runs: RunData[]): boolean {
    if (runs.length < 2) return false;
    const [a, b] = runs.map(({ machine }) => machine);
    const isSameShape = a.facts.shape.join() === b.facts.shape.join();
    return isSameShape && a.links === b.links && a.isWrap.every((flag, link) => flag === b.isWrap[link]);
}

const known = new WeakMap<Quantity, number>();

function largestOf(run: RunData, quantity: Quantity): number {
    let largest = known.get(quantity);
    if (largest === undefined) {
        largest = Math.max(maximum(quantity.whole), quantity.overTime ? run.peak : 0);
        known.set(quantity, largest);
    }
    return largest;
}
