/**
 * The page of runs: joins the state, the picture and the panels.
 *
 *     header                          name, outcome, save, theme
 *     controls | picture, legend    | hottest links, dimensions, ask, routes, deadlock, tables
 *              | time, curves       |
 */

import { format, parse } from "./address.ts";
import { AddressBar } from "./address-bar.ts";
import { compareChoices, nodeChoices } from "./choices.ts";
import { Context, type Panel } from "./context.ts";
import type { Page } from "./data/page.ts";
import { differenceText, valueText } from "./data/quantities.ts";
import { RunData } from "./data/run.ts";
import { button, h, replace } from "./dom.ts";
import { count } from "./format.ts";
import { header } from "./header.ts";
import { keyboard } from "./keyboard.ts";
import { about } from "./panels/about.ts";
import { ask } from "./panels/ask.ts";
import { controls } from "./panels/controls.ts";
import { deadlock } from "./panels/deadlock.ts";
import { dimensions } from "./panels/dimensions.ts";
import { hottest } from "./panels/hottest.ts";
import { jobs } from "./panels/jobs.ts";
import { type PairPicking, route } from "./panels/route.ts";
import { tables } from "./panels/tables.ts";
import { type TimePanel, timePanel } from "./panels/time.ts";
import { homeCamera } from "./picture/camera.ts";
import { fixed } from "./picture/colors.ts";
import { innerAndOuter } from "./picture/layout.ts";
import { isFocused, marksOf } from "./picture/marks.ts";
import { Picture, type Pointed } from "./picture/picture.ts";
import { sceneryOf } from "./picture/scenery.ts";
import { linkWords, nodeWords } from "./picture/shades.ts";
import { Stage } from "./picture/stage.ts";
import { type Changed, type State, Store } from "./state.ts";
import { Tip } from "./tip.ts";
import type { MountOptions, View } from "./view.ts";

/** In three dimensions more wraps than this are drawn as short ends at first: arcs would hide the torus. */
const mostArcsAtFirst = 60;

export async function runPage(element: HTMLElement, page: Page, options: MountOptions): Promise<RunView> {
    replace(element, h("p", { class: "reading" }, "Reading the run …"));
    const runs: RunData[] = [];
    for (const run of page.runs) runs.push(await RunData.open(run));
    performance.mark("torusim: tables read");
    const view = new RunView(element, page, runs, options);
    view.picture.drawAndWait();
    performance.mark("torusim: first picture");
    await nextFrame(); // the large tables come after it
    for (const run of runs) await run.readRest();
    view.store.announce(new Set(["data"]));
    performance.mark("torusim: all data");
    return view;
}

