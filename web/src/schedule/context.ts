/** What all parts of a page of schedules share: the schedules, the state, and what follows from both. */

import { firstAbove } from "../data/search.ts";
import { PageContext } from "../page-context.ts";
import { shortNames } from "../short-names.ts";
import type { Changed, Store } from "../state.ts";
import { Colors } from "./colors.ts";
import type { Partition, Schedule } from "./data.ts";
import { Instant } from "./instant.ts";
import type { Asked, ScheduleState } from "./state.ts";

/** A part of the page that follows the state. */
export interface Part {
    element: HTMLElement;
    update(changed: Changed<ScheduleState>): void;
}

export class Context extends PageContext<ScheduleState> {
    readonly runs: Schedule[];
    /** The seconds that either schedule takes. */
    readonly span: [number, number];
    readonly colors: Colors;
    readonly shortNames: string[];
    private readonly instants: Instant[] = [];

    constructor(runs: Schedule[], store: Store<ScheduleState>) {
        super(store);
        this.runs = runs;
        this.span = spanOf(runs);
        this.shortNames = shortNames(runs.map(({ name }) => name));
        this.colors = new Colors(runs);
    }

    get run(): Schedule {
        return this.runs[this.state.run];
    }

    /** A run at the cursor's time. */
    at(run: number): Instant {
        const known = this.instants[run];
        if (known?.second === this.state.time) return known;
        this.instants[run] = new Instant(this.runs[run], this.state.time);
        return this.instants[run];
    }

    get now(): Instant {
        return this.at(this.state.run);
    }

    /** The job that is asked, as a row of a run. */
    askedRow(run: Schedule): number | null {
        const { asked } = this.state;
        return asked && "job" in asked ? run.row(asked.job) : null;
    }

    askedPartition(run: Schedule): Partition | null {
        const { asked } = this.state;
        if (!asked || !("partition" in asked)) return null;
        return run.partitions.find(({ name }) => name === asked.partition) ?? null;
    }

    askedUnit(run: Schedule): number | null {
        const { asked } = this.state;
        if (!asked || !("midplane" in asked)) return null;
        const unit = run.midplanes.findIndex(({ name }) => name === asked.midplane);
        return unit < 0 ? null : unit;
    }

    ask(asked: Asked, run = this.state.run): void {
        this.store.set({ asked, run });
    }

    /** Moves the cursor, and the window with it where it would leave it. */
    go(second: number): void {
        const [first, last] = this.span;
        const time = Math.min(last, Math.max(first, Math.round(second)));
        const { from, to } = this.state;
        const isSeen = time >= from && time <= to;
        const shift = isSeen ? 0 : time - (from + to) / 2;
        this.store.set({ time, ...this.window(from + shift, to + shift) });
    }

    show(from: number, to: number): void {
        this.store.set(this.window(from, to));
    }

    /** A window within the span, of no less than two minutes. */
    private window(from: number, to: number): { from: number; to: number } {
        const [first, last] = this.span;
        const length = Math.min(last - first, Math.max(120, to - from));
        const start = Math.min(last - length, Math.max(first, (from + to - length) / 2));
        return { from: start, to: start + length };
    }

    /** The next second at which a job or an outage of either run starts or ends, or the one before. */
    step(by: 1 | -1): void {
        const seconds = this.runs.map(({ events }) => neighbor(events, this.state.time, by));
        const known = seconds.filter((second) => second !== null);
        if (known.length > 0) this.go(by > 0 ? Math.min(...known) : Math.max(...known));
    }
}

/** Each second is there once. */
function neighbor(events: Float64Array, second: number, by: 1 | -1): number | null {
    const next = firstAbove(events, second);
    if (by > 0) return events[next] ?? null;
    return events[events[next - 1] === second ? next - 2 : next - 1] ?? null;
}

/** From the first submission of all to the last end. */
export function spanOf(runs: Schedule[]): [number, number] {
    const spans = runs.map(({ span }) => span);
    return [Math.min(...spans.map(([first]) => first)), Math.max(...spans.map(([, last]) => last))];
}

/** When the most jobs wait, for the first time; when nobody does, when the most nodes are in use. */
export function busiest(run: Schedule): number {
    const changes: [number, number, number][] = [];
    for (const { since, start, end, nodes } of run.stays.flat())
        changes.push([since, 1, 0], [start, -1, nodes], [end, 0, -nodes]);
    changes.sort((a, b) => a[0] - b[0]);
    let [waiting, nodes] = [0, 0];
    let best = { second: run.span[0], waiting: -1, nodes: -1 };
    changes.forEach(([second, jobsMore, nodesMore], i) => {
        waiting += jobsMore;
        nodes += nodesMore;
        if (changes[i + 1]?.[0] === second) return;
        if (waiting > best.waiting || (waiting === best.waiting && nodes > best.nodes))
            best = { second, waiting, nodes };
    });
    return best.second;
}
