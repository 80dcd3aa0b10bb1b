/** Curves over time: utilization, throughput, packets in flight, and of the link that is selected. */

import uPlot from "uplot";
import { ChartKey, type KeyItem } from "../chart-key.ts";
import type { Context } from "../context.ts";
import type { RunData } from "../data/run.ts";
import type { Series } from "../data/series.ts";
import { h } from "../dom.ts";
import { compact, count, percent, seconds } from "../format.ts";
import { shortNames } from "../short-names.ts";
import type { State } from "../state.ts";

const height = 104;
const axisWidth = 56;
const labelSize = 14;
const dashOfOther = [4, 3];

/** A curve: how it is drawn, and its values by row of the slider. */
interface Curve {
    label: string;
    scale: string;
    color: string;
    width: number;
    dash: number[];
    values: (number | null)[];
    text: (value: number) => string;
    /** For the measured window, where it is known better than as the mean of rows. */
    whole?: number | null;
}

export class Chart {
    readonly element = h("div", { class: "chart" });
    private readonly key = new ChartKey();
    private readonly plotBox = h("div", {});
    private curves: Curve[] = [];
    private readonly context: Context;
    private readonly series: Series;
    private readonly band = h("div", { class: "band" });
    private readonly go: (row: number) => void;
    private readonly resizing = new ResizeObserver(() => this.resize());
    private plot: uPlot | null = null;

    constructor(context: Context, series: Series, go: (row: number) => void) {
        this.context = context;
        this.series = series;
        this.go = go;
        this.key.element.classList.toggle("of-two", context.runs.length > 1);
        this.element.append(this.plotBox, this.key.element);
        this.resizing.observe(this.element);
    }

    dispose(): void {
        this.resizing.disconnect();
        this.plot?.destroy();
    }

    update(changed: ReadonlySet<keyof State | "data">): void {
        const isNew = ["selection", "data", "run"].some((key) => changed.has(key as keyof State));
        if (isNew || changed.has("theme") || !this.plot) this.curves = this.findCurves();
        if (changed.has("theme") || !this.plot) this.build();
        else if (isNew) this.plot.setData(this.data());
        this.place();
    }

    private resize(): void {
        const { clientWidth: width } = this.element;
        if (width > 0) this.plot?.setSize({ width, height });
        this.place();
    }

    private get end(): number {
        return this.series.end[this.series.rows - 1];
    }

    /** Cycles, or seconds where the clock is known. */
    private get unit(): number {
        return this.context.longest.facts.machine.cycle_seconds ?? 1;
    }

    private data(): uPlot.AlignedData {
        const { series } = this;
        const middle = Array.from(series.start, (start, row) => ((start + series.end[row]) / 2) * this.unit);
        return [middle, ...this.curves.map(({ values }) => values)] as uPlot.AlignedData;
    }

    private findCurves(): Curve[] {
        const { series } = this;
        const { longest, runs, run } = this.context;
        const other = runs.find((each) => each !== longest);
        const length = (row: number) => (series.end[row] - series.start[row]) * this.unit;
        const delivered = series.column("packets_delivered");
        const inFlight = series.column("packets_in_flight");
        const hasClock = longest.facts.machine.cycle_seconds !== null;
        const share = { scale: "share", width: 1.25, dash: [], text: (value: number) => percent(value / 100) };
        const number = { width: 1.25, dash: [], text: compact };
        const mean = (of: RunData, label: string): Curve => ({
            ...share,
            label,
            color: "--curve-1",
            values: this.sampled(of, (row) => of.series?.column("utilization")?.[row], 100),
            whole: typeof of.summary.link_utilization_mean === "number" ? 100 * of.summary.link_utilization_mean : null,
        });
        const names = shortNames(runs.map(({ name }) => name));
        const nameOf = (of: RunData) => (other ? ` ${names[runs.indexOf(of)].slice(0, 24)}` : "");
        return [
            mean(longest, `Mean utilization${nameOf(longest)}`),
            ...(other
                ? [{ ...mean(other, `Mean utilization${nameOf(other)}`), color: "--other-1", dash: dashOfOther }]
                : []),
            {
                ...share,
                label: "Selected link",
                color: "--curve-4",
                width: 1.75,
                values: this.sampled(run, (row) => this.valueOfSelected(row), 100),
                whole: this.wholeOfSelected(),
            },
            {
                ...number,
                label: hasClock ? "Packets/s" : "Packets/cycle",
                scale: "rate",
                color: "--curve-2",
                values: this.sampled(longest, (row) => delivered && delivered[row] / length(row)),
            },
            {
                ...number,
                label: "Packets in flight",
                scale: "flight",
                color: "--curve-3",
                values: this.sampled(longest, (row) => inFlight?.[row]),
            },
        ];
    }

