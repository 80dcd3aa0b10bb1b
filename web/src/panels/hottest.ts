/** The links with the largest values: over the whole run, at the slider's time, and when each was at its peak. */

import type { Context, Panel } from "../context.ts";
import { differenceText, rankingOf, valueText } from "../data/quantities.ts";
import { button, choice, h, replace, scrolling, table } from "../dom.ts";
import { linkButton, peakButton } from "./names.ts";
import { hasSlice, isInSlice } from "./outside.ts";

const first = 6;
const more = 40;

type Order = "run" | "now" | "peak";

export function hottest(context: Context): Panel {
    const order = { by: "run" as Order, length: first };
    const body = h("div", {});
    const choiceOfOrder = choice("Order", "By what the list is sorted", [], (value) => {
        order.by = value as Order;
        show();
    });
    const show = () => {
        const shown = list(context, order.by, order.length);
        const rows = shown.querySelectorAll("tbody tr").length;
        replace(body, rows > 0 ? scrolling(shown) : shown, rows >= first && longer(), planesHint(context));
    };
    const longer = () =>
        button(
            order.length === first ? "Show more" : "Show fewer",
            "A longer list",
            () => {
                order.length = order.length === first ? more : first;
                show();
            },
            "link",
        );
    const title = h("h2", {}, "");
    const element = h("section", { "aria-label": "Hottest links" }, title, choiceOfOrder.element, body);
    const update = () => {
        const changes = !context.isDifference && context.quantity.overTime && context.run.linkSeries !== null;
        const options = [{ value: "run", text: "over the whole run" }];
        if (changes)
            options.push({ value: "now", text: "at the slider's time" }, { value: "peak", text: "at its own peak" });
        choiceOfOrder.setOptions(options);
        choiceOfOrder.element.hidden = !changes;
        if (!changes) order.by = "run";
        choiceOfOrder.select.value = order.by;
        replace(title, titleOf(context));
        show();
    };
    return { element, update };
}

function titleOf(context: Context): string {
    const { isDifference, runs, state, quantity } = context;
    const where = hasSlice(context) ? " in the slice" : "";
    if (isDifference) return `Largest differences${where}`;
    const of = runs.length > 1 ? ` of the ${["first", "second"][state.run]} run` : "";
    return `${rankingOf(quantity)}${of}${where}`;
}

/** Those of which the list has the largest values: links of the slice that are not dead. */
export function isRanked(context: Context): (link: number) => boolean {
    return (link) => !context.run.isDead(link) && isInSlice(context, link);
}

function planesHint(context: Context): HTMLElement | null {
    const { quantity, run } = context;
    if (!quantity.overTime || run.facts.series !== "planes") return null;
    return h("p", { class: "hint" }, "Over time, this run has the means of planes only, not of each link.");
}

function list(context: Context, order: Order, length: number): HTMLElement {
    const { run, quantity } = context;
    const columns = context.isDifference ? differenceColumns(context) : valueColumns(context);
    const by = columns.find((column) => column.order === order) ?? columns[0];
    const textOf = context.isDifference ? differenceText : valueText;
    const sizes = context.isDifference ? by.values.map(Math.abs) : by.values;
    const isWanted = isRanked(context);
    const sorted = largest(sizes, length, (link) => sizes[link] > 0 && isWanted(link));
    if (sorted.length === 0)
        return h("p", { class: "hint" }, hasSlice(context) ? "All in the slice are 0." : "All are 0.");
    const text = ({ values, peakRow }: Column, link: number) =>
        peakRow ? peakButton(context, link, values[link], peakRow[link]) : textOf(values[link], quantity);
    const name = (link: number) => linkButton(context, link, run.machine.linkName(link));
    const heads = ["Link", ...columns.map(({ head }) => head)];
    const rows = sorted.map((link) => [name(link), ...columns.map((column) => text(column, link))]);
    const element = table("", heads, rows, "hot");
    const { selection } = context.state;
    const selected = selection && "link" in selection ? sorted.indexOf(selection.link) : -1;
    element.tBodies[0].rows[selected]?.classList.add("selected");
    return element;
}

interface Column {
    head: string;
    order: Order;
    values: Float64Array;
    /** When each link has its peak: a press goes there. */
    peakRow?: Int32Array;
}

function valueColumns(context: Context): Column[] {
    const { run, quantity } = context;
    const { linkSeries } = run;
    if (!quantity.overTime || !linkSeries) return [{ head: quantity.label, order: "run", values: quantity.whole }];
    const columns: Column[] = [{ head: "Run", order: "run", values: quantity.whole }];
    if (context.state.time !== null) {
        const values = new Float64Array(run.machine.links);
        run.fill(values, quantity, context.momentOf(run));
        columns.push({ head: "Now", order: "now", values });
    }
    const { value, row } = linkSeries.peaks();
    return [...columns, { head: "Peak", order: "peak", values: value, peakRow: row }];
}

function differenceColumns(context: Context): Column[] {
    const values = new Float64Array(context.run.machine.links);
    context.fill(values, 0);
    return [{ head: "Second minus first", order: "now", values }];
}

/** Indices of the largest values, largest first; the first of equal ones. */
export function largest(values: ArrayLike<number>, length: number, isWanted: (i: number) => boolean): number[] {
    const best: number[] = [];
    for (let i = 0; i < values.length; i++) {
        if (best.length === length && !(values[i] > values[best[length - 1]])) continue;
        if (!isWanted(i)) continue;
        let at = best.length;
        while (at > 0 && values[best[at - 1]] < values[i]) at--;
        best.splice(at, 0, i);
        if (best.length > length) best.pop();
    }
    return best;
}