function nextFrame(): Promise<void> {
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

export class RunView implements View {
    readonly store: Store;
    readonly context: Context;
    readonly picture: Picture;
    private readonly element: HTMLElement;
    private readonly stages: Stage[];
    private readonly panels: Panel[];
    private readonly start: State;
    private readonly address: AddressBar<State> | null;
    private readonly time: TimePanel | null;
    private readonly picking: PairPicking = { next: null };
    private readonly tip = new Tip();
    private readonly stopKeys: () => void;

    constructor(element: HTMLElement, page: Page, runs: RunData[], options: MountOptions) {
        this.element = element;
        this.start = startState(runs);
        const machines = runs.map(({ machine }) => machine);
        const read = () => stateOfAddress(this.start, runs);
        this.store = new Store(options.hasAddress ? read() : { ...this.start });
        const write = (state: State) => format(state, this.start, machines);
        this.address = options.hasAddress ? new AddressBar(this.store, write, read) : null;
        this.context = new Context(runs, this.store);
        this.stages = runs.map((run) => new Stage(run));
        this.picture = new Picture(this.start.camera, totalLinks(runs), {
            onHover: (pointed) => this.showTip(pointed),
            onPick: (pointed) => this.pick(pointed),
            onCamera: (camera) => this.store.set({ camera }),
        });
        const time = timePanel(this.context);
        this.time = time;
        const side = [
            hottest(this.context),
            dimensions(this.context),
            jobs(this.context),
            ask(this.context),
            route(this.context, this.picking),
            deadlock(this.context),
            tables(this.context),
            about(this.context),
        ];
        const sidePanels = side.filter((panel) => panel !== null);
        const shown = controls(this.context);
        const top = header(this.context, page, this.picture, this.address);
        this.panels = [shown, ...(time ? [time] : []), ...sidePanels];
        const home = button(
            "⌂",
            "Back to the first camera (Home)",
            () => this.store.set({ camera: this.start.camera }),
            "home",
        );
        const stage = h("div", { class: "stage" }, this.picture.element, home, this.tip.element);
        const middle = h("main", { class: "middle" }, stage, time?.element);
        const right = h("aside", { class: "side" }, ...sidePanels.map((panel) => panel.element));
        replace(element, top, h("div", { class: "columns" }, shown.element, middle, right));
        this.store.onChange((changed) => this.update(changed));
        this.stopKeys = keyboard(this.picture.element, this.context, time, this.start);
        this.update(new Set([...(Object.keys(this.store.state) as (keyof State)[]), "data"]));
    }

    private update(changed: Changed): void {
        const has = (...keys: (keyof State | "data")[]) => keys.some((key) => changed.has(key));
        this.element.dataset.theme = this.context.theme;
        if (has("theme")) for (const stage of this.stages) stage.setGround(fixed[this.context.theme].ground);
        if (has("slice", "explode", "wraps", "outer")) for (const stage of this.stages) stage.arrange(this.store.state);
        const isPlaced = has("slice", "explode", "wraps", "outer", "theme");
        if (isPlaced || has("time", "quantity", "scale", "hide", "compare", "route", "ring", "messages", "run", "data"))
            this.paintLinks();
        if (isPlaced || has("nodes")) this.paintNodes();
        if (isPlaced || has("selection", "route", "ring", "messages", "time", "run", "data")) this.mark();
        if (isPlaced || has("compare", "selection", "route", "run")) this.setScene();
        if (this.pointed) this.showTip(has("compare") ? null : this.pointed);
        if (has("camera")) this.picture.setCamera(this.store.state.camera);
        if (changed.size > 1 || !has("camera")) for (const panel of this.panels) panel.update(changed);
        this.picture.request();
        this.address?.write();
    }

    private paintLinks(): void {
        const isBack = isFocused(this.context);
        for (const index of this.context.pictured) {
            const { run } = this.stages[index];
            const values = new Float64Array(run.machine.links);
            this.context.fill(values, index);
            this.stages[index].paintLinks(linkWords(this.context, run, values, isBack));
        }
    }

    private paintNodes(): void {
        for (const stage of this.stages) stage.paintNodes(nodeWords(this.context, stage.run), this.context.theme);
    }

    private mark(): void {
        for (const [index, stage] of this.stages.entries()) stage.setMarks(marksOf(this.context, index));
    }

    private setScene(): void {
        const { pictured } = this.context;
        this.picture.setSceneries(pictured.map((index) => sceneryOf(this.context, this.stages[index], index)));
    }

    private pick(pointed: Pointed | null): void {
        if (!pointed) {
            this.store.set({ selection: null });
            return;
        }
        const run = this.context.pictured[pointed.stage];
        const { hit } = pointed;
        if (this.picking.next && "node" in hit) this.pickEnd(hit.node, run);
        else this.context.select(hit, run);
    }

    private pickEnd(node: number, run: number): void {
        const isFirst = this.picking.next === "source";
        this.picking.next = isFirst ? "target" : null;
        const source = isFirst ? node : (this.store.state.route?.source ?? node);
        this.store.set({ run, selection: { node }, route: { source, target: node } });
    }

    private pointed: Pointed | null = null;

    private showTip(pointed: Pointed | null): void {
        this.pointed = pointed;
        this.picture.element.style.cursor = pointed ? "pointer" : "";
        if (!pointed) {
            this.tip.hide();
            return;
        }
        const { left, top } = this.picture.element.getBoundingClientRect();
        this.tip.show({ clientX: left + pointed.x, clientY: top + pointed.y }, this.tipText(pointed));
    }

    private tipText({ stage, hit }: Pointed): string[] {
        const index = this.context.pictured[stage];
        const run = this.context.runs[index];
        const { machine } = run;
        if ("node" in hit) return nodeTip(run, hit.node);
        const quantity = run.quantity(this.store.state.quantity);
        const text = this.context.isDifference ? differenceText : valueText;
        const values = this.context.isDifference
            ? this.difference(hit.link)
            : run.value(hit.link, quantity, this.context.momentOf(run));
        return [
            `${machine.linkName(hit.link)} → ${machine.nodeName(machine.target[hit.link])}`,
            `${quantity.label}: ${text(values, quantity)}`,
        ];
    }

    private difference(link: number): number {
        const [first, second] = this.context.runs.map((run) =>
            run.value(link, run.quantity(this.store.state.quantity), this.context.momentOf(run)),
        );
        return second - first;
    }

    /** Draws the state at once and waits for the graphics; milliseconds, for measurements. */
    measure(change: Partial<State>): number {
        const before = performance.now();
        this.store.set(change);
        this.picture.drawAndWait();
        return performance.now() - before;
    }

    dispose(): void {
        this.stopKeys();
        this.time?.dispose();
        this.address?.dispose();
        this.context.dispose();
        for (const stage of this.stages) stage.dispose();
        this.picture.dispose();
        this.element.replaceChildren();
    }
}

function totalLinks(runs: RunData[]): number {
    return runs.reduce((sum, { machine }) => sum + machine.links, 0);
}

function nodeTip(run: RunData, node: number): string[] {
    const { machine, nodes, ranks } = run;
    const lines = [`Node ${node} ${machine.nodeName(node)}${machine.deadNodes.has(node) ? ", dead" : ""}`];
    const here = ranks?.on.get(node);
    if (ranks && here) {
        const names = here.slice(0, 6).map((row) => ranks.name(row));
        lines.push(`${here.length > 1 ? "Ranks" : "Rank"} ${names.join(", ")}${here.length > 6 ? " …" : ""}`);
    }
    if (nodes)
        lines.push(`Packets: ${count(nodes.injected[node])} injected, ${count(nodes.delivered[node])} delivered`);
    return lines;
}

/** An address may come from another run: what this one lacks is as at the start. */
function stateOfAddress(start: State, runs: RunData[]): State {
    const machines = runs.map(({ machine }) => machine);
    const state = parse(location.hash, start, machines);
    const rows = Math.max(...runs.map((run) => run.series?.rows ?? 0));
    if (state.time !== null && state.time >= rows) state.time = null;
    if (!runs.every((run) => run.has(state.quantity))) state.quantity = start.quantity;
    if (!nodeChoices(runs).some(({ value }) => value === state.nodes)) state.nodes = start.nodes;
    if (!compareChoices(runs).some(({ value }) => value === state.compare)) state.compare = start.compare;
    return state;
}

function startState(runs: RunData[]): State {
    const { machine, facts } = runs[0];
    const { inner } = innerAndOuter(machine.facts.shape);
    const wraps = machine.isWrap.reduce((sum, flag) => sum + flag, 0);
    return {
        time: null,
        quantity: runs[0].quantities[0].id,
        scale: "largest",
        hide: 0,
        slice: machine.facts.shape.map(() => null),
        explode: null,
        wraps: inner.length < 3 || wraps <= mostArcsAtFirst ? "arcs" : "stubs",
        outer: "stubs",
        nodes: runs[0].ranks?.hasGroups && facts.groups.length > 0 ? "group" : "plain",
        messages: "none",
        run: 0,
        selection: null,
        route: null,
        ring: facts.deadlock !== null,
        compare: "both",
        camera: homeCamera(inner.length < 3),
        theme: "auto",
    };
}