    /** Values of a run at the times of the slider's rows; none where it has ended. */
    private sampled(
        run: RunData | undefined,
        value: (row: number) => number | null | undefined,
        factor = 1,
    ): (number | null)[] {
        const { series, context } = this;
        return Array.from({ length: series.rows }, (_, row) => {
            const own = run && context.rowOf(run, row);
            const at = own === undefined || own === null ? null : value(own);
            return at === null || at === undefined ? null : factor * at;
        });
    }

    /** Dead links have no values. */
    private get selectedLink(): number | null {
        const { state, run } = this.context;
        const { selection } = state;
        return selection && "link" in selection && !run.isDead(selection.link) ? selection.link : null;
    }

    private valueOfSelected(row: number): number | null {
        const { selectedLink: link } = this;
        return link === null ? null : (this.context.run.linkSeries?.value(row, link) ?? null);
    }

    /** Exact, from table `links`. */
    private wholeOfSelected(): number | null {
        const { selectedLink: link } = this;
        return link === null ? null : 100 * this.context.run.quantity("utilization").whole[link];
    }

    /** The key has the values under the pointer, else those of the slider's row, else those of the measured window. */
    private setKey(): void {
        if (!this.plot) return;
        const { left = -1, idx } = this.plot.cursor;
        const row = left >= 0 && typeof idx === "number" ? idx : this.context.state.time;
        const style = getComputedStyle(this.element);
        const items = this.curves
            .filter(({ values }) => values.some((value) => value !== null))
            .map((curve): KeyItem => {
                const value = row === null ? (curve.whole ?? this.meanOf(curve)) : curve.values[row];
                const { label, color, dash, text } = curve;
                return { label, dash, color: style.getPropertyValue(color), value: value == null ? "–" : text(value) };
            });
        this.key.show(row === null ? "Means of the run:" : `At ${this.timeOf(row)}${this.phaseAt(row)}:`, items);
    }

    /** The last phase that has begun, in parentheses. */
    private phaseAt(row: number): string {
        const middle = (this.series.start[row] + this.series.end[row]) / 2;
        const phase = this.context.longest.facts.phases.filter(({ cycle }) => cycle <= middle).at(-1);
        return phase ? ` (after ${phase.name})` : "";
    }

    private timeOf(row: number): string {
        const middle = (this.series.start[row] + this.series.end[row]) / 2;
        return this.context.time(middle);
    }

    /** Over the rows in the measured window, by the time that each has in it. */
    private meanOf({ values }: Curve): number | null {
        const { series } = this;
        const { start_cycle, end_cycle } = this.context.longest.facts.measured;
        let [sum, weight] = [0, 0];
        values.forEach((value, row) => {
            const inside = Math.min(series.end[row], end_cycle) - Math.max(series.start[row], start_cycle);
            if (value === null || inside <= 0) return;
            sum += inside * value;
            weight += inside;
        });
        return weight > 0 ? sum / weight : null;
    }

