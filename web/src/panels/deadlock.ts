/** Who waits for whom in a deadlock. */

import type { Context, Panel } from "../context.ts";
import type { Dependency } from "../data/page.ts";
import { h, replace, table } from "../dom.ts";
import { count } from "../format.ts";
import { linkButton, nodeButton } from "./names.ts";

export function deadlock(context: Context): Panel | null {
    if (!context.runs.some(({ facts }) => facts.deadlock)) return null;
    const body = h("div", {});
    const element = h("section", { "aria-label": "Deadlock" }, h("h2", {}, "Deadlock"), body);
    return { element, update: () => replace(body, ...answer(context)) };
}

function answer(context: Context): Node[] {
    const { facts } = context.run;
    if (!facts.deadlock) return [h("p", { class: "hint" }, "This run has none.")];
    const { cycle, blocked_heads, ring } = facts.deadlock;
    const found = `Found at ${context.timeWithCycles(cycle)}: ${count(blocked_heads)} head packets can never move.`;
    const rows = ring.map((dependency) => row(context, dependency));
    return [
        h("p", {}, found),
        table("Each waits for the next", ["Sits at", "In the buffer of", "Waits for", "Goes to"], rows),
    ];
}

function row(
    context: Context,
    { node, receiver, channel, toward, toward_channel, target }: Dependency,
): (Node | string)[] {
    const { machine, facts } = context.run;
    const vcName = (number: number) => facts.machine.vcs[number] ?? `VC ${number}`;
    const link = machine.linkFrom(node, machine.directionOf(toward));
    const wanted = `${toward} ${vcName(toward_channel)}`;
    return [
        nodeButton(context, node),
        `${receiver} ${vcName(channel)}`,
        link === null ? wanted : linkButton(context, link, wanted),
        nodeButton(context, target),
    ];
}
