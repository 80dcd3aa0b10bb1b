/** Names of nodes, links and times that can be pressed: the picture then shows them. */

import type { Context } from "../context.ts";
import { button, h } from "../dom.ts";
import { briefTime, percent } from "../format.ts";

export function nodeButton(context: Context, node: number): HTMLElement {
    return button(context.run.machine.nodeName(node), `Select node ${node}`, () => context.select({ node }), "link");
}

/** A name of a link that selects it. */
export function linkButton(context: Context, link: number, text: string): HTMLElement {
    return button(text, "Select this link", () => context.select({ link }), "link");
}

/** The value of a link at its peak; pressing it selects the link, and moves the slider there. */
export function peakButton(context: Context, link: number, value: number, row: number): HTMLElement {
    if (value === 0) return h("span", {}, "–");
    const series = context.run.series!;
    const cycle = series.start[row];
    const text = `${percent(value)} at ${briefTime(cycle, context.run.facts.machine.cycle_seconds)}`;
    return button(
        text,
        `Select the link, and move the slider to this time, ${context.timeWithCycles(cycle)}`,
        () => goTo(context, link, row),
        "link",
    );
}

function goTo(context: Context, link: number, row: number): void {
    const series = context.run.series!;
    const time =
        context.run === context.longest ? row : context.series!.rowAt((series.start[row] + series.end[row]) / 2);
    context.store.set({ time, selection: { link } });
}
