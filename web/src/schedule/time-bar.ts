/** The cursor's time: a slider over the log, play, and steps to the next start or end of a job or an outage. */

import { button, h, replace } from "../dom.ts";
import { Player } from "../player.ts";
import type { Context, Part } from "./context.ts";
import { duration, moment, secondOf, secondText } from "./words.ts";

/** What the time line shows passes in so many steps. */
const stepsOfWindow = 400;
const stepsASecond = 15;

export interface TimeBar extends Part {
    togglePlay(): void;
    stop(): void;
    zoom(factor: number): void;
}

export function timeBar(context: Context): TimeBar {
    const [first, last] = context.span;
    const slider = h("input", {
        type: "range",
        min: first,
        max: last,
        step: 1,
        "aria-label": "Time, in seconds of the log",
        oninput: () => context.go(Number(slider.value)),
    });
    // Single seconds are too short for keys.
    slider.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key] as 1 | -1 | undefined;
        if (!by) return;
        context.step(by);
        event.preventDefault();
    });
    const typed = typedTime(context);
    const shown = h("div", { class: "shown" });
    const seen = h("span", { class: "quiet seen" });
    const player = new Player(
        stepsASecond,
        () => {
            if (context.state.time >= last) context.go(first);
        },
        () => {
            const { time, from, to } = context.state;
            context.go(time + Math.max(1, (to - from) / stepsOfWindow));
            return context.state.time < last;
        },
    );
    const zoom = (factor: number) => {
        const { time, from, to } = context.state;
        context.show(time - (time - from) * factor, time + (to - time) * factor);
    };
    const bar = h(
        "div",
        { class: "time-bar" },
        button("‹", "To the start or end of a job or an outage before (comma)", () => context.step(-1)),
        player.button,
        button("›", "To the next start or end of a job or an outage (period)", () => context.step(1)),
        typed.element,
        h(
            "span",
            { class: "zoom" },
            seen,
            button("−", "Show more time (minus)", () => zoom(2)),
            button("+", "Show less time (plus)", () => zoom(0.5)),
            button("All", "Show the whole log (0)", () => context.show(first, last)),
        ),
    );
    const element = h("div", { class: "times" }, bar, h("div", { class: "time-slider" }, slider, shown));
    const update = () => {
        const { time, from, to } = context.state;
        slider.value = String(time);
        slider.setAttribute("aria-valuetext", moment(time, true));
        slider.title = secondText(time);
        typed.update();
        const share = (second: number) => (second - first) / (last - first);
        shown.style.left = `${100 * share(from)}%`;
        shown.style.width = `${100 * (share(to) - share(from))}%`;
        shown.hidden = to - from >= last - first;
        replace(seen, `${duration(to - from)} shown`);
    };
    dragged(context, shown);
    return { element, update, togglePlay: () => player.toggle(), stop: () => player.stop(), zoom };
}

/** The cursor's time as a field: what is typed there moves the cursor. */
function typedTime(context: Context): { element: HTMLElement; update: () => void } {
    const input = h("input", { type: "text", class: "typed", "aria-label": "Time", spellcheck: "false", size: 18 });
    const problem = h("span", { class: "problem", role: "alert" });
    const element = h("form", { class: "moment" }, input, problem);
    const show = () => {
        input.value = moment(context.state.time, true);
        input.title = `${secondText(context.state.time)}. Type another time, or seconds`;
        replace(problem);
    };
    element.addEventListener("submit", (event) => {
        event.preventDefault();
        const second = secondOf(input.value, context.span);
        if (second === null) {
            replace(problem, `Write ${moment(context.span[0])}, or seconds.`);
            return;
        }
        context.go(second);
        show();
    });
    input.addEventListener("input", () => replace(problem));
    input.addEventListener("focus", () => input.select());
    input.addEventListener("blur", show);
    // What is being typed stays.
    const update = () => {
        if (document.activeElement !== input) show();
    };
    return { element, update };
}

/** The mark of what is shown can be dragged along the slider. */
function dragged(context: Context, shown: HTMLElement): void {
    let start: { x: number; from: number; to: number } | null = null;
    shown.title = "What the charts show: drag it, or zoom with the wheel";
    shown.addEventListener("pointerdown", (event) => {
        start = { x: event.clientX, from: context.state.from, to: context.state.to };
        shown.setPointerCapture(event.pointerId);
    });
    shown.addEventListener("pointermove", (event) => {
        if (!start || !(event.buttons & 1)) return;
        const [first, last] = context.span;
        const by = ((event.clientX - start.x) / shown.parentElement!.clientWidth) * (last - first);
        context.show(start.from + by, start.to + by);
    });
    shown.addEventListener("pointerup", () => {
        start = null;
    });
}
