/** The summary of each run, as the result has it. */

import type { Context, Panel } from "../context.ts";
import { h, table } from "../dom.ts";
import { count } from "../format.ts";

export function about(context: Context): Panel {
    const tables = context.runs.map(({ name, summary }) => table(name, ["", ""], rowsOf(summary), "facts"));
    const element = h(
        "details",
        {},
        h("summary", {}, context.runs.length > 1 ? "About these runs" : "About this run"),
        ...tables,
    );
    return { element, update: () => {} };
}

/** What is one value; tables of values have their place elsewhere. */
function rowsOf(summary: Record<string, unknown>): string[][] {
    return Object.entries(summary).flatMap(([name, value]) => {
        if (typeof value === "number") return [[name.replaceAll("_", " "), count(value)]];
        return typeof value === "string" ? [[name.replaceAll("_", " "), value]] : [];
    });
}
