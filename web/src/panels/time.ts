/** The slider over the rows of the series, with play and step. */

import type { Context, Panel } from "../context.ts";
import type { Series } from "../data/series.ts";
import { button, h, replace } from "../dom.ts";
import { count } from "../format.ts";
import type { State } from "../state.ts";
import { Chart } from "./chart.ts";

const rowsASecond = 12;

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
        text.title = moment;
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
