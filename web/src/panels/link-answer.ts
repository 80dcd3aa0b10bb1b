/** What is known of a link: its counters, virtual channels, the flows across it, the packets that wait for it. */

import type { Context } from "../context.ts";
import { valueText } from "../data/quantities.ts";
import type { RunData } from "../data/run.ts";
import { button, h, table } from "../dom.ts";
import { bytes, count, percent } from "../format.ts";
import { nodeButton, peakButton } from "./names.ts";
import { outsideNote } from "./outside.ts";
import { waitingTable } from "./waiting.ts";

export function linkAnswer(context: Context, link: number): (Node | null)[] {
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
    if (run.isDead(link)) return [ends, outsideNote(context, [machine.source[link]])];
    return [
        ends,
        outsideNote(context, [machine.source[link]]),
        peakLine(context, link),
        counters(context, link),
        flows(context, link),
        vcBars(run, link),
        waitingTable(run, (packet) => packet.link === link, "Head packets that wait for it at the end"),
    ];
}

function peakLine(context: Context, link: number): HTMLElement | null {
    const { run } = context;
    if (!run.linkSeries || !run.series) return null;
    const peaks = run.linkSeries.peaks();
    const [peak, row] = [peaks.value[link], peaks.row[link]];
    // Bytes round little to nothing.
    if (peak === 0) return run.quantity("utilization").whole[link] > 0 ? null : h("p", {}, "Nothing crosses it.");
    const isHot = Array.from(run.linkSeries.overTime(link), (value) => value >= 0.9 * peak);
    const hot = isHot.indexOf(true);
    const since = hot < row ? `, first at ${context.time(run.series.start[hot])}` : "";
    const near = ` Nearly as busy (${percent(0.9 * peak)} or more) in ${percent(run.series.shareOf(isHot))} of the run${since}.`;
    const whose = run.facts.series === "planes" ? "Busiest, as the mean of its plane: " : "Busiest: ";
    return h("p", {}, whose, peakButton(context, link, peak, row), `.${near} Its curve is below the picture.`);
}

/** A row for each quantity; with two runs of the same machine a column for each. */
function counters(context: Context, link: number): HTMLElement {
    const { run, runs, isSameMachine } = context;
    const shown = isSameMachine ? runs : [run];
    const row = (label: string, hint: string, text: (run: RunData) => string | null) => [
        h("span", { title: hint }, label),
        ...shown.map((each) => text(each) ?? "–"),
    ];
    const rows = run.quantities
        .filter(({ id }) => !id.startsWith("packets_"))
        .flatMap(({ id, label, hint, unit }) => {
            const value = row(label, hint, (each) => wholeText(each, id, link));
            if (unit !== "cycles") return [value];
            return [value, row(`${label} as a share`, "Of the measured time", (each) => shareOfTime(each, id, link))];
        });
    if (context.state.time !== null && run.linkSeries)
        rows.unshift(
            row("Utilization at this time", "In the slider's interval", (each) => nowText(context, each, link)),
        );
    const heads = shown.length > 1 ? ["", "First run", "Second run"] : ["", ""];
    return table("Over the whole run, unless said otherwise", heads, rows, "facts");
}

function wholeText(run: RunData, id: string, link: number): string | null {
    const quantity = run.quantities.find((each) => each.id === id);
    return quantity ? valueText(run.value(link, quantity, null), quantity) : null;
}

/** Cycles as a share of the measured time. */
function shareOfTime(run: RunData, id: string, link: number): string | null {
    const quantity = run.quantities.find((each) => each.id === id);
    return quantity && run.measuredCycles > 0 ? percent(run.value(link, quantity, null) / run.measuredCycles) : null;
}

function nowText(context: Context, run: RunData, link: number): string | null {
    const utilization = run.quantity("utilization");
    return run.linkSeries ? valueText(run.value(link, utilization, context.momentOf(run)), utilization) : null;
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
    const heads = ["From → to", ...(isBytes ? ["Bytes"] : []), "Share"];
    const total = isBytes ? `Shares are of the link's expected bytes, ${bytes(found.total)} in all. ` : "";
    return h(
        "div",
        {},
        table(flowCaption(run, found.flows, found.listed.length), heads, rows),
        h("p", { class: "hint" }, total + facts.note),
    );
}

/** Pairs whose minimal routes lead across the link, not pairs whose packets were seen there. */
function flowCaption(run: RunData, flows: number, listed: number): string {
    const { unit, routing, amount } = run.facts.flows;
    const expected = amount === "bytes" ? "in expected bytes" : "by their share of the link's expected traffic";
    const pairs = flows === 1 ? `1 pair of ${unit}` : `${count(flows)} pairs of ${unit}`;
    const which = listed < flows ? "; the largest" : "";
    return `${pairs} can use it${which}, ${expected}, ${routing ?? "as the machine routes"}`;
}

function flowEnd(run: RunData, end: number, node: number): string {
    const name = run.machine.nodeName(node);
    return run.facts.flows.unit === "ranks" ? `${end} at ${name}` : name;
}
