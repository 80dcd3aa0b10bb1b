/** Colors of jobs: each its own among those that run with it, or by user, size or wait. */

import { colorAt, css, groupColor, type Theme } from "../picture/colors.ts";
import type { Rgb } from "../picture/types.ts";
import type { Schedule } from "./data.ts";
import type { ScheduleState } from "./state.ts";
import { day } from "./words.ts";

const plain = 12;
/** Twelve colors, then lighter ones of them, then darker ones. */
const palette: Rgb[] = Array.from({ length: 3 * plain }, (_, i) => {
    const color = groupColor(i % plain);
    if (i < plain) return color;
    return i < 2 * plain ? mix(color, 255, 0.45) : mix(color, 0, 0.32);
});

function mix(color: Rgb, other: number, share: number): Rgb {
    return color.map((part) => Math.round(part + (other - part) * share)) as unknown as Rgb;
}

/** Waits up to a minute are the one end of the scale, and those of two days the other. */
const waitScale = [60, 2 * day] as const;

export class Colors {
    private readonly runs: Schedule[];
    private readonly ofJob = new Map<number, Rgb>();
    private readonly ofUser = new Map<string, Rgb>();

    constructor(runs: Schedule[]) {
        this.runs = runs;
        for (const run of runs) this.color(run);
        const users = byFrequency(runs.flatMap(({ jobs }) => jobs.user));
        users.forEach((user, rank) => {
            this.ofUser.set(user, palette[rank % palette.length]);
        });
    }

    get hasUsers(): boolean {
        return this.ofUser.size > 1;
    }

    /** Jobs take the color that has been free for the longest time; those of the first run keep theirs in the second. */
    private color(run: Schedule): void {
        const until = new Float64Array(palette.length).fill(-Infinity);
        for (const { row, start, end } of run.stays.flat().sort((a, b) => a.start - b.start)) {
            const id = run.jobs.id[row];
            if (this.ofJob.has(id)) continue;
            let best = 0;
            for (let i = 1; i < palette.length; i++) if (price(until, i, start) < price(until, best, start)) best = i;
            until[best] = Math.max(until[best], end);
            this.ofJob.set(id, palette[best]);
        }
    }

    of(run: Schedule, row: number, by: ScheduleState["colors"], theme: Theme): Rgb {
        const { jobs } = run;
        if (by === "user") return this.ofUser.get(jobs.user[row]) ?? palette[0];
        if (by === "nodes") return colorAt("values", theme, this.placeOfNodes(jobs.nodes[row]));
        if (by === "wait") return colorAt("values", theme, placeOfWait(jobs.start[row] - jobs.submit[row]));
        return this.ofJob.get(jobs.id[row]) ?? palette[0];
    }

    css(run: Schedule, row: number, by: ScheduleState["colors"], theme: Theme): string {
        return css(this.of(run, row, by, theme));
    }

    private placeOfNodes(nodes: number): number {
        const most = Math.max(...this.runs.map(({ facts }) => facts.nodes));
        return Math.log(Math.max(1, nodes)) / Math.log(Math.max(2, most));
    }
}

/** Colors in use cost most; of the others, plain ones are preferred while they have been free for some time. */
function price(until: Float64Array, i: number, start: number): number {
    if (until[i] > start) return 1e12 + until[i];
    return Math.floor(i / plain) * 1e6 + Math.max(0, 1e5 - (start - until[i])) + i / 100;
}

function placeOfWait(seconds: number): number {
    const [low, high] = waitScale;
    return Math.log(Math.max(low, seconds || low) / low) / Math.log(high / low);
}

/** The ends of the scale of a coloring, as texts; null where colors are only names. */
export function scaleEnds(runs: Schedule[], by: ScheduleState["colors"]): [string, string] | null {
    if (by === "nodes")
        return ["1 node", `${Math.max(...runs.map(({ facts }) => facts.nodes)).toLocaleString("en-US")} nodes`];
    return by === "wait" ? ["no wait", "2 days or more"] : null;
}

function byFrequency(names: string[]): string[] {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
}

/** Black or white, whichever is easier to read on a color. */
export function inkOn([r, g, b]: Rgb): string {
    return 0.299 * r + 0.587 * g + 0.114 * b > 125 ? "#10151c" : "#ffffff";
}
