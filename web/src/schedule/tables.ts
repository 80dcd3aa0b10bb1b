/** What the room shows, as tables: for screen readers, and for reading off. */

import { h, replace, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context, Part } from "./context.ts";
import { jobButton, jobButtons, partitionButton, timeButton, unitButton } from "./names.ts";
import { outageText } from "./outages.ts";
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
    return table(
        `${count(now.running.length)} running jobs of ${run.name}`,
        ["Job", "Nodes", "Since", "To go", "Partition"],
        now.running.map((row) => {
            const { start, end, nodes, partition, isEnded } = now.stay(row);
            return [
                jobButton(context, run, row),
                count(nodes),
                timeButton(context, start),
                `${duration(end - now.second)}${isEnded ? ", until an outage" : ""}`,
                partition ? partitionButton(context, run, partition.name) : run.jobs.partitionName[row],
            ];
        }),
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
            heldBy(context, unit),
            jobButtons(context, run, now.through(unit)),
        ]),
    );
}

function heldBy(context: Context, unit: number): Node | string {
    const { now, run } = context;
    const outage = now.outageOf(unit);
    return outage ? outageText(outage) : jobButtons(context, run, now.in(unit));
}

function cableTable(context: Context): HTMLElement | null {
    const { now, run } = context;
    const { cables = [] } = run.room ?? {};
    if (cables.length === 0) return null;
    const line = (cable: number, holder: Node | string) => {
        const { dimension, from, to } = cables[cable];
        return [dimension, unitButton(context, run, from), unitButton(context, run, to), holder];
    };
    const used = now.running.flatMap((row) =>
        (now.stay(row).partition?.cables ?? []).map((cable) => line(cable, jobButton(context, run, row))),
    );
    const out = now.outages.flatMap((outage) =>
        outage.cable === null ? [] : [line(outage.cable, outageText(outage))],
    );
    const caption = `${count(used.length)} of ${count(cables.length)} cables in use`;
    return table(caption, ["", "From", "To", "Job"], [...used, ...out]);
}