    private build(): void {
        this.plot?.destroy();
        const style = getComputedStyle(this.element);
        const color = (name: string) => style.getPropertyValue(name).trim() || "gray";
        const hasClock = this.context.longest.facts.machine.cycle_seconds !== null;
        const x = (value: number | null) =>
            value === null ? "–" : hasClock ? seconds(value) : count(Math.round(value));
        const axis = {
            stroke: color("--quiet"),
            grid: { stroke: color("--line"), width: 1 },
            ticks: { show: false },
            font: "11px system-ui",
        };
        const line = ({ label, scale, color: name, width, dash }: Curve): uPlot.Series => ({
            label,
            scale,
            stroke: color(name),
            width,
            dash,
            points: { show: false },
        });
        const options: uPlot.Options = {
            width: Math.max(200, this.element.clientWidth),
            height,
            padding: [6, 0, 0, 0],
            cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
            scales: {
                x: { time: false, range: () => [this.series.start[0] * this.unit, this.end * this.unit] },
                share: { range: (_, __, high) => [0, Math.max(1, high * 1.05)] },
                rate: { range: (_, __, high) => [0, high || 1] },
                flight: { range: (_, __, high) => [0, high || 1] },
            },
            axes: [
                { ...axis, size: 22, space: 90, values: (_, ticks) => ticks.map((tick) => x(tick)) },
                {
                    ...axis,
                    scale: "share",
                    size: axisWidth,
                    space: 26,
                    values: (_, ticks) => ticks.map((tick) => `${tick} %`),
                },
                {
                    ...axis,
                    scale: "flight",
                    side: 1,
                    size: axisWidth - labelSize,
                    space: 26,
                    grid: { show: false },
                    label: "in flight",
                    labelSize,
                    labelFont: "11px system-ui",
                    stroke: color("--curve-3"),
                    values: (_, ticks) => ticks.map((tick) => compact(tick)),
                },
            ],
            series: [{}, ...this.curves.map(line)],
            legend: { show: false },
            hooks: {
                ready: [(plot) => this.ready(plot)],
                draw: [(plot) => this.drawPhases(plot, color("--quiet")), () => this.place()],
                setCursor: [() => this.setKey()],
            },
        };
        this.plot = new uPlot(options, this.data(), this.plotBox);
    }

    /** Pressing or dragging in the curves moves the slider. */
    private ready(plot: uPlot): void {
        plot.over.append(this.band);
        const seek = (event: PointerEvent) => {
            const box = plot.over.getBoundingClientRect();
            const cycle = plot.posToVal(event.clientX - box.left, "x") / this.unit;
            this.go(this.series.rowAt(Math.max(0, cycle)) ?? this.series.rows - 1);
        };
        plot.over.addEventListener("pointerdown", (event) => {
            plot.over.setPointerCapture(event.pointerId);
            seek(event);
        });
        plot.over.addEventListener("pointermove", (event) => {
            if (event.buttons & 1) seek(event);
        });
    }

    private drawPhases(plot: uPlot, color: string): void {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.strokeStyle = ctx.fillStyle = color;
        ctx.font = `${10 * devicePixelRatio}px system-ui`;
        ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
        const { phases } = this.context.longest.facts;
        // What all names begin with is said once.
        const names = shortNames(phases.map(({ name }) => name)).map((name, i) => (i === 0 ? phases[0].name : name));
        const right = bbox.left + bbox.width;
        let free = -Infinity;
        phases.forEach(({ cycle }, i) => {
            const x = plot.valToPos(cycle * this.unit, "x", true);
            if (x < bbox.left || x > right) return;
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
            const width = ctx.measureText(names[i]).width + 6 * devicePixelRatio;
            const start = Math.min(x, right - width);
            if (start < free) return;
            free = start + width;
            this.drawName(plot, names[i], start, width);
        });
        ctx.restore();
    }

    /** The name of a phase, on the ground: curves do not strike it through. */
    private drawName({ ctx, bbox }: uPlot, name: string, start: number, width: number): void {
        const ink = ctx.fillStyle;
        ctx.fillStyle = getComputedStyle(this.element).getPropertyValue("--ground");
        ctx.fillRect(start + devicePixelRatio, bbox.top, width - 2 * devicePixelRatio, 13 * devicePixelRatio);
        ctx.fillStyle = ink;
        ctx.fillText(name, start + 3 * devicePixelRatio, bbox.top + 10 * devicePixelRatio);
    }

    /** Marks the slider's row, or the measured window. */
    private place(): void {
        const { plot, context, series, band } = this;
        if (!plot) return;
        const { time } = context.state;
        const { measured } = context.longest.facts;
        const [start, end] =
            time === null ? [measured.start_cycle, measured.end_cycle] : [series.start[time], series.end[time]];
        const at = (cycle: number) => plot.valToPos(cycle * this.unit, "x");
        const [left, right] = [Math.max(0, at(start)), Math.min(plot.over.clientWidth, at(end))];
        band.style.left = `${left}px`;
        band.style.width = `${Math.max(2, right - left)}px`;
        this.setKey();
        band.classList.toggle("window", time === null);
    }
}
