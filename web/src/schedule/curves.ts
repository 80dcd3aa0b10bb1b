/** Curves over time: utilization, and how many jobs wait. Of two runs, the second is dashed, in other colors. */

import uPlot from "uplot";
import { ChartKey } from "../chart-key.ts";
import { firstAbove } from "../data/search.ts";
import { h } from "../dom.ts";
import { compact, count, percent } from "../format.ts";
import type { Changed } from "../state.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import type { ScheduleState } from "./state.ts";
import { margins } from "./time-scale.ts";
import { dayName, duration, moment, ticks } from "./words.ts";

const height = 104;
const labelSize = 14;
const dashOfSecond = [5, 4];
/** Allocated nodes lie close to those in use, so color alone is too little. */
const dashOfSecondAllocated = [2, 2];

interface Curve {
    label: string;
    scale: "share" | "jobs";
    color: string;
    dash: number[];
    width: number;
    isFilled: boolean;
    values: (number | null)[];
    text: (value: number) => string;
}

export class Curves {
    readonly element = h("div", { class: "curves chart" });
    private readonly context: Context;
    private readonly runs: Schedule[];
    private readonly seconds: number[];
    private readonly curves: Curve[];
    private readonly key = new ChartKey();
    private readonly plotBox = h("div", {});
    private readonly resizing = new ResizeObserver(() => this.resize());
    private plot: uPlot | null = null;

    constructor(context: Context) {
        this.context = context;
        this.runs = context.runs.filter(({ series }) => series);
        this.seconds = secondsOf(this.runs);
        this.curves = this.runs.flatMap((run, i) => this.curvesOf(run, i));
        this.plotBox.title = hint(this.runs);
        this.element.append(this.plotBox, this.key.element);
        this.key.element.classList.toggle("of-two", this.runs.length > 1);
        this.resizing.observe(this.element);
    }

    dispose(): void {
        this.resizing.disconnect();
        this.plot?.destroy();
    }

    update(changed: Changed<ScheduleState>): void {
        if (this.seconds.length === 0) return;
        if (!this.plot || changed.has("theme")) this.build();
        if (changed.has("from") || changed.has("to")) this.setWindow();
        this.setKey();
    }

    private resize(): void {
        const { clientWidth: width } = this.element;
        if (width > 0) this.plot?.setSize({ width, height });
    }

    private setWindow(): void {
        const { from, to } = this.context.state;
        this.plot!.setScale("x", { min: from, max: to });
    }

    /** The key has the values under the pointer, else those at the cursor. */
    private setKey(): void {
        if (!this.plot) return;
        const { left = -1, idx } = this.plot.cursor;
        const at =
            left >= 0 && typeof idx === "number"
                ? idx
                : Math.max(0, firstAbove(this.seconds, this.context.state.time) - 1);
        const style = getComputedStyle(this.element);
        const items = this.curves.map(({ label, color, dash, values, text }) => {
            const value = values[at];
            return { label, dash, color: style.getPropertyValue(color), value: value == null ? "–" : text(value) };
        });
        this.key.show(this.intervalAt(this.seconds[at]), items);
    }

    private intervalAt(second: number): string {
        const [run] = this.runs;
        const row = rowAt(run, second);
        if (row === null) return "Means:";
        const { start, end } = run.series!;
        const until = moment(end[row]).replace(`${dayName(start[row])}, `, "");
        return `Means of ${moment(start[row])} to ${until}:`;
    }

    private curvesOf(run: Schedule, i: number): Curve[] {
        const of = this.runs.length > 1 ? ` ${this.context.shortNames[this.context.runs.indexOf(run)]}` : "";
        const rows = this.seconds.map((second) => rowAt(run, second));
        const values = (column: Float64Array | null, factor: number) =>
            rows.map((row) => (row === null || !column ? null : factor * column[row]));
        const tone = i > 0 ? "--other" : "--curve";
        const base = { dash: i > 0 ? dashOfSecond : [], width: i > 0 ? 1.75 : 1.25, isFilled: false };
        const share = { ...base, scale: "share" as const, text: (value: number) => percent(value / 100) };
        const { utilization, allocated, waiting } = run.series!;
        const used: Curve = {
            ...share,
            label: `Utilization${of}`,
            color: `${tone}-1`,
            values: values(utilization, 100),
            isFilled: i === 0,
        };
        const given: Curve = {
            ...share,
            label: `Allocated${of}`,
            color: `${tone}-2`,
            dash: i > 0 ? dashOfSecondAllocated : [],
            values: values(allocated, 100),
        };
        const queued: Curve = {
            ...base,
            label: `Jobs waiting${of}`,
            scale: "jobs",
            color: `${tone}-4`,
            width: 1.75,
            values: values(waiting, 1),
            text: (value) => count(Math.round(10 * value) / 10),
        };
        return hasAllocated(run) ? [used, given, queued] : [used, queued];
    }

