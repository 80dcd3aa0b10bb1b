/** What the picture of runs shows, in words. */

import { formatSlice } from "./address.ts";
import { linesOf } from "./caption.ts";
import type { Context } from "./context.ts";
import { valueText } from "./data/quantities.ts";

const units = { share: "%", cycles: "cycles", count: "" };

export function captionOf(context: Context, width: number): string[] {
    const { quantity, state, threshold } = context;
    const slice = sliceOf(context);
    return linesOf(
        [
            namesOf(context).join(" and "),
            context.isDifference ? "second run minus first" : "",
            `${quantity.label}${units[quantity.unit] && ` (${units[quantity.unit]})`}`,
            timeText(context),
            slice ? `slice ${slice.replaceAll(":", " ").replaceAll(",", ", ")}` : "",
            state.hide > 0 ? `links below ${valueText(threshold, quantity)} hidden` : "",
        ],
        width,
    );
}

/** Parts of the name of a file. */
export function fileParts(context: Context): string[] {
    const { quantity, isDifference, isOfTime } = context;
    const time = isOfTime ? context.time(context.series!.start[context.state.time!]) : quantity.when;
    return [
        ...namesOf(context),
        isDifference ? `difference-of-${quantity.id}` : quantity.id,
        time,
        sliceOf(context).replaceAll(":", ""),
    ];
}

/** Those whose pictures are seen. */
function namesOf({ runs, pictured, isDifference }: Context): string[] {
    return isDifference ? runs.map(({ name }) => name) : pictured.map((index) => runs[index].name);
}

function sliceOf({ state, run }: Context): string {
    return formatSlice(state.slice, run.machine);
}

function timeText(context: Context): string {
    const { series, state, run, quantity, isOfTime } = context;
    if (isOfTime) return `${context.time(series!.start[state.time!])} to ${context.time(series!.end[state.time!])}`;
    if (quantity.when !== "whole run") return quantity.when;
    const { start_cycle, end_cycle } = run.facts.measured;
    return `whole run, ${context.time(start_cycle)} to ${context.time(end_cycle)}`;
}
