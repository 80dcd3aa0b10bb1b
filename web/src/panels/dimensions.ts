/** How busy the links of each dimension are, and what a percentage of peak is a share of. */

import type { Context, Panel } from "../context.ts";
import type { RunData } from "../data/run.ts";
import { h, replace, table } from "../dom.ts";
import { percent } from "../format.ts";
import { remembered } from "../remembered.ts";

export function dimensions(context: Context): Panel {
    const known = new Map<RunData, HTMLElement[]>();
    const body = h("div", {});
    const element = h("section", { "aria-label": "By dimension" }, h("h2", {}, "By dimension"), body);
    const update: Panel["update"] = (changed) => {
        if (!changed.has("run") && !changed.has("data")) return;
        replace(body, ...remembered(known, context.run, () => partsOf(context.run)));
    };
    return { element, update };
}

function partsOf(run: RunData): HTMLElement[] {
    const peak = peakText(run);
    return [dimensionTable(run), ...(peak ? [h("p", { class: "hint" }, peak)] : [])];
}

function dimensionTable(run: RunData): HTMLElement {
    const { facts } = run.machine;
    const utilization = run.quantity("utilization").whole;
    const stalled = run.measuredCycles > 0 ? run.quantities.find(({ id }) => id === "stalled_cycles")?.whole : null;
    const rows = facts.dimensions.flatMap((name, d) => {
        const [plus, minus] = [linksAlong(run, 2 * d), linksAlong(run, 2 * d + 1)];
        const all = [...plus, ...minus];
        if (all.length === 0) return [];
        const largest = all.reduce((most, link) => Math.max(most, utilization[link]), 0);
        const shares = [meanOf(utilization, all), meanOf(utilization, plus), meanOf(utilization, minus), largest];
        if (stalled) shares.push(meanOf(stalled, all) / run.measuredCycles);
        return [[name, ...shares.map((share) => (Number.isNaN(share) ? "–" : percent(share)))]];
    });
    const heads = ["", "Mean", "+", "−", "Largest", ...(stalled ? ["Stalled"] : [])];
    return table(
        "Utilization of links over the whole run: mean, in each direction, largest",
        heads,
        rows,
        "hot numbers",
    );
}

/** Those that are not dead. */
function linksAlong({ machine, deadLinks }: RunData, direction: number): number[] {
    const links: number[] = [];
    machine.direction.forEach((each, link) => {
        if (each === direction && !deadLinks.has(link)) links.push(link);
    });
    return links;
}

function meanOf(values: Float64Array, links: number[]): number {
    return links.reduce((sum, link) => sum + values[link], 0) / links.length;
}

/** What the percentage is a share of. */
export function peakText({ summary }: RunData): string {
    const { percent_of_peak: share, percent_of_peak_kind: kind } = summary;
    if (typeof share !== "number") return "";
    const bound = typeof kind === "string" ? `the bound set by the ${kind}` : "the bound of its traffic";
    return `${share.toFixed(1)} % of peak: of ${bound}. At 100 % the links that set it would never be idle.`;
}
