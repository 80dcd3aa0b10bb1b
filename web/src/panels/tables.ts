/** The values of the picture as tables, for screen readers and for reading off numbers. */

import type { Context, Panel } from "../context.ts";
import { differenceText, valueText } from "../data/quantities.ts";
import { button, h, replace, scrolling, table } from "../dom.ts";
import { count } from "../format.ts";
import { inSlice } from "../picture/layout.ts";
import { linkButton } from "./names.ts";

const pageLength = 50;

export function tables(context: Context): Panel {
    const body = h("div", {});
    const element = h("details", { class: "tables" }, h("summary", {}, "Values as tables"), body);
    const page = { links: 0, rows: 0 };
    const show = () => {
        if (element.open) replace(body, linkTable(context, page, show), seriesTable(context, page, show));
    };
    element.addEventListener("toggle", show);
    return { element, update: show };
}

function pager(now: number, total: number, turn: (page: number) => void): HTMLElement {
    const last = Math.max(0, Math.ceil(total / pageLength) - 1);
    const to = (page: number) => () => turn(Math.min(last, Math.max(0, page)));
    return h(
        "p",
        {},
        button("◀", "The page before", to(now - 1), "small"),
        ` ${now + 1} of ${count(last + 1)} `,
        button("▶", "The next page", to(now + 1), "small"),
    );
}

/** Links that are in the slice and above the threshold, in the order of table `links`. */
function linkTable(context: Context, page: { links: number }, show: () => void): HTMLElement {
    const { run, quantity, state } = context;
    const { machine } = run;
    const values = new Float64Array(machine.links);
    context.fill(values, state.run);
    const textOf = context.isDifference ? differenceText : valueText;
    const shown: number[] = [];
    values.forEach((value, link) => {
        const isHidden = Math.abs(value) < context.threshold || !inSlice(machine, machine.source[link], state.slice);
        if (!isHidden) shown.push(link);
    });
    page.links = Math.min(page.links, Math.floor(Math.max(0, shown.length - 1) / pageLength));
    const rows = shown
        .slice(page.links * pageLength, (page.links + 1) * pageLength)
        .map((link) => [
            linkButton(context, link, machine.linkName(link)),
            machine.nodeName(machine.target[link]),
            textOf(values[link], quantity),
        ]);
    const turn = (to: number) => {
        page.links = to;
        show();
    };
    return h(
        "div",
        {},
        scrolling(table(`${count(shown.length)} links that are shown`, ["Link", "To", quantity.label], rows)),
        pager(page.links, shown.length, turn),
    );
}

function seriesTable(context: Context, page: { rows: number }, show: () => void): HTMLElement | null {
    const { series } = context;
    if (!series) return null;
    const columns = ["packets_injected", "packets_delivered", "packets_in_flight", "utilization"].filter((name) =>
        series.column(name),
    );
    const values = columns.map((name) => series.column(name)!);
    const first = page.rows * pageLength;
    const rows = Array.from({ length: Math.min(pageLength, series.rows - first) }, (_, i) => [
        count(series.start[first + i]),
        count(series.end[first + i]),
        ...values.map((column) => count(column[first + i])),
    ]);
    const heads = ["Start, cycles", "End, cycles", ...columns.map((name) => name.replaceAll("_", " "))];
    const turn = (to: number) => {
        page.rows = to;
        show();
    };
    return h("div", {}, scrolling(table("Rows of the series", heads, rows)), pager(page.rows, series.rows, turn));
}
