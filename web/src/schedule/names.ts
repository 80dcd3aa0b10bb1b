/** Names of jobs, blocks and partitions that can be pressed, and times with their seconds as tooltips. */

import { button, h } from "../dom.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import { moment, secondText } from "./words.ts";

export function jobButton(context: Context, run: Schedule, row: number): HTMLElement {
    const id = run.jobs.id[row];
    return button(String(id), `Ask job ${id}`, () => context.ask({ job: id }, context.runs.indexOf(run)), "link");
}

export function jobButtons(context: Context, run: Schedule, rows: number[]): HTMLElement {
    return h("span", {}, ...rows.flatMap((row, i) => [i > 0 ? ", " : null, jobButton(context, run, row)]));
}

export function unitButton(context: Context, run: Schedule, unit: number): HTMLElement {
    const { name } = run.midplanes[unit];
    return button(name, `Ask ${name}`, () => context.ask({ midplane: name }, context.runs.indexOf(run)), "link");
}

export function partitionButton(context: Context, run: Schedule, name: string): HTMLElement | string {
    if (!run.partitions.some((partition) => partition.name === name)) return name;
    return button(
        name,
        "Ask this partition",
        () => context.ask({ partition: name }, context.runs.indexOf(run)),
        "link",
    );
}

/** A time in words that moves the cursor there. */
export function timeButton(context: Context, second: number): HTMLElement {
    if (Number.isNaN(second)) return h("span", {}, "–");
    return button(moment(second), `${secondText(second)}: move the cursor there`, () => context.go(second), "link");
}
