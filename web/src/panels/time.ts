/** The slider over the rows of the series, with its curves: utilization, throughput, packets in flight. */

import uPlot from "uplot";
import type { Context, Panel } from "../context.ts";
import type { Series } from "../data/series.ts";
import { button, h, replace } from "../dom.ts";
import { compact, count, seconds } from "../format.ts";
import type { State } from "../state.ts";

const rowsASecond = 12;
const axisWidth = 56;

export interface TimePanel extends Panel {
    step(by: number): void;
    togglePlay(): void;
}

export function timePanel(context: Context): TimePanel | null {
    const { series, store } = context;
    if (!series) return null;
    const last = series.rows;
    const slider = h("input", {
        type: "range",
        min: 0,
        max: last,
        step: 1,
        "aria-label": "Time: rows of the series; the last position is the whole run",
        oninput: () => go(Number(slider.value)),
    });
    const text = h("output", { class: "moment" });
    /** The position past the last row is the whole run. */
    const go = (position: number) => store.set({ time: position >= last ? null : Math.max(0, position) });
    const position = () => context.state.time ?? last;
    const step = (by: number) => go(Math.min(last, Math.max(0, position() + by)));
    const player = playing(() => {
        if (position() >= last - 1) return false;
        step(1);
        return true;
    });
    const togglePlay = () => {
        if (!player.isOn() && position() >= last - 1) go(0);
        player.toggle();
        update(new Set());
    };
    const play = button("▶", "Play (space)", togglePlay);
    const whole = button("Whole run", "Exact values of the whole measured window (0)", () => go(last));
    const bar = h(
        "div",
        { class: "time-bar" },
        button("‹", "One row back (comma)", () => step(-1)),
        play,
        button("›", "One row on (period)", () => step(1)),
        whole,
        text,
    );
    const chart = new Chart(context, series, go);
    const element = h(
        "section",
        { class: "time", "aria-label": "Time" },
        bar,
        h("div", { class: "time-slider" }, slider),
        chart.element,
    );
    const update = (changed: ReadonlySet<keyof State | "data">) => {
        slider.value = String(position());
        const moment = momentText(context, series);
        slider.setAttribute("aria-valuetext", moment);
        replace(text, moment);
        replace(play, player.isOn() ? "⏸" : "▶");
        whole.disabled = context.state.time === null;
        chart.update(changed);
    };
    return { element, update, step, togglePlay };
}

/** Calls `next` some times a second, until it says that there is no more. */
function playing(next: () => boolean) {
    let timer = 0;
    const stop = () => {
        window.clearInterval(timer);
        timer = 0;
    };
    const isOn = () => timer !== 0;
    const toggle = () => {
        if (isOn()) return stop();
        timer = window.setInterval(() => {
            if (!next()) stop();
        }, 1000 / rowsASecond);
    };
    return { isOn, toggle };
}

function momentText(context: Context, series: Series): string {
    const { time } = context.state;
    if (time === null) {
        const { start_cycle, end_cycle } = context.run.facts.measured;
        return `Whole run, measured from ${context.time(start_cycle)} to ${context.time(end_cycle)}`;
    }
    const [start, end] = [series.start[time], series.end[time]];
    const cycles = `cycles ${count(start)} to ${count(end)}`;
    const known = context.longest.facts.machine.cycle_seconds !== null;
    return known ? `${context.time(start)} to ${context.time(end)} (${cycles})` : cycles;
}

class Chart {
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
        const middle = Float64Array.from(series.start, (start, row) => ((start + series.end[row]) / 2) * this.unit);
        const column = (name: string) => series.column(name) ?? new Float64Array(series.rows).fill(Number.NaN);
        const rate = Float64Array.from(
            column("packets_delivered"),
            (packets, row) => packets / ((series.end[row] - series.start[row]) * this.unit),
        );
        const share = Float64Array.from(column("utilization"), (value) => 100 * value);
        return [middle, share, this.selected(), rate, column("packets_in_flight")].map((list) =>
            Array.from(list, (value) => (Number.isNaN(value) ? null : value)),
        ) as unknown as uPlot.AlignedData;
    }

    /** The curve of the link that is selected. */
    private selected(): ArrayLike<number> {
        const { context } = this;
        const { selection } = context.state;
        const { run } = context;
        if (!selection || !("link" in selection) || !run.linkSeries || run !== context.longest)
            return new Float64Array(this.series.rows).fill(Number.NaN);
        return run.linkSeries.overTime(selection.link).map((value) => 100 * value);
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