    private build(): void {
        this.plot?.destroy();
        this.plot = new uPlot(this.optionsOf(1), this.data(), this.plotBox);
    }

    /** Drawn with so many pixels for each of the page. */
    async drawnFinely(ratio: number): Promise<HTMLCanvasElement> {
        const larger = Math.max(1, ratio / devicePixelRatio);
        const plot = new uPlot(this.optionsOf(larger), this.data(), document.createElement("div"));
        await new Promise((resolve) => setTimeout(resolve)); // uPlot draws when this task is over
        plot.destroy();
        return plot.ctx.canvas;
    }

    private data(): uPlot.AlignedData {
        return [this.seconds, ...this.curves.map(({ values }) => values)] as uPlot.AlignedData;
    }

    /** All lengths are so many times those of the page. */
    private optionsOf(larger: number): uPlot.Options {
        const style = getComputedStyle(this.element);
        const color = (name: string) => style.getPropertyValue(name).trim() || "gray";
        const axis = {
            stroke: color("--quiet"),
            grid: { stroke: color("--line"), width: larger },
            ticks: { show: false },
            font: fontOf(larger),
            gap: 5 * larger,
        };
        const { from, to } = this.context.state;
        return {
            width: larger * Math.max(200, this.element.clientWidth),
            height: larger * height,
            padding: [6 * larger, 0, 0, 0],
            cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
            scales: {
                x: { time: false, min: from, max: to, auto: false },
                share: { range: () => [0, 100] },
                jobs: { range: (_, __, high) => [0, Math.max(4, high * 1.05)] },
            },
            axes: [
                {
                    ...axis,
                    size: 20 * larger,
                    splits: (_, __, min, max) => this.ticks(min, max).map(({ second }) => second),
                    values: (plot) => this.ticks(plot.scales.x.min!, plot.scales.x.max!).map(({ text }) => text),
                },
                {
                    ...axis,
                    scale: "share",
                    size: larger * margins.left,
                    space: 26 * larger,
                    values: (_, values) => values.map((value) => `${value} %`),
                },
                {
                    ...axis,
                    scale: "jobs",
                    side: 1,
                    size: larger * (margins.right - labelSize),
                    space: 26 * larger,
                    grid: { show: false },
                    label: "jobs waiting",
                    labelSize: larger * labelSize,
                    labelFont: fontOf(larger),
                    stroke: color("--curve-4"),
                    values: (_, values) => values.map((value) => (Number.isInteger(value) ? compact(value) : "")),
                },
            ],
            hooks: { draw: [() => this.setKey()], setCursor: [() => this.setKey()] },
            legend: { show: false },
            series: [{}, ...this.curves.map((curve) => lineOf(curve, color, larger))],
        };
    }

    private ticks(from: number, to: number) {
        return ticks(from, to, Math.max(2, this.element.clientWidth / 110));
    }
}

function fontOf(larger: number): string {
    return `${11 * larger}px system-ui`;
}

function lineOf(curve: Curve, color: (name: string) => string, larger: number): uPlot.Series {
    return {
        label: curve.label,
        scale: curve.scale,
        stroke: color(curve.color),
        width: larger * curve.width,
        dash: curve.dash.map((length) => larger * length),
        points: { show: false },
        paths: uPlot.paths.stepped!({ align: 1 }),
        fill: curve.isFilled ? `${color(curve.color)}22` : undefined,
    };
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
    const row = firstAbove(end, second);
    return row < end.length && start[row] <= second ? row : null;
}
