/** What is shown, and how: one control for each part of the state. */

import { compareChoices, nodeChoices } from "../choices.ts";
import type { Context, Panel } from "../context.ts";
import { valueText } from "../data/quantities.ts";
import { button, choice, h, replace } from "../dom.ts";
import { count } from "../format.ts";
import { innerAndOuter } from "../picture/layout.ts";
import { chosenMessages, mostMessages } from "../picture/marks.ts";
import type { State } from "../state.ts";
import { legend } from "./legend.ts";

export function controls(context: Context): Panel {
    const groups = [
        compareGroup(context),
        linkGroup(context),
        shapeGroup(context),
        sliceGroup(context),
        nodeGroup(context),
    ];
    const panels = groups.filter((panel) => panel !== null);
    const element = h(
        "form",
        { class: "controls", "aria-label": "What is shown" },
        ...panels.map((panel) => panel.element),
    );
    element.addEventListener("submit", (event) => event.preventDefault());
    return { element, update: updateOf(panels) };
}

function updateOf(panels: Panel[]): Panel["update"] {
    return (changed) => {
        for (const panel of panels) panel.update(changed);
    };
}

function group(title: string, ...children: (Node | null)[]): HTMLElement {
    return h("fieldset", {}, h("legend", {}, title), ...children);
}

function compareGroup(context: Context): Panel | null {
    const { runs, store } = context;
    if (runs.length < 2) return null;
    const runChoice = choice("Runs", "Which of the two runs is drawn", compareChoices(runs), (value) => {
        const compare = value as State["compare"];
        if (compare === "both") store.set({ compare });
        else store.set({ compare, ...context.toRun(compare === "second" ? 1 : 0) });
    });
    const listOptions = [
        { value: "0", text: "the first run" },
        { value: "1", text: "the second run" },
    ];
    const lists = choice("Lists and answers of", "Which run the right side is about", listOptions, (value) =>
        store.set(context.toRun(Number(value))),
    );
    return {
        element: group("Compare", runChoice.element, lists.element),
        update: () => {
            runChoice.select.value = context.state.compare;
            lists.select.value = String(context.state.run);
            lists.element.hidden = context.state.compare !== "both";
        },
    };
}

function linkGroup(context: Context): Panel {
    const { store } = context;
    const options = context.quantities.map(({ id, label }) => ({ value: id, text: label }));
    const quantity = choice("Color by", "What gives links their color and width", options, (value) =>
        store.set({ quantity: value }),
    );
    const hint = h("p", { class: "hint" });
    const scales = [
        { value: "largest", text: "0 to the largest value" },
        { value: "full", text: "0 to 100 %" },
    ];
    const scale = choice("Scale", "Where the colors end; the same for all times", scales, (value) =>
        store.set({ scale: value as State["scale"] }),
    );
    const slider = h("input", {
        type: "range",
        min: 0,
        max: 1,
        step: 0.01,
        "aria-label": "Hide links below this share of the scale",
        oninput: () => store.set({ hide: Number(slider.value) }),
    });
    const below = h("output", {});
    const hide = h(
        "label",
        { class: "field", title: "Links with less are not drawn" },
        h("span", {}, "Hide below ", below),
        slider,
    );
    const key = legend(context);
    const update: Panel["update"] = (changed) => {
        const { state } = context;
        key.update(changed);
        quantity.select.value = context.quantity.id;
        replace(hint, `${context.quantity.hint}.`, hasNoTimes(context) && " Known for the whole run only.");
        scale.select.value = state.scale;
        scale.element.hidden = !context.hasScaleChoice;
        slider.value = String(state.hide);
        replace(below, state.hide > 0 ? valueText(context.threshold, context.quantity) : "nothing");
    };
    return { element: group("Links", quantity.element, hint, key.element, scale.element, hide), update };
}

function hasNoTimes({ quantity, series }: Context): boolean {
    return series !== null && !quantity.overTime && quantity.when === "whole run";
}

function shapeGroup(context: Context): Panel {
    const { store, run } = context;
    const { shape, dimensions, wrap } = run.machine.facts;
    const { inner, outer } = innerAndOuter(shape);
    const wrapOptions = [
        { value: "arcs", text: "as arcs" },
        { value: "stubs", text: "as short ends" },
        { value: "folded", text: "folded, as cabled" },
        { value: "hidden", text: "hidden" },
    ];
    const wraps = choice(
        "Wraps",
        "Links that close the rings. Folded: nodes in the order in which racks are cabled, no cable is long",
        wrapOptions,
        (value) => store.set({ wraps: value as State["wraps"] }),
    );
    const outerOptions = wrapOptions
        .filter(({ value }) => value !== "folded")
        .map((o) => (o.value === "arcs" ? { ...o, text: "in full" } : o));
    const between = choice(
        "Links between blocks",
        `Links in ${outer.map((d) => dimensions[d]).join(", ")}`,
        outerOptions,
        (value) => store.set({ outer: value as State["outer"] }),
    );
    const none = { value: "", text: "nothing" };
    const pull = choice(
        "Pull apart",
        "More room between the planes of a dimension",
        [none, ...inner.map((d) => ({ value: String(d), text: `planes of ${dimensions[d]}` }))],
        (value) =>
            store.set({
                explode: value === "" ? null : { dimension: Number(value), gap: context.state.explode?.gap ?? 2 },
            }),
    );
    const gap = h("input", {
        type: "range",
        min: 0.5,
        max: 8,
        step: 0.5,
        "aria-label": "How far apart",
        oninput: () => store.set({ explode: { dimension: context.state.explode!.dimension, gap: Number(gap.value) } }),
    });
    const update = () => {
        const { state } = context;
        wraps.select.value = state.wraps;
        between.select.value = state.outer;
        pull.select.value = state.explode ? String(state.explode.dimension) : "";
        gap.hidden = !state.explode;
        gap.value = String(state.explode?.gap ?? 2);
    };
    const parts = [
        wrap.some((w) => w) ? wraps.element : null,
        outer.length > 0 ? between.element : null,
        pull.element,
        gap,
    ];
    return { element: group("Shape", ...parts), update };
}

