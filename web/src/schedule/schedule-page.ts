/** The page of schedules: joins the state with the room, the time line and the parts at the side. */

import { AddressBar } from "../address-bar.ts";
import type { Page, ScheduleRun } from "../data/page.ts";
import { h, replace } from "../dom.ts";
import { type Changed, Store } from "../state.ts";
import { Tip } from "../tip.ts";
import type { MountOptions, View } from "../view.ts";
import { format, parse } from "./address.ts";
import { ask } from "./ask.ts";
import { busiest, Context, type Part, spanOf } from "./context.ts";
import { Schedule } from "./data.ts";
import { differences } from "./differences.ts";
import { header, toolbar } from "./header.ts";
import { keyboard } from "./keyboard.ts";
import { measuresPart } from "./measures.ts";
import { outageList } from "./outage-list.ts";
import { queue } from "./queue.ts";
import { rooms } from "./room.ts";
import type { ScheduleState } from "./state.ts";
import { tables } from "./tables.ts";
import { type TimeBar, timeBar } from "./time-bar.ts";
import { type Timeline, timeline } from "./timeline.ts";

export async function schedulePage(
    element: HTMLElement,
    page: Page<ScheduleRun>,
    options: MountOptions,
): Promise<ScheduleView> {
    replace(element, h("p", { class: "reading" }, "Reading the schedule …"));
    const runs: Schedule[] = [];
    for (const run of page.runs) runs.push(await Schedule.open(run));
    performance.mark("torusim: tables read");
    const view = new ScheduleView(element, runs, options);
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
    private readonly address: AddressBar<ScheduleState> | null;
    private readonly stopKeys: () => void;
    private readonly time: TimeBar;
    private readonly line: Timeline;

    constructor(element: HTMLElement, runs: Schedule[], options: MountOptions) {
        this.element = element;
        this.start = startState(runs);
        const read = () => parse(location.hash, this.start, runs.length);
        this.store = new Store(options.hasAddress ? read() : { ...this.start });
        const write = (state: ScheduleState) => format(state, this.start);
        this.address = options.hasAddress ? new AddressBar(this.store, write, read) : null;
        this.context = new Context(runs, this.store);
        const tip = new Tip();
        const room = rooms(this.context, tip);
        this.time = timeBar(this.context);
        this.line = timeline(this.context, tip);
        const { time, line } = this;
        const [top, tools] = [header(this.context, room, line, this.address), toolbar(this.context)];
        const measured = measuresPart(this.context);
        const rest = [queue(this.context), ask(this.context)];
        const compared = differences(this.context);
        const side = compared ? [measured, ...rest, compared] : [...rest, measured];
        const outages = outageList(this.context);
        if (outages) side.push(outages);
        side.push(tables(this.context));
        this.parts = [tools, room, time, line, ...side];
        const middle = h("main", { class: "middle" }, tools.element, room.element, time.element, line.element);
        const right = h("aside", { class: "side" }, ...side.map((part) => part.element));
        element.classList.add("schedule");
        element.tabIndex = -1;
        replace(element, top, h("div", { class: "columns" }, middle, right, tip.element));
        this.store.onChange((changed) => this.update(changed));
        this.stopKeys = keyboard(element, this.context, time);
        this.update(new Set([...(Object.keys(this.store.state) as (keyof ScheduleState)[]), "data"]));
        if (options.hasAddress) element.focus();
    }

    private update(changed: Changed<ScheduleState>): void {
        this.element.dataset.theme = this.context.theme;
        for (const part of this.parts) part.update(changed);
        this.address?.write();
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
        this.time.stop();
        this.line.dispose();
        this.address?.dispose();
        this.context.dispose();
        this.element.replaceChildren();
        this.element.classList.remove("schedule");
        this.element.removeAttribute("tabindex");
    }
}

function startState(runs: Schedule[]): ScheduleState {
    const [from, to] = spanOf(runs);
    return {
        time: Math.round(busiest(runs[0])),
        from,
        to,
        run: 0,
        asked: null,
        cables: "used",
        colors: "job",
        arrangement: "racks",
        theme: "auto",
        hovered: null,
    };
}
