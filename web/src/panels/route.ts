/** The ways of a pair of nodes: typed, or taken by two clicks. */

import type { Context, Panel } from "../context.ts";
import { hopsText, linksOf, type Way, waysOf } from "../data/routes.ts";
import { button, h, replace, table } from "../dom.ts";
import { percent } from "../format.ts";
import { css, fixed, groupColor } from "../picture/colors.ts";
import { outsideNote } from "./outside.ts";

/** Which end of a route the next click on a node gives. */
export interface PairPicking {
    next: "source" | "target" | null;
}

export function route(context: Context, picking: PairPicking): Panel {
    const { store } = context;
    const end = (label: string) =>
        h("input", { type: "text", "aria-label": label, placeholder: label, spellcheck: "false" });
    const [from, to] = [end("from node"), end("to node")];
    const problem = h("p", { class: "problem", role: "alert" });
    const form = h(
        "form",
        { class: "ask" },
        from,
        to,
        h("button", { type: "submit", title: "Show the ways of this pair" }, "Show"),
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const ends = [from, to].map((input) => context.run.parse(input.value));
        const wrong = ends.find((found) => !("node" in found));
        replace(problem, wrong ? ("problem" in wrong ? wrong.problem : "A route needs two nodes, not a link.") : "");
        const [source, target] = ends;
        if ("node" in source && "node" in target) store.set({ route: { source: source.node, target: target.node } });
    });
    form.addEventListener("input", () => replace(problem));
    const clicks = button("Pick by two clicks", "The next two nodes that you click are the pair", () => {
        picking.next = picking.next ? null : "source";
        update(new Set());
    });
    const clear = button("Clear", "Show no route", () => {
        from.value = to.value = "";
        replace(problem);
        store.set({ route: null });
    });
    const answer = h("div", {});
    const element = h(
        "section",
        { "aria-label": "Routes of a pair" },
        h("h2", {}, "Routes of a pair"),
        form,
        problem,
        h("p", {}, clicks, " ", clear),
        answer,
    );
    const update: Panel["update"] = (changed) => {
        const pair = context.state.route;
        clicks.setAttribute("aria-pressed", String(picking.next !== null));
        replace(
            clicks,
            picking.next === "source"
                ? "Click the first node …"
                : picking.next === "target"
                  ? "Click the last node …"
                  : "Pick by two clicks",
        );
        if (changed.has("route") && pair && !changed.has("data")) element.scrollIntoView({ block: "nearest" });
        if (changed.has("route")) {
            from.value = pair ? context.run.machine.nodeName(pair.source) : "";
            to.value = pair ? context.run.machine.nodeName(pair.target) : "";
        }
        replace(problem);
        replace(answer, ...(pair ? answerTo(context, pair) : []));
    };
    return { element, update };
}

function answerTo(context: Context, pair: { source: number; target: number }): (Node | null)[] {
    const { run, theme } = context;
    const { machine, facts } = run;
    const routes = facts.routes;
    const isAdaptive = routes?.order === "adaptive";
    const note = facts.routes_note ? h("p", { class: "hint" }, facts.routes_note) : null;
    const ways = routes ? waysOf(machine, routes, pair) : [];
    if (!routes || ways.length === 0)
        return [note ?? h("p", { class: "hint" }, "The routes of this pair are not known.")];
    const color = (i: number) => css(ways.length > 1 ? groupColor(i) : fixed[theme].route);
    const rows = ways.map((way, i) => {
        const key = h("i", { class: "key", style: `background: ${color(i)}` });
        const { any, inOrder } = linksOf(machine, way);
        const live = any.filter((link) => !run.deadLinks.has(link));
        const hops = way.parts.map((part) => hopsText(machine, part.hops)).join("; then ");
        return [h("span", {}, key, ` ${hops}`), percent(way.share), (isAdaptive ? live : inOrder).length];
    });
    const explained = isAdaptive
        ? "Colored: all links of minimal routes, in any order of the hops. Thin line: the escape VC's way, dimension by dimension."
        : "Packets take one dimension after the other.";
    const links = ways.flatMap((way) => linksOf(machine, way).any);
    return [
        outsideNote(context, [pair.source, pair.target, ...links.map((link) => machine.source[link])]),
        table(ways.length > 1 ? "Several ways are equally short" : "", ["Hops", "Packets", "Links"], rows),
        h("p", { class: "hint" }, explained),
        relays(context, ways[0]),
        note,
    ];
}

function relays(context: Context, { parts }: Way): HTMLElement | null {
    const names = parts.slice(1).map(({ source }) => context.run.machine.nodeName(source));
    return names.length > 0
        ? h("p", {}, `Round what is dead: software of ${names.join(", ")} forwards the packets.`)
        : null;
}
