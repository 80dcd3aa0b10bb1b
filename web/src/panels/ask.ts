/** Ask a node or a link: what it counted, what crosses it, what waits there. */

import type { Context, Panel } from "../context.ts";
import { valueText } from "../data/quantities.ts";
import type { RunData, Waiting } from "../data/run.ts";
import { button, h, replace, table } from "../dom.ts";
import { bytes, count, percent } from "../format.ts";
import { linkButton, peakButton } from "./hottest.ts";

export function ask(context: Context): Panel {
    const input = h("input", {
        type: "text",
        placeholder: `12 or ${context.run.machine.example}`,
        "aria-label": "Node or link",
        spellcheck: "false",
    });
    const problem = h("p", { class: "problem", role: "alert" });
    const form = h(
        "form",
        { class: "ask" },
        input,
        h("button", { type: "submit", title: "Show this node or link" }, "Ask"),
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const found = context.run.machine.parse(input.value);
        replace(problem, "problem" in found ? found.problem : "");
        if (!("problem" in found)) context.select(found);
    });
    const answer = h("div", {});
    const said = h("p", { class: "unseen", role: "status" });
    const element = h(
        "section",
        { "aria-label": "Ask a node or a link" },
        h("h2", {}, "Ask a node or link"),
        form,
        problem,
        said,
        answer,
    );
    const update: Panel["update"] = (changed) => {
        replace(answer, ...answerTo(context));
        if (changed.has("selection")) replace(problem);
        // Said once, and not again at each step of time.
        const text = nameOfSelection(context);
        if (said.textContent !== text) said.textContent = text;
    };
    return { element, update };
}

function nameOfSelection(context: Context): string {
    const { selection } = context.state;
    if (!selection) return "";
    return "link" in selection ? context.run.machine.linkName(selection.link) : `node ${selection.node}`;
}

function answerTo(context: Context): (Node | null)[] {
    const { selection } = context.state;
    if (!selection) return [h("p", { class: "hint" }, "Click on one in the picture or in a list, or type its name.")];
    const name = nameOfSelection(context);
    const close = button("✕", "Clear the selection", () => context.select(null), "small close");
    const head = h("h3", {}, name, close);
    return [head, ...("link" in selection ? linkAnswer(context, selection.link) : nodeAnswer(context, selection.node))];
}

function linkAnswer(context: Context, link: number): (Node | null)[] {
    const { run } = context;
    const { machine } = run;
    const ends = h(
        "p",
        {},
        machine.isWrap[link] ? "Wrap from " : "From ",
        nodeButton(context, machine.source[link]),
        " to ",
        nodeButton(context, machine.target[link]),
        run.isDead(link) ? h("b", { class: "dead" }, " dead") : "",
    );
    if (run.isDead(link)) return [ends];
    return [
        ends,
        peakLine(context, link),
        counters(context, link),
        vcBars(run, link),
        flows(context, link),
        waitingTable(run, waitingFor(run, link), "Head packets that wait for it at the end"),
    ];
}

function nodeAnswer(context: Context, node: number): (Node | null)[] {
    const { run, quantity } = context;
    const { machine } = run;
    const isDead = machine.deadNodes.has(node);
    const facts: Node[][] = [["Coordinates", machine.nodeName(node)].map((text) => document.createTextNode(text))];
    if (run.nodes) {
        facts.push([
            document.createTextNode("Packets injected"),
            document.createTextNode(count(run.nodes.injected[node])),
        ]);
        facts.push([
            document.createTextNode("Packets delivered"),
            document.createTextNode(count(run.nodes.delivered[node])),
        ]);
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
        table("", ["", ""], facts, "facts"),
        ranksTable(run, node),
        table("Links that leave it", ["Link", "To", quantity.label], links),
        h(
            "p",
            {},
            button("Route from here", "As the first node of a route", () => routeEnd(context, "source", node)),
            " ",
            button("Route to here", "As the last node of a route", () => routeEnd(context, "target", node)),
        ),
        waitingTable(
            run,
            run.waiting?.filter((packet) => packet.node === node) ?? null,
            "Head packets that wait here at the end",
        ),
    ];
}

function routeEnd(context: Context, end: "source" | "target", node: number): void {
    const route = context.state.route ?? { source: node, target: node };
    context.store.set({ route: { ...route, [end]: node } });
}

export function nodeButton(context: Context, node: number): HTMLElement {
    return button(context.run.machine.nodeName(node), `Select node ${node}`, () => context.select({ node }), "link");
}

