/** The jobs of a run of several: when each was done, and how much slower it was than alone. */

import type { Context, Panel } from "../context.ts";
import type { RunData } from "../data/run.ts";
import { h, replace, scrolling, table } from "../dom.ts";
import { count } from "../format.ts";

type Row = Record<string, unknown>;

export function jobs(context: Context): Panel | null {
    if (context.runs.every((run) => jobsOf(run).length === 0)) return null;
    const body = h("div", {});
    const element = h("section", { "aria-label": "Jobs" }, h("h2", {}, "Jobs"), body);
    const update: Panel["update"] = (changed) => {
        if (changed.has("run") || changed.has("data")) replace(body, ...answer(context));
    };
    return { element, update };
}

function jobsOf({ summary }: RunData): Row[] {
    return Array.isArray(summary.jobs) ? summary.jobs : [];
}

function answer(context: Context): Node[] {
    const found = jobsOf(context.run);
    if (found.length === 0) return [h("p", { class: "hint" }, "This run has one.")];
    const number = (value: unknown, text: (value: number) => string) => (typeof value === "number" ? text(value) : "–");
    const time = (value: unknown) => number(value, (cycles) => context.time(cycles));
    const beginLater = found.some(({ start_cycle }) => start_cycle !== 0);
    const isCompared = found.some(({ slowdown }) => typeof slowdown === "number");
    const rows = found.map((job) => [
        `${job.job}`,
        number(job.nodes, count),
        ...(beginLater ? [time(job.start_cycle)] : []),
        time(job.completion_cycles),
        ...(isCompared ? [time(job.alone_completion_cycles), number(job.slowdown, count)] : []),
    ]);
    const heads = [
        "Job",
        "Nodes",
        ...(beginLater ? ["Begins"] : []),
        "Takes",
        ...(isCompared ? ["Alone", "Slowdown"] : []),
    ];
    return [scrolling(table("", heads, rows, "hot"))];
}
