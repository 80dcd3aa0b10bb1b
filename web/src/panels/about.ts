/** The summary of each run, as the result has it. */

import type { Context, Panel } from "../context.ts";
import { h, scrolling, table } from "../dom.ts";
import { factOf } from "./facts.ts";

export function about(context: Context): Panel {
    const tables = context.runs.map(({ name, summary }) => scrolling(table(name, ["", ""], rowsOf(summary), "facts")));
    const element = h(
        "details",
        {},
        h("summary", {}, context.runs.length > 1 ? "About these runs" : "About this run"),
        ...tables,
    );
    return { element, update: () => {} };
}

/** What is one value; tables of values have their place elsewhere. */
function rowsOf(summary: Record<string, unknown>): (Node | string)[][] {
    return Object.entries(summary).flatMap(([key, value]) => {
        if (typeof value !== "number" && typeof value !== "string") return [];
        const [name, text] = factOf(key, value);
        return [[name, typeof value === "number" ? aligned(text) : text]];
    });
}

/** Points of decimals stand below each other. */
function aligned(text: string): HTMLElement {
    const [, whole, rest] = text.match(/^([^.\s]*)(.*)$/)!;
    return h("span", { class: "aligned" }, h("span", { class: "whole" }, whole), rest);
}
