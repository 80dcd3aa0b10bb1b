/** The page of schedules: joins the state with the room, the time line and the parts at the side. */

import { addressOf } from "../copy-link.ts";
import type { Page, ScheduleRun } from "../data/page.ts";
import { h, replace } from "../dom.ts";
import { type Changed, Store } from "../state.ts";
import type { MountOptions, View } from "../view.ts";
import { format, parse } from "./address.ts";
import { ask } from "./ask.ts";
import { busiest, Context, type Part } from "./context.ts";
import { Schedule } from "./data.ts";
import { differences } from "./differences.ts";
import { header, toolbar } from "./header.ts";
import { keyboard } from "./keyboard.ts";
import { measuresPart } from "./measures.ts";
import { queue } from "./queue.ts";
import { rooms } from "./room.ts";
import type { ScheduleState } from "./state.ts";
import { tables } from "./tables.ts";
import { timeBar } from "./time-bar.ts";
import { timeline } from "./timeline.ts";
import { Tip } from "./tip.ts";

export async function schedulePage(
    element: HTMLElement,
    page: Page<ScheduleRun>,
    options: MountOptions,
): Promise<ScheduleView> {
    replace(element, h("p", { class: "reading" }, "Reading the schedule …"));
    const runs: Schedule[] = [];
    for (const run of page.runs) runs.push(await Schedule.open(run));
    performance.mark("torusim: tables read");
    const view = new ScheduleView(element, page, runs, options);
    performance.mark("torusim: first picture");
    performance.mark("torusim: all data");
    return view;
}

export class ScheduleView implements View {
    readonly store: Store<ScheduleState>;
    readonly context: Context;
    private readonly element: HTMLElement;
    private readonly parts: Part[];
    private readonly start: ScheduleState;
    private readonly hasAddress: boolean;
    private readonly stopKeys: () => void;
    private readonly stopPlay: () => void;

    constructor(element: HTMLElement, page: Page<ScheduleRun>, runs: Schedule[], options: MountOptions) {
        this.element = element;
        this.hasAddress = options.hasAddress;
        this.start = startState(runs);
        const state = options.hasAddress ? parse(location.hash, this.start, runs.length) : { ...this.start };
        this.store = new Store(state);
        this.context = new Context(runs, this.store);
        const tip = new Tip();
        const room = rooms(this.context, tip);
        const time = timeBar(this.context);
        const line = timeline(this.context, tip);
        const address = options.hasAddress ? () => addressOf(format(this.store.state, this.start)) : null;
        const [top, tools] = [header(this.context, page.runs, room, line, address), toolbar(this.context)];
        const measured = measuresPart(this.context);
        const rest = [queue(this.context), ask(this.context)];
        const compared = differences(this.context);
        const side = compared ? [measured, ...rest, compared] : [...rest, measured];
        side.push(tables(this.context));
        this.parts = [top, tools, room, time, line, ...side];
        const middle = h("main", { class: "middle" }, tools.element, room.element, time.element, line.element);
        const right = h("aside", { class: "side" }, ...side.map((part) => part.element));
        element.classList.add("schedule");
        element.tabIndex = -1;
        replace(element, top.element, h("div", { class: "columns" }, middle, right, tip.element));
        this.store.onChange((changed) => this.update(changed));
        this.stopKeys = keyboard(element, this.context, time);
        this.stopPlay = time.stop;
        this.context.go(state.time);
        this.update(new Set([...(Object.keys(state) as (keyof ScheduleState)[]), "data"]));
        if (options.hasAddress) {
            window.addEventListener("hashchange", this.readAddress);
            element.focus();
        }
    }

    private readonly readAddress = () => {
        const state = parse(location.hash, this.start, this.context.runs.length);
        if (format(state, this.start) !== format(this.store.state, this.start)) this.store.set(state);
    };

    private update(changed: Changed<ScheduleState>): void {
        this.element.dataset.theme = this.context.theme;
        for (const part of this.parts) part.update(changed);
        this.writeAddress();
    }

    private writing = 0;

    private writeAddress(): void {
        if (!this.hasAddress) return;
        window.clearTimeout(this.writing);
        this.writing = window.setTimeout(() => {
            const text = format(this.store.state, this.start);
            if (text !== location.hash.slice(1)) history.replaceState(null, "", `#${text}`);
        }, 150);
    }

    /** Shows a change at once, with its layout; milliseconds, for measurements. */
    measure(change: Partial<ScheduleState>): number {
        const before = performance.now();
        this.store.set(change);
        this.element.getBoundingClientRect();
        return performance.now() - before;
    }

    dispose(): void {
        this.stopKeys();
        this.stopPlay();
        window.removeEventListener("hashchange", this.readAddress);
        this.element.replaceChildren();
    }
}

function startState(runs: Schedule[]): ScheduleState {
    const spans = runs.map(({ span }) => span);
    return {
        time: busiest(runs[0]),
        from: Math.min(...spans.map(([first]) => first)),
        to: Math.max(...spans.map(([, last]) => last)),
        run: 0,
        asked: null,
        cables: "used",
        colors: "job",
        arrangement: "racks",
        theme: "auto",
        hovered: null,
    };
}
