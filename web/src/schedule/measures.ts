/** Measures of the schedules: what their summaries say, with the difference of two. */

import { h, table } from "../dom.ts";
import { count, percent } from "../format.ts";
import type { Context, Part } from "./context.ts";
import type { Schedule } from "./data.ts";
import { briefly } from "./words.ts";

interface Measure {
    key: string;
    label: string;
    text: (value: number) => string;
    /** Whether less is better; null: neither. */
    isLessBetter: boolean | null;
    /** Not shown where no schedule has any. */
    isRare?: boolean;
}

const factor = (value: number) => value.toFixed(2);

const measures: Measure[] = [
    { key: "wait_seconds_mean", label: "Wait, mean", text: briefly, isLessBetter: true },
    { key: "wait_seconds_p90", label: "Wait, 90th percentile", text: briefly, isLessBetter: true },
    { key: "wait_seconds_max", label: "Wait, longest", text: briefly, isLessBetter: true },
    { key: "bounded_slowdown_mean", label: "Bounded slowdown, mean", text: factor, isLessBetter: true },
    { key: "utilization", label: "Utilization", text: percent, isLessBetter: false },
    { key: "utilization_while_submitting", label: "Utilization while jobs arrive", text: percent, isLessBetter: false },
    { key: "loss_of_capacity", label: "Loss of capacity", text: percent, isLessBetter: true },
    { key: "overtaken_share", label: "Jobs overtaken", text: percent, isLessBetter: null },
    { key: "jobs_run", label: "Jobs run", text: count, isLessBetter: null },
    { key: "jobs_killed", label: "Jobs killed", text: count, isLessBetter: true, isRare: true },
    { key: "restarts", label: "Restarts after outages", text: count, isLessBetter: true, isRare: true },
    { key: "lost_to_outages", label: "Lost to outages", text: percent, isLessBetter: true, isRare: true },
];

export function measuresPart(context: Context): Part {
    const { runs } = context;
    const isComparison = runs.length > 1;
    const body = table(
        isComparison ? `✓ where ${context.shortNames[1]} is better than ${context.shortNames[0]}.` : "",
        [
            "",
            ...runs.map((_, i) => (isComparison ? context.shortNames[i] : "")),
            ...(isComparison ? ["Difference"] : []),
        ],
        measures.flatMap((measure) => rowOf(runs, measure)),
        isComparison ? "facts compared" : "facts",
    );
    const title = isComparison ? "What the schedules achieve" : "Measures";
    const element = h("details", { open: true, class: "measured" }, h("summary", {}, title), body);
    return { element, update: () => {} };
}

function rowOf(runs: Schedule[], { key, label, text, isLessBetter, isRare }: Measure): (Node | string)[][] {
    const values = runs.map(({ summary }) => summary[key]);
    if (!values.every((value) => typeof value === "number")) return [];
    if (isRare && values.every((value) => value === 0)) return [];
    const cells = values.map((value) => text(value as number));
    if (values.length < 2) return [[label, ...cells]];
    const difference = (values[1] as number) - (values[0] as number);
    const isBetter = isLessBetter === null || cells[0] === cells[1] ? null : difference < 0 === isLessBetter;
    const className = isBetter === null ? "quiet" : isBetter ? "better" : "worse";
    const sign = difference > 0 ? "+" : difference < 0 ? "−" : "";
    const shown =
        cells[0] === cells[1] ? "same" : `${isBetter ? "✓ " : ""}${sign}${differenceText(Math.abs(difference), text)}`;
    return [[label, ...cells, h("span", { class: className }, shown)]];
}

/** "3.09 %" would read as a share of the other value. */
export function differenceText(by: number, text: Measure["text"]): string {
    return text === percent ? percent(by).replace("%", "points") : text(by);
}
