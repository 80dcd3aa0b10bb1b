/** What can color links. To add a quantity of table `links`: a line in `counters`. */

import { count, percent } from "../format.ts";
import type { Facts } from "./page.ts";
import type { Table } from "./parquet.ts";

export interface Quantity {
    id: string;
    label: string;
    hint: string;
    unit: "share" | "cycles" | "count";
    /** What the exact values are of. */
    when: "whole run" | "since cycle 0" | "at the end";
    /** Exact values, one for each link. Those of the whole run are of its measured window. */
    whole: Float64Array;
    /** Whether `link_series` tells how it changes. */
    overTime: boolean;
}

type Counter = Pick<Quantity, "label" | "hint" | "unit"> & Partial<Pick<Quantity, "when">>;

const counters: Record<string, Counter> = {
    utilization: {
        label: "Utilization",
        hint: "Share of time in which the link carried data",
        unit: "share",
    },
    stalled_cycles: {
        label: "Stalled time",
        hint: "Time in which the link was idle although a packet needed it: the buffer at its end was full",
        unit: "cycles",
    },
    token_stalls: { label: "Stalls", hint: "How often a stall began", unit: "count" },
    packets: { label: "Packets", hint: "Packets that crossed the link", unit: "count" },
    frames_sent_again: {
        label: "Frames sent again",
        hint: "After errors of a lossy link, since cycle 0",
        unit: "count",
        when: "since cycle 0",
    },
};

/** Columns of table `links`, those that a run lacks included. */
export function columnsOfQuantities(vcs: string[]): string[] {
    return [...Object.keys(counters), ...vcs.map((vc) => `packets_${vc}`)];
}

/** `waiting`: packets that wait at the end, each for a link, or for none of them (-1). */
export function quantitiesOf(links: Table, facts: Facts, waiting: { link: number }[] | null): Quantity[] {
    const all: Quantity[] = [];
    const add = (id: string, counter: Counter, column: string) => {
        if (!links.has(column)) return;
        const whole = links.numbers(column);
        all.push({ id, when: "whole run", ...counter, whole, overTime: id === "utilization" && facts.series !== null });
    };
    for (const [id, counter] of Object.entries(counters)) add(id, counter, id);
    for (const vc of facts.machine.vcs) {
        const label = `Packets on VC ${vc}`;
        add(
            `packets_${vc}`,
            { label, hint: `Packets that crossed the link on VC ${vc}`, unit: "count" },
            `packets_${vc}`,
        );
    }
    if (waiting) all.push(waitingQuantity(links.rows, waiting));
    return all;
}

function waitingQuantity(links: number, waiting: { link: number }[]): Quantity {
    const whole = new Float64Array(links);
    for (const { link } of waiting) if (link >= 0) whole[link]++;
    return {
        id: "waiting",
        label: "Packets waiting at the end",
        hint: "Packets at the head of a queue that wait for this link when the run ends",
        unit: "count",
        when: "at the end",
        whole,
        overTime: false,
    };
}

/** What links with the largest values are called. */
export function rankingOf({ id, label }: Quantity): string {
    if (id === "utilization") return "Hottest links";
    if (id === "stalled_cycles") return "Most stalled links";
    return `Links with the most ${label[0].toLowerCase()}${label.slice(1)}`;
}

/** The second value minus the first, with its sign. */
export function differenceText(value: number, quantity: Quantity): string {
    return value > 0 ? `+${valueText(value, quantity)}` : valueText(value, quantity);
}

export function valueText(value: number, quantity: Quantity): string {
    if (Number.isNaN(value)) return "dead";
    if (quantity.unit === "share") return percent(value);
    return quantity.unit === "cycles" ? `${count(value)} cycles` : count(value);
}
