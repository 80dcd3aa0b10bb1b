/** What the room shows, as tables: for screen readers, and for reading off. */

import { h, replace, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context, Part } from "./context.ts";
import { jobButton, jobButtons, partitionButton, timeButton, unitButton } from "./names.ts";
import { duration } from "./words.ts";

export function tables(context: Context): Part {
    const body = h("div", {});
    const element = h("details", { class: "tables" }, h("summary", {}, "The machine now, as tables"), body);
    const show = () => {
        if (element.open) replace(body, runningTable(context), blockTable(context), cableTable(context));
    };
    element.addEventListener("toggle", show);
    const update: Part["update"] = (changed) => {
        if (changed.has("time") || changed.has("run")) show();
    };
    return { element, update };
}

function runningTable(context: Context): HTMLElement {
    const { now, run } = context;
    const { jobs } = run;
    return table(
        `${count(now.running.length)} running jobs of ${run.name}`,
        ["Job", "Nodes", "Since", "To go", "Partition"],
        now.running.map((row) => [
            jobButton(context, run, row),
            count(jobs.granted[row]),
            timeButton(context, jobs.start[row]),
            duration(jobs.end[row] - now.second),
            partitionButton(context, run, jobs.partitionName[row]),
        ]),
        "hot",
    );
}

function blockTable(context: Context): HTMLElement | null {
    const { now, run } = context;
    if (run.midplanes.length === 0) return null;
    return table(
        `Each ${run.unit}`,
        ["Name", "Held by", "Passed through by"],
        run.midplanes.map((_, unit) => [
            unitButton(context, run, unit),
            jobButtons(context, run, now.in(unit)),
            jobButtons(context, run, now.through(unit)),
        ]),
    );
}

function cableTable(context: Context): HTMLElement | null {
    const { now, run } = context;
    const { cables = [] } = run.room ?? {};
    if (cables.length === 0) return null;
    const rows = now.running.flatMap((row) =>
        (run.partitionOf(row)?.cables ?? []).map((cable) => {
            const { dimension, from, to } = cables[cable];
            return [
                dimension,
                unitButton(context, run, from),
                unitButton(context, run, to),
                jobButton(context, run, row),
            ];
        }),
    );
    return table(`${count(rows.length)} of ${count(cables.length)} cables in use`, ["", "From", "To", "Job"], rows);
}
