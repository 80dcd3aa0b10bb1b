/** What is out of service, and when: midplanes (or other blocks), cables, or so many nodes of a plain machine. */

import type { OutageFacts } from "../data/page.ts";
import { count } from "../format.ts";
import type { Partition, Schedule } from "./data.ts";
import type { JobStay } from "./stays.ts";
import { moment } from "./words.ts";

export interface Outage {
    from: number;
    /** Infinite: for good. */
    until: number;
    unit: number | null;
    cable: number | null;
    nodes: number;
}

/** In the order in which they begin. Overlapping ones of a midplane or a cable are one; those of nodes add up. */
export function outagesOf(facts: OutageFacts[]): Outage[] {
    const outages = facts.map(({ from, until, midplane, cable, nodes }) => ({
        from,
        until: until ?? Infinity,
        unit: midplane,
        cable,
        nodes: nodes ?? 0,
    }));
    const united: Outage[] = [];
    for (const outage of outages.sort((a, b) => a.from - b.from)) {
        const { from, until, unit, cable, nodes } = outage;
        const same = united.find((each) => each.unit === unit && each.cable === cable && each.until >= from);
        if (same && nodes === 0) same.until = Math.max(same.until, until);
        else united.push(outage);
    }
    return united;
}

/** Whether no job can have the partition meanwhile. Cables still pass a midplane that is out of service. */
export function closes({ unit, cable }: Outage, { midplanes, cables }: Partition): boolean {
    return (unit !== null && midplanes.includes(unit)) || (cable !== null && cables.includes(cable));
}

/** The runs that ended when it began. Where runs have no partition, it could be any that ended then. */
export function endedBy({ stays }: Schedule, outage: Outage): JobStay[] {
    return stays
        .flat()
        .filter(({ isEnded, end }) => isEnded && end === outage.from)
        .filter(({ partition }) => partition === null || closes(outage, partition));
}

export function outageName(schedule: Schedule, { unit, cable, nodes }: Outage): string {
    if (unit !== null) return schedule.unitName(unit);
    return cable === null ? amount(nodes, "node") : cableName(schedule, cable);
}

function cableName(schedule: Schedule, cable: number): string {
    const { dimension, from, to } = schedule.room!.cables[cable];
    return `cable ${dimension} ${schedule.unitName(from)} ${schedule.unitName(to)}`;
}

export function outageText({ from, until }: Outage): string {
    const end = until === Infinity ? "on, for good" : `until ${moment(until)}`;
    return `out of service from ${moment(from)} ${end}`;
}

/** Such as "R00-M0: out of service from day 1, 06:00 until day 2, 06:00". */
export function outageLine(schedule: Schedule, outage: Outage): string {
    const name = outageName(schedule, outage);
    return `${name[0].toUpperCase()}${name.slice(1)}: ${outageText(outage)}`;
}

/** What is out of service, such as "2 midplanes and 1 cable"; empty if nothing is. */
export function outInShort(schedule: Schedule, outages: Outage[]): string {
    const number = (key: "unit" | "cable") => outages.filter((outage) => outage[key] !== null).length;
    const nodes = outages.reduce((sum, outage) => sum + outage.nodes, 0);
    return [
        amount(number("unit"), schedule.unit),
        amount(number("cable"), "cable"),
        amount(Math.min(nodes, schedule.facts.nodes), "node"),
    ]
        .filter((text) => text)
        .join(" and ");
}

function amount(number: number, word: string): string {
    return number > 0 ? `${count(number)} ${word}${number === 1 ? "" : "s"}` : "";
}
