/** Curves over time: utilization, throughput, packets in flight, and of the link that is selected. */

import uPlot from "uplot";
import type { Context } from "../context.ts";
import type { RunData } from "../data/run.ts";
import type { Series } from "../data/series.ts";
import { h } from "../dom.ts";
import { compact, count, seconds } from "../format.ts";
import type { State } from "../state.ts";

const axisWidth = 56;

export class Chart {
    readonly element = h("div", { class: "chart" });
    private readonly context: Context;
    private readonly series: Series;
    private readonly band = h("div", { class: "band" });
    private readonly go: (row: number) => void;
    private plot: uPlot | null = null;

    constructor(context: Context, series: Series, go: (row: number) => void) {
        this.context = context;
        this.series = series;
        this.go = go;
        new ResizeObserver(() => this.resize()).observe(this.element);
    }

    update(changed: ReadonlySet<keyof State | "data">): void {
        if (changed.has("theme") || !this.plot) this.build();
        else if (changed.has("selection") || changed.has("data") || changed.has("run")) this.plot.setData(this.data());
        this.place();
    }

    private resize(): void {
        const { clientWidth: width } = this.element;
        if (width > 0) this.plot?.setSize({ width, height: this.height });
        this.place();
    }

    private get height(): number {
        return 104;
    }

    /** Cycles, or seconds where the clock is known. */
    private get unit(): number {
        return this.context.longest.facts.machine.cycle_seconds ?? 1;
    }

    private data(): uPlot.AlignedData {
        const { series } = this;
        const { longest, runs, run } = this.context;
        const middle = Array.from(series.start, (start, row) => ((start + series.end[row]) / 2) * this.unit);
        const length = (row: number) => (series.end[row] - series.start[row]) * this.unit;
        const delivered = series.column("packets_delivered");
        const other = runs.find((each) => each !== longest);
        const share = (of: RunData | undefined) =>
            this.sampled(of, (row) => of?.series?.column("utilization")?.[row], 100);
        return [
            middle,
            share(longest),
            ...(other ? [share(other)] : []),
            this.sampled(run, (row) => this.valueOfSelected(row), 100),
            this.sampled(longest, (row) => delivered && delivered[row] / length(row)),
            this.sampled(longest, (row) => series.column("packets_in_flight")?.[row]),
        ] as uPlot.AlignedData;
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

    private valueOfSelected(row: number): number | null {
        const { selection } = this.context.state;
        const { linkSeries } = this.context.run;
        return selection && "link" in selection && linkSeries ? linkSeries.value(row, selection.link) : null;
    }

    private build(): void {
        this.plot?.destroy();
        const style = getComputedStyle(this.element);
        const color = (name: string) => style.getPropertyValue(name).trim() || "gray";
        const hasClock = this.context.longest.facts.machine.cycle_seconds !== null;
        const x = (value: number | null) =>
            value === null ? "–" : hasClock ? seconds(value) : count(Math.round(value));
        const number = (unit: string) => (_: uPlot, value: number | null) =>
            value === null || Number.isNaN(value) ? "–" : `${compact(value)}${unit}`;
        const isComparison = this.context.runs.length > 1;
        const axis = {
            stroke: color("--quiet"),
            grid: { stroke: color("--line"), width: 1 },
            ticks: { show: false },
            font: "11px system-ui",
        };
        const line = (label: string, scale: string, name: string, unit: string, width = 1.25) => ({
            label,
            scale,
            stroke: color(name),
            width,
            points: { show: false },
            value: number(unit),
        });
        const options: uPlot.Options = {
            width: Math.max(200, this.element.clientWidth),
            height: this.height,
            padding: [6, 0, 0, 0],
            cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
            scales: {
                x: { time: false },
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
                    size: axisWidth,
                    space: 26,
                    grid: { show: false },
                    values: (_, ticks) => ticks.map((tick) => compact(tick)),
                },
            ],
            series: [
                { label: "Time", value: (_, value) => x(value) },
                line("Mean utilization", "share", "--curve-1", " %"),
                ...(isComparison ? [{ ...line("of the other run", "share", "--curve-1", " %"), dash: [4, 3] }] : []),
                line("Selected link", "share", "--curve-4", " %", 1.75),
                line(hasClock ? "Packets/s" : "Packets/cycle", "rate", "--curve-2", ""),
                line("Packets in flight", "flight", "--curve-3", ""),
            ],
            hooks: {
                ready: [(plot) => this.ready(plot)],
                draw: [(plot) => this.drawPhases(plot, color("--quiet")), () => this.place()],
            },
        };
        this.plot = new uPlot(options, this.data(), this.element);
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
        let free = -Infinity;
        for (const { cycle, name } of this.context.longest.facts.phases) {
            const x = plot.valToPos(cycle * this.unit, "x", true);
            if (x < bbox.left || x > bbox.left + bbox.width) continue;
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
            if (x < free) continue;
            ctx.fillText(name, x + 3 * devicePixelRatio, bbox.top + 10 * devicePixelRatio);
            free = x + ctx.measureText(name).width + 8 * devicePixelRatio;
        }
        ctx.restore();
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
        // Without a pointer the key has the values of the slider's row.
        if ((plot.cursor.left ?? -1) < 0) plot.setLegend({ idx: time ?? undefined }, false);
        band.classList.toggle("window", time === null);
    }
}
