/** What all parts of a page of runs share: the runs, the state, and what follows from both. */

import type { Quantity } from "./data/quantities.ts";
import { type Moment, maximum, type RunData } from "./data/run.ts";
import type { Series } from "./data/series.ts";
import { littleAbove, niceAbove, time } from "./format.ts";
import type { Theme } from "./picture/colors.ts";
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

export class Context {
    readonly runs: RunData[];
    readonly store: Store;
    /** The run that lasts longest: the slider has its rows. */
    readonly longest: RunData;
    private readonly darkPage = window.matchMedia("(prefers-color-scheme: dark)");

    constructor(runs: RunData[], store: Store) {
        this.runs = runs;
        this.store = store;
        const end = (run: RunData) => run.series?.end[run.series.rows - 1] ?? -1;
        this.longest = runs.reduce((best, run) => (end(run) > end(best) ? run : best));
        this.darkPage.addEventListener("change", () => store.announce(new Set(["theme"])));
    }

    get state(): State {
        return this.store.state;
    }

    get theme(): Theme {
        const { theme } = this.state;
        if (theme !== "auto") return theme;
        return this.darkPage.matches ? "dark" : "light";
    }

    get series(): Series | null {
        return this.longest.series;
    }

    /** The run that selections belong to. */
    get run(): RunData {
        return this.runs[this.state.run];
    }

    get quantity(): Quantity {
        return this.run.quantity(this.state.quantity);
    }

    /** Whether links can be compared one by one. */
    get isSameMachine(): boolean {
        if (this.runs.length < 2) return false;
        const [a, b] = this.runs.map(({ machine }) => machine);
        const sameShape = a.facts.shape.join() === b.facts.shape.join();
        return sameShape && a.links === b.links && a.isWrap.every((flag, link) => flag === b.isWrap[link]);
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

    /** Where the slider is in a run's own series. */
    momentOf(run: RunData): Moment {
        const { time } = this.state;
        if (time === null || !run.series) return null;
        return this.rowOf(run, time) ?? "ended";
    }

    /** The row of a run's own series at a row of the slider; null when it has ended. */
    rowOf(run: RunData, row: number): number | null {
        if (run === this.longest || !this.series || !run.series) return row;
        return run.series.rowAt((this.series.start[row] + this.series.end[row]) / 2);
    }

    /** Values of the links of a pictured run, or of the difference. */
    fill(values: Float64Array, index: number): void {
        const quantity = (run: RunData) => run.quantity(this.state.quantity);
        const run = this.runs[index];
        run.fill(values, quantity(run), this.momentOf(run));
        if (!this.isDifference) return;
        const other = new Float64Array(values.length);
        const second = this.runs[1];
        second.fill(other, quantity(second), this.momentOf(second));
        for (let link = 0; link < values.length; link++) values[link] = other[link] - values[link];
    }

    /** Whether both ends of the choice of scale differ. */
    get hasScaleChoice(): boolean {
        const { quantity } = this;
        return quantity.unit === "share" && this.largest(quantity) <= 0.8;
    }

    private largest({ id }: Quantity): number {
        return Math.max(...this.runs.map((run) => largestOf(run, run.quantity(id))));
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

const known = new WeakMap<Quantity, number>();

function largestOf(run: RunData, quantity: Quantity): number {
    let largest = known.get(quantity);
    if (largest === undefined) {
        largest = Math.max(maximum(quantity.whole), quantity.overTime ? run.peak : 0);
        known.set(quantity, largest);
    }
    return largest;
}
