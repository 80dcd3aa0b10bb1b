/** All outages of a schedule, with the jobs that each ended. */

import { h, replace, table } from "../dom.ts";
import type { Context, Part } from "./context.ts";
import { jobButtons, timeButton, unitButton } from "./names.ts";
import { endedBy, type Outage, outageName } from "./outages.ts";

/** Null where no schedule has any. */
export function outageList(context: Context): Part | null {
    if (context.runs.every(({ outages }) => outages.length === 0)) return null;
    const body = h("div", {});
    const element = h("details", { class: "outages" }, h("summary", {}, "Outages"), body);
    const show = () => {
        if (element.open) replace(body, outagesTable(context));
    };
    element.addEventListener("toggle", show);
    const update: Part["update"] = (changed) => {
        if (changed.has("run")) show();
    };
    return { element, update };
}

function outagesTable(context: Context): HTMLElement {
    const { run } = context;
    if (run.outages.length === 0) return h("p", {}, `None of ${run.name}.`);
    return table(
        `Outages of ${run.name}`,
        ["Part", "From", "Until", "Jobs ended"],
        run.outages.map((outage) => rowOf(context, outage)),
        "hot",
    );
}

function rowOf(context: Context, outage: Outage): (Node | string)[] {
    const { run } = context;
    const { unit, from, until } = outage;
    const ended = endedBy(run, outage).map(({ row }) => row);
    return [
        unit !== null && run.midplanes[unit] ? unitButton(context, run, unit) : outageName(run, outage),
        timeButton(context, from),
        until === Infinity ? "for good" : timeButton(context, until),
        ended.length > 0 ? jobButtons(context, run, ended) : "none",
    ];
}