function peakLine(context: Context, link: number): HTMLElement | null {
    const { run } = context;
    if (!run.linkSeries || !run.series) return null;
    const peaks = run.linkSeries.peaks();
    const [peak, row] = [peaks.value[link], peaks.row[link]];
    if (peak === 0) return h("p", {}, "Nothing crosses it.");
    const hot = run.linkSeries.overTime(link).findIndex((value) => value >= 0.9 * peak);
    const since = hot < row ? `; above 90 % of that first at ${context.time(run.series.start[hot])}` : "";
    return h("p", {}, "Busiest: ", peakButton(context, peak, row), `${since}. Its curve is below the picture.`);
}

/** A row for each quantity; with two runs of the same machine a column for each. */
function counters(context: Context, link: number): HTMLElement {
    const { run, runs, isSameMachine } = context;
    const shown = isSameMachine ? runs : [run];
    const now = context.state.time !== null;
    const quantities = run.quantities.filter(({ id }) => !id.startsWith("packets_"));
    const rows = quantities.map(({ id, label, hint }) => {
        const cells = shown.map((each) => {
            const quantity = each.quantities.find((q) => q.id === id);
            return quantity ? valueText(each.value(link, quantity, null), quantity) : "–";
        });
        return [h("span", { title: hint }, label), ...cells];
    });
    if (now && run.linkSeries) {
        const utilization = run.quantity("utilization");
        const cells = shown.map((each) =>
            valueText(each.value(link, utilization, context.momentOf(each)), utilization),
        );
        rows.unshift([h("span", { title: "In the slider's interval" }, "Utilization at this time"), ...cells]);
    }
    const heads = shown.length > 1 ? ["", "First run", "Second run"] : ["", ""];
    return table("Over the whole run, unless said otherwise", heads, rows, "facts");
}

function vcBars(run: RunData, link: number): HTMLElement | null {
    const vcs = run.quantities.filter(({ id }) => id.startsWith("packets_"));
    const total = vcs.reduce((sum, { whole }) => sum + whole[link], 0);
    if (total === 0) return null;
    const rows = vcs.map(({ id, whole }) => [
        id.replace("packets_", ""),
        count(whole[link]),
        h("span", { class: "share", style: `--share: ${whole[link] / total}` }, percent(whole[link] / total)),
    ]);
    return table("Packets by virtual channel", ["VC", "Packets", "Share"], rows);
}

function flows(context: Context, link: number): HTMLElement | null {
    const { run } = context;
    const { flows: facts } = run.facts;
    if (facts.unit === null) return facts.note ? h("p", { class: "hint" }, `Flows: ${facts.note}`) : null;
    const found = run.flowsOf(link);
    if (!found)
        return h("p", { class: "hint" }, "The flows across this link are not listed: it is not among the busiest.");
    const isBytes = facts.amount === "bytes";
    const amount = isBytes ? bytes : percent;
    const rows = found.listed.map((flow) => [
        button(
            `${flowEnd(run, flow.source, flow.sourceNode)} → ${flowEnd(run, flow.target, flow.targetNode)}`,
            "Show the routes of this pair",
            () => context.store.set({ route: { source: flow.sourceNode, target: flow.targetNode } }),
            "link",
        ),
        amount(flow.amount),
        ...(isBytes ? [percent(flow.amount / found.total)] : []),
    ]);
    const caption = `Largest flows across it: ${found.listed.length} of ${count(found.flows)}, from and to ${facts.unit}`;
    return h(
        "div",
        {},
        table(caption, ["From → to", ...(isBytes ? ["Bytes", "Share"] : ["Share"])], rows),
        h("p", { class: "hint" }, facts.note),
    );
}

function flowEnd(run: RunData, end: number, node: number): string {
    const name = run.machine.nodeName(node);
    return run.facts.flows.unit === "ranks" ? `${end} at ${name}` : name;
}

function ranksTable(run: RunData, node: number): HTMLElement | null {
    const { ranks } = run;
    const here = ranks?.on.get(node);
    if (!ranks || !here) return null;
    return table(
        "Ranks on it",
        ["Rank", "Core", "Group"],
        here.map((rank) => [rank, ranks.core[rank], ranks.group[rank]]),
    );
}

function waitingFor(run: RunData, link: number): Waiting[] | null {
    return run.waiting?.filter((packet) => packet.link === link) ?? null;
}

function waitingTable(run: RunData, packets: Waiting[] | null, caption: string): HTMLElement | null {
    if (!packets || packets.length === 0) return null;
    const { machine, facts } = run;
    const rows = packets
        .slice(0, 50)
        .map((packet) => [
            `${machine.nodeName(packet.node)} ${packet.receiver === "injection" ? "injection" : `from ${packet.receiver}`}`,
            packet.receiver === "injection" ? "–" : (facts.machine.vcs[packet.vc] ?? String(packet.vc)),
            packet.toward,
            machine.nodeName(packet.target),
            count(packet.age),
        ]);
    return table(caption, ["Sits in", "VC", "Waits for", "Goes to", "Age, cycles"], rows);
}