/** For each dimension: from, to, and a step to the next plane. */
function sliceGroup(context: Context): Panel {
    const { shape } = context.run.machine.facts;
    const rows = shape
        .map((_, d) => d)
        .filter((d) => shape[d] > 1)
        .map((d) => sliceRow(context, d));
    return {
        element: group("Slice", ...rows.map((row) => row.element)),
        update: updateOf(rows),
    };
}

function sliceRow(context: Context, d: number): Panel {
    const { store } = context;
    const { shape, dimensions } = context.run.machine.facts;
    const [name, last] = [dimensions[d], shape[d] - 1];
    const set = (range: [number, number] | null) => {
        const whole = range && range[0] <= 0 && range[1] >= last;
        store.set({ slice: context.state.slice.map((old, k) => (k === d ? (whole ? null : range) : old)) });
    };
    const number = (label: string) =>
        h("input", {
            type: "number",
            min: 0,
            max: last,
            "aria-label": `${name}: ${label} coordinate`,
            onchange: () => read(),
        });
    const [from, to] = [number("first"), number("last")];
    const clamp = (text: string) => Math.min(last, Math.max(0, Math.round(Number(text)) || 0));
    const read = () => {
        const [low, high] = [clamp(from.value), clamp(to.value)];
        set([Math.min(low, high), Math.max(low, high)]);
    };
    const step = (by: number) => {
        const range = context.state.slice[d];
        if (!range) return set(by > 0 ? [0, 0] : [last, last]);
        const moved: [number, number] = [range[0] + by, range[1] + by];
        set(moved[0] < 0 || moved[1] > last ? null : moved);
    };
    const back = button("◀", `The plane before in ${name}`, () => step(-1), "small");
    const on = button("▶", `The next plane in ${name}`, () => step(1), "small");
    const all = button("all", `All of ${name}`, () => set(null), "small");
    const element = h(
        "div",
        { class: "slice", role: "group", "aria-label": `Slice in ${name}` },
        h("b", {}, name),
        from,
        "–",
        to,
        back,
        on,
        all,
    );
    const update = () => {
        const range = context.state.slice[d] ?? [0, last];
        from.value = String(range[0]);
        to.value = String(range[1]);
        all.disabled = !context.state.slice[d];
    };
    return { element, update };
}

function nodeGroup(context: Context): Panel {
    const { store } = context;
    const nodes = choice("Color nodes by", "What gives nodes their color", nodeChoices(context.runs), (value) =>
        store.set({ nodes: value as State["nodes"] }),
    );
    const messages = choice("Messages", "Messages between ranks, as arcs", [], (value) =>
        store.set({ messages: /^\d+$/.test(value) ? Number(value) : (value as "none" | "now") }),
    );
    const messagesHint = h("p", { class: "hint" });
    const ring = h("input", { type: "checkbox", onchange: () => store.set({ ring: ring.checked }) });
    const ringLabel = h(
        "label",
        { class: "check", title: "The head packets that wait for one another" },
        ring,
        " Show the deadlock's ring",
    );
    const update = () => {
        const { state } = context;
        nodes.select.value = state.nodes;
        ring.checked = state.ring;
        messages.element.hidden = messagesHint.hidden = !context.run.messages;
        if (context.run.messages) {
            messages.setOptions(messageOptions(context));
            messages.select.value = String(state.messages);
            replace(messagesHint, messageHint(context), " ", ...perfettoHint(context));
        }
    };
    const hasRing = context.runs.some(({ facts }) => facts.deadlock);
    return {
        element: group("Nodes", nodes.element, messages.element, messagesHint, hasRing ? ringLabel : null),
        update,
    };
}

function messageHint(context: Context): string {
    const { state, run } = context;
    if (state.messages === "none") return "";
    const rows = chosenMessages(context, run).length;
    if (rows > mostMessages) return `${count(mostMessages)} of ${count(rows)} messages are drawn.`;
    if (rows === 0 && state.messages === "now") return "None at this time: move the slider.";
    return `${count(rows)} messages.`;
}

/** The time line of ranks is a file of its own, from the same run. */
function perfettoHint(context: Context): (string | HTMLElement)[] {
    const { state, series } = context;
    const perfetto = h(
        "a",
        { href: "https://ui.perfetto.dev", target: "_blank", rel: "noopener noreferrer" },
        "Perfetto",
    );
    const when = state.time === null || !series ? "" : `, at ${context.time(series.start[state.time])}`;
    return [`What ranks do${when}: open the file of torusim run --timeline in `, perfetto, "."];
}

function messageOptions(context: Context) {
    const calls = context.run.calls.map(({ number, text }) => ({
        value: String(number),
        text: `of call ${number}: ${text}`,
    }));
    const numbers = new Set<string>();
    const once = calls.filter(({ value }) => !numbers.has(value) && numbers.add(value));
    return [{ value: "none", text: "none" }, { value: "now", text: "under way at the slider's time" }, ...once];
}
