/** What is drawn above the links: messages, the routes of a pair, a deadlock's ring, the selected link. */

import type { Context } from "../context.ts";
import { linksOf, waysOf } from "../data/routes.ts";
import type { RunData } from "../data/run.ts";
import { fixed, groupColor, type Theme } from "./colors.ts";
import type { Mark } from "./stage.ts";
import type { Rgb } from "./types.ts";

/** More arcs than this would hide one another. */
export const mostMessages = 2000;

export function marksOf(context: Context, index: number): Mark[] {
    const { state, theme } = context;
    const run = context.runs[index];
    const isAsked = state.run === index || context.isSameMachine;
    return [
        ...messageMarks(context, run, theme),
        ...(state.route && isAsked ? routeMarks(run, state.route, theme) : []),
        ...(state.ring ? ringMarks(run, theme) : []),
        ...(state.selection && "link" in state.selection && isAsked
            ? [{ link: state.selection.link, color: fixed[theme].select, width: 1 }]
            : []),
    ];
}

/** Whether links step back behind marks. */
export function isFocused(context: Context): boolean {
    const { state, run } = context;
    return (
        (state.route !== null && run.facts.routes !== null) ||
        (state.ring && run.facts.deadlock !== null) ||
        state.messages !== "none"
    );
}

/** Rows of the messages of a call, or of those under way at the slider's time. */
export function chosenMessages(context: Context, run: RunData): number[] {
    const { messages } = run;
    const { state } = context;
    if (!messages || state.messages === "none") return [];
    const rows = Array.from(messages.sent.keys());
    if (state.messages !== "now") return rows.filter((row) => messages.call[row] === state.messages);
    const moment = context.momentOf(run);
    if (typeof moment !== "number" || !run.series) return [];
    const [start, end] = [run.series.start[moment], run.series.end[moment]];
    return rows.filter((row) => messages.sent[row] < end && messages.arrived[row] >= start);
}

function messageMarks(context: Context, run: RunData, theme: Theme): Mark[] {
    const { messages, ranks } = run;
    if (!messages || !ranks) return [];
    return chosenMessages(context, run)
        .slice(0, mostMessages)
        .map((row) => [messages.source[row], messages.target[row]])
        .map(([source, target]) => ({
            from: ranks.node[source],
            to: ranks.node[target],
            color: context.state.nodes === "group" ? groupColor(ranks.group[source]) : fixed[theme].message,
            width: 0.3,
        }))
        .filter(({ from, to }) => from !== to);
}

export function routeMarks(run: RunData, pair: { source: number; target: number }, theme: Theme): Mark[] {
    const { machine, facts } = run;
    if (!facts.routes) return [];
    const ways = waysOf(machine, facts.routes, pair);
    const isAdaptive = facts.routes.order === "adaptive";
    return ways.flatMap((way, i) => {
        const { any, inOrder } = linksOf(machine, way);
        const color: Rgb = ways.length > 1 ? groupColor(i) : fixed[theme].route;
        const wide = isAdaptive ? any.filter((link) => !run.deadLinks.has(link)) : [];
        return [
            ...wide.map((link) => ({ link, color, width: 0.55 })),
            ...inOrder.map((link) => ({
                link,
                color: isAdaptive ? fixed[theme].escape : color,
                width: isAdaptive ? 0.3 : 0.7,
            })),
        ];
    });
}

function ringMarks(run: RunData, theme: Theme): Mark[] {
    const { machine, facts } = run;
    return (facts.deadlock?.ring ?? []).flatMap(({ node, toward }) => {
        const link = machine.linkFrom(node, machine.directionOf(toward));
        return link === null ? [] : [{ link, color: fixed[theme].ring, width: 1 }];
    });
}
