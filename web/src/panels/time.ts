/** The slider over the rows of the series, with play and step. */

import type { Context, Panel } from "../context.ts";
import type { Series } from "../data/series.ts";
import { button, h, replace } from "../dom.ts";
import { count } from "../format.ts";
import { Player } from "../player.ts";
import type { State } from "../state.ts";
import { Chart } from "./chart.ts";

const rowsASecond = 12;

export interface TimePanel extends Panel {
    step(by: number): void;
    togglePlay(): void;
    dispose(): void;
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
    const player = new Player(
        rowsASecond,
        () => {
            if (position() >= last - 1) go(0);
        },
        () => {
            step(1);
            return position() < last - 1;
        },
    );
    const whole = button("Whole run", "Exact values of the whole measured window (0)", () => go(last));
    const bar = h(
        "div",
        { class: "time-bar" },
        button("‹", "One row back (comma)", () => step(-1)),
        player.button,
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
        text.title = moment;
        whole.disabled = context.state.time === null;
        chart.update(changed);
    };
    const dispose = () => {
        player.stop();
        chart.dispose();
    };
    return { element, update, step, togglePlay: () => player.toggle(), dispose };
}

function momentText(context: Context, series: Series): string {
    const { time } = context.state;
    if (time === null) {
        const { start_cycle, end_cycle } = context.run.facts.measured;
        return `Whole run, ${context.time(start_cycle)} to ${context.time(end_cycle)}`;
    }
    const [start, end] = [series.start[time], series.end[time]];
    const cycles = `cycles ${count(start)} to ${count(end)}`;
    const known = context.longest.facts.machine.cycle_seconds !== null;
    return known ? `${context.time(start)} to ${context.time(end)} (${cycles})` : cycles;
}
