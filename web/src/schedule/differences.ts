/** Which jobs two schedules treat differently: waits by size, and the jobs whose waits differ most. */

import { h, replace, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context, Part } from "./context.ts";
import type { Schedule } from "./data.ts";
import { jobButton } from "./names.ts";
import { briefly } from "./words.ts";

const mostJobs = 8;

interface Pair {
    /** Row of the first run. */
    row: number;
    nodes: number;
    waits: [number, number];
}

export function differences(context: Context): Part | null {
    const [first, second] = context.runs;
    if (!second) return null;
    const pairs = pairsOf(first, second);
    const body = h("div", {});
    const element = h("details", {}, h("summary", {}, "Which jobs the schedules treat differently"), body);
    element.addEventListener("toggle", () => {
        if (element.open) replace(body, sizesTable(context, pairs), jobsTable(context, pairs));
    });
    return { element, update: () => {} };
}

/** Jobs that ran in both. */
function pairsOf(first: Schedule, second: Schedule): Pair[] {
    const wait = ({ jobs }: Schedule, row: number) => jobs.start[row] - jobs.submit[row];
    const pairs: Pair[] = [];
    first.jobs.id.forEach((id, row) => {
        const other = second.row(id);
        if (other === null) return;
        const waits: Pair["waits"] = [wait(first, row), wait(second, other)];
        if (!waits.some(Number.isNaN)) pairs.push({ row, nodes: first.jobs.nodes[row], waits });
    });
    return pairs;
}

export interface SizeClass {
    /** The most nodes of a job in it. */
    most: number;
    jobs: number;
    means: [number, number];
}

/** Sizes up to powers of two; those below a block are one. */
export function sizeClasses(pairs: Omit<Pair, "row">[], block: number): SizeClass[] {
    const classes = new Map<number, SizeClass>();
    for (const { nodes, waits } of pairs) {
        const most = Math.max(block, 2 ** Math.ceil(Math.log2(Math.max(1, nodes))));
        const known = classes.get(most) ?? { most, jobs: 0, means: [0, 0] };
        known.jobs++;
        for (const run of [0, 1] as const) known.means[run] += (waits[run] - known.means[run]) / known.jobs;
        classes.set(most, known);
    }
    return [...classes.values()].sort((a, b) => a.most - b.most);
}

function sizesTable({ shortNames, runs }: Context, pairs: Pair[]): HTMLElement {
    const rows = sizeClasses(pairs, runs[0].room?.midplane_nodes ?? 1).map(({ most, jobs, means }) => [
        count(most),
        count(jobs),
        briefly(means[0]),
        briefly(means[1]),
        differenceOf(means),
    ]);
    return table(
        "Mean wait of jobs of up to so many nodes",
        ["Nodes", "Jobs", ...shortNames, "Difference"],
        rows,
        "hot",
    );
}

function jobsTable(context: Context, pairs: Pair[]): HTMLElement {
    const far = ({ waits }: Pair) => Math.abs(waits[1] - waits[0]);
    const differing = pairs.filter((pair) => far(pair) > 0);
    if (differing.length === 0) return h("p", {}, "No job waits differently.");
    const largest = differing.sort((a, b) => far(b) - far(a)).slice(0, mostJobs);
    const rows = largest.map(({ row, nodes, waits }) => [
        jobButton(context, context.runs[0], row),
        count(nodes),
        briefly(waits[0]),
        briefly(waits[1]),
        differenceOf(waits),
    ]);
    const caption = `Jobs whose waits differ most, of ${count(differing.length)} that wait differently`;
    return table(caption, ["Job", "Nodes", ...context.shortNames, "Difference"], rows, "hot");
}

/** Of the second against the first. */
function differenceOf([first, second]: [number, number]): HTMLElement {
    const by = second - first;
    const className = by < 0 ? "better" : by > 0 ? "worse" : "quiet";
    const sign = by > 0 ? "+" : "−";
    return h("span", { class: className }, by === 0 ? "same" : `${by < 0 ? "✓ " : ""}${sign}${briefly(Math.abs(by))}`);
}
