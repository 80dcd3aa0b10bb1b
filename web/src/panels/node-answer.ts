/** What is known of a node: its packets, ranks and links, and the packets that wait in it. */

import type { Context } from "../context.ts";
import { valueText } from "../data/quantities.ts";
import type { RunData } from "../data/run.ts";
import { button, h, table } from "../dom.ts";
import { count } from "../format.ts";
import { linkButton, nodeButton } from "./names.ts";
import { outsideNote } from "./outside.ts";
import { waitingTable } from "./waiting.ts";

export function nodeAnswer(context: Context, node: number): (Node | null)[] {
    const { run, quantity } = context;
    const { machine } = run;
    const isDead = machine.deadNodes.has(node);
    const facts = [["Coordinates", machine.nodeName(node)]];
    if (run.nodes) {
        facts.push(["Packets injected", count(run.nodes.injected[node])]);
        facts.push(["Packets delivered", count(run.nodes.delivered[node])]);
    }
    const links = machine
        .linksFrom(node)
        .map((link) => [
            linkButton(context, link, machine.directionName(machine.direction[link])),
            nodeButton(context, machine.target[link]),
            valueText(run.value(link, quantity, context.momentOf(run)), quantity),
        ]);
    return [
        isDead ? h("p", { class: "dead" }, "This node is dead.") : null,
        outsideNote(context, [node]),
        table("", ["", ""], facts, "facts"),
        ranksTable(run, node),
        table(
            "Links that leave it",
            ["Link", "To", `${quantity.label}${context.isOfTime ? " at this time" : ""}`],
            links,
        ),
        h(
            "p",
            {},
            button("Route from here", "As the first node of a route", () => routeEnd(context, "source", node)),
            " ",
            button("Route to here", "As the last node of a route", () => routeEnd(context, "target", node)),
        ),
        waitingTable(run, (packet) => packet.node === node, "Head packets that wait here at the end"),
    ];
}

function routeEnd(context: Context, end: "source" | "target", node: number): void {
    const route = context.state.route ?? { source: node, target: node };
    context.store.set({ route: { ...route, [end]: node } });
}

function ranksTable(run: RunData, node: number): HTMLElement | null {
    const { ranks } = run;
    const here = ranks?.on.get(node);
    if (!ranks || !here) return null;
    return table(
        "Ranks on it",
        ["Rank", "Core", ranks.areOfOneProgram ? "Group" : "Job"],
        here.map((row) => [ranks.rank[row], ranks.core[row], ranks.groupName(ranks.group[row])]),
    );
}
