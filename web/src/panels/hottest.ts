/** The links with the largest values: over the whole run, at the slider's time, and when each was at its peak. */

import type { Context, Panel } from "../context.ts";
import { valueText } from "../data/quantities.ts";
import { button, choice, h, replace, table } from "../dom.ts";
import { percent } from "../format.ts";

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
    const show = () => replace(body, list(context, order.by, order.length), longer());
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
    const element = h(
        "section",
        { "aria-label": "Hottest links" },
        h("h2", {}, "Hottest links"),
        choiceOfOrder.element,
        body,
    );
    const update = () => {
        const changes = context.quantity.overTime && context.run.linkSeries !== null;
        const options = [{ value: "run", text: "over the whole run" }];
        if (changes)
            options.push({ value: "now", text: "at the slider's time" }, { value: "peak", text: "at its own peak" });
        choiceOfOrder.setOptions(options);
        choiceOfOrder.element.hidden = !changes;
        if (!changes) order.by = "run";
        choiceOfOrder.select.value = order.by;
        show();
    };
    return { element, update };
}

function list(context: Context, order: Order, length: number): HTMLElement {
    const { run, quantity } = context;
    const { machine, linkSeries, series } = run;
    const now = new Float32Array(machine.links);
    run.fill(now, quantity, context.momentOf(run));
    const peaks = quantity.overTime && series && linkSeries ? linkSeries.peaks() : null;
    const sortedBy = { run: quantity.whole, now, peak: peaks?.value ?? quantity.whole }[order];
    const sorted = largest(sortedBy, length, (link) => !run.isDead(link));
    const columns: { head: string; cell: (link: number) => Node | string }[] = [
        { head: "Link", cell: (link) => linkButton(context, link, machine.linkName(link)) },
        { head: peaks ? "Run" : quantity.label, cell: (link) => valueText(quantity.whole[link], quantity) },
    ];
    if (peaks && context.state.time !== null) {
        columns.push({ head: "Now", cell: (link) => valueText(now[link], quantity) });
    }
    if (peaks)
        columns.push({ head: "Peak, at", cell: (link) => peakButton(context, peaks.value[link], peaks.row[link]) });
    const heads = columns.map(({ head }) => head);
    const rows = sorted.map((link) => columns.map(({ cell }) => cell(link)));
    const element = table("", heads, rows, "hot");
    const { selection } = context.state;
    const selected = selection && "link" in selection ? sorted.indexOf(selection.link) : -1;
    element.tBodies[0].rows[selected]?.classList.add("selected");
    return element;
}

/** A name of a link that selects it. */
export function linkButton(context: Context, link: number, text: string): HTMLElement {
    return button(text, "Select this link", () => context.select({ link }), "link");
}

/** The value at the peak; pressing it moves the slider there. */
export function peakButton(context: Context, value: number, row: number): HTMLElement {
    const series = context.run.series!;
    const text = `${percent(value)}, ${context.time(series.start[row])}`;
    return button(text, "Move the slider to this time", () => goTo(context, row), "link");
}

function goTo(context: Context, row: number): void {
    const series = context.run.series!;
    const time =
        context.run === context.longest ? row : context.series!.rowAt((series.start[row] + series.end[row]) / 2);
    context.store.set({ time });
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
