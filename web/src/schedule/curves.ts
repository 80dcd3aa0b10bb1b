/** Curves over time: utilization, and how many jobs wait. Of two runs, the second is dashed. */

import uPlot from "uplot";
import { h } from "../dom.ts";
import { count, percent } from "../format.ts";
import type { Changed } from "../state.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import type { ScheduleState } from "./state.ts";
import { margins } from "./time-scale.ts";
import { duration, moment, ticks } from "./words.ts";

const height = 104;

export class Curves {
    readonly element = h("div", { class: "curves chart" });
    private readonly context: Context;
    private readonly runs: Schedule[];
    private readonly seconds: number[];
    private plot: uPlot | null = null;

    constructor(context: Context) {
        this.context = context;
        this.runs = context.runs.filter(({ series }) => series);
        this.seconds = secondsOf(this.runs);
        this.element.title = hint(this.runs);
        new ResizeObserver(() => this.resize()).observe(this.element);
    }

    update(changed: Changed<ScheduleState>): void {
        if (this.seconds.length === 0) return;
        if (!this.plot || changed.has("theme")) this.build();
        if (changed.has("from") || changed.has("to")) this.setWindow();
        this.setValues();
    }

    private resize(): void {
        const { clientWidth: width } = this.element;
        if (width > 0) this.plot?.setSize({ width, height });
    }

    private setWindow(): void {
        const { from, to } = this.context.state;
        this.plot!.setScale("x", { min: from, max: to });
    }

    /** The key has the values at the cursor. */
    private setValues(): void {
        const { time } = this.context.state;
        const next = this.seconds.findIndex((second) => second > time);
        const at = next < 0 ? this.seconds.length - 1 : Math.max(0, next - 1);
        if (this.plot && (this.plot.cursor.left ?? -1) < 0) this.plot.setLegend({ idx: at }, false);
    }

    private data(): uPlot.AlignedData {
        const columns = this.runs.flatMap((run) => {
            const rows = this.seconds.map((second) => rowAt(run, second));
            const values = (column: Float64Array | null, factor: number) =>
                rows.map((row) => (row === null || !column ? null : factor * column[row]));
            const { utilization, allocated, waiting } = run.series!;
            const shares = [values(utilization, 100), ...(hasAllocated(run) ? [values(allocated, 100)] : [])];
            return [...shares, values(waiting, 1)];
        });
        return [this.seconds, ...columns] as uPlot.AlignedData;
    }

    private build(): void {
        this.plot?.destroy();
        const style = getComputedStyle(this.element);
        const color = (name: string) => style.getPropertyValue(name).trim() || "gray";
        const axis = {
            stroke: color("--quiet"),
            grid: { stroke: color("--line"), width: 1 },
            ticks: { show: false },
            font: "11px system-ui",
        };
        const { from, to } = this.context.state;
        const options: uPlot.Options = {
            width: Math.max(200, this.element.clientWidth),
            height,
            padding: [6, 0, 0, 0],
            cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
            scales: {
                x: { time: false, min: from, max: to, auto: false },
                share: { range: () => [0, 100] },
                jobs: { range: (_, __, high) => [0, Math.max(4, high * 1.05)] },
            },
            axes: [
                {
                    ...axis,
                    size: 20,
                    splits: (_, __, min, max) => this.ticks(min, max).map(({ second }) => second),
                    values: (plot) => this.ticks(plot.scales.x.min!, plot.scales.x.max!).map(({ text }) => text),
                },
                {
                    ...axis,
                    scale: "share",
                    size: margins.left,
                    space: 26,
                    values: (_, values) => values.map((value) => `${value} %`),
                },
                {
                    ...axis,
                    scale: "jobs",
                    side: 1,
                    size: margins.right,
                    space: 26,
                    grid: { show: false },
                    values: (_, values) => values.map((value) => (Number.isInteger(value) ? count(value) : "")),
                },
            ],
            hooks: { draw: [() => this.setValues()] },
            series: [
                { label: "Time", value: (_, value) => (value === null ? "–" : moment(value)) },
                ...this.lines(color),
            ],
        };
        this.plot = new uPlot(options, this.data(), this.element);
    }

    private ticks(from: number, to: number) {
        return ticks(from, to, Math.max(2, this.element.clientWidth / 110));
    }

    private lines(color: (name: string) => string): uPlot.Series[] {
        return this.runs.flatMap((run, i) => {
            const of = this.runs.length > 1 ? ` ${this.context.shortNames[this.context.runs.indexOf(run)]}` : "";
            const dash = i > 0 ? { dash: [4, 3] } : {};
            const paths = uPlot.paths.stepped!({ align: 1 });
            const base = { width: 1.25, points: { show: false }, paths, ...dash };
            const share = (_: uPlot, value: number | null) => (value === null ? "–" : percent(value / 100));
            const jobs = (_: uPlot, value: number | null) =>
                value === null ? "–" : count(Math.round(10 * value) / 10);
            return [
                {
                    ...base,
                    label: `Utilization${of}`,
                    scale: "share",
                    stroke: color("--curve-1"),
                    value: share,
                    fill: i === 0 ? `${color("--curve-1")}22` : undefined,
                },
                ...(hasAllocated(run)
                    ? [{ ...base, label: `Allocated${of}`, scale: "share", stroke: color("--curve-2"), value: share }]
                    : []),
                {
                    ...base,
                    label: `Waiting${of}`,
                    scale: "jobs",
                    stroke: color("--curve-4"),
                    width: 1.75,
                    value: jobs,
                },
            ];
        });
    }
}

/** Where it differs from utilization by more than can be seen. */
function hasAllocated({ series }: Schedule): boolean {
    const { utilization, allocated } = series!;
    return utilization !== null && allocated?.some((value, row) => value - utilization[row] > 0.01) === true;
}

function hint([run]: Schedule[]): string {
    if (!run) return "";
    const { start, end } = run.series!;
    return `Means of intervals of ${duration(end[0] - start[0])}. Press to move the cursor`;
}

/** Starts of the intervals of all runs, and their ends. */
function secondsOf(runs: Schedule[]): number[] {
    const all = runs.flatMap(({ series }) => [...series!.start, ...series!.end]);
    return [...new Set(all)].sort((a, b) => a - b);
}

function rowAt({ series }: Schedule, second: number): number | null {
    const { start, end } = series!;
    let [low, high] = [0, end.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (end[middle] <= second) low = middle + 1;
        else high = middle;
    }
    return low < end.length && start[low] <= second ? low : null;
}
