/** What is known of a block, and of a partition: who holds it, and its jobs over time. */

import { h, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context } from "./context.ts";
import type { Partition, Schedule } from "./data.ts";
import { jobButton, jobButtons, timeButton, unitButton } from "./names.ts";
import { overlap } from "./places.ts";
import { briefly } from "./words.ts";

const mostRows = 60;

export function unitAnswer(context: Context, unit: number): (Node | null)[] {
    const { run, now } = context;
    const [held, through] = [now.in(unit), now.through(unit)];
    const whole = { from: unit, to: unit + 1 };
    const rows = rowsOf(run, (row) => run.pieces[row].some((piece) => overlap(piece, whole)));
    const place = run.midplanes[unit].place.map((at, d) => `${run.room!.dimensions[d].name} ${at}`).join(", ");
    return [
        place ? h("p", { class: "quiet" }, place) : null,
        h("p", {}, held.length > 0 ? "Held by: " : "Idle.", jobButtons(context, run, held)),
        through.length > 0 ? h("p", {}, "Passed through by the cables of: ", jobButtons(context, run, through)) : null,
        jobsTable(context, `Its jobs over time`, rows),
    ];
}

export function partitionAnswer(context: Context, partition: Partition): (Node | null)[] {
    const { run, now } = context;
    const holders = now.holdersOf(partition);
    const rows = rowsOf(run, (row) => run.partitionOf(row) === partition);
    const facts = [
        ["Nodes", count(partition.nodes)],
        ["Wiring", partition.wiring],
        [
            "Midplanes",
            partition.midplanes.length > 8
                ? count(partition.midplanes.length)
                : names(context, run, partition.midplanes),
        ],
        ["Cables", count(partition.cables.length)],
        ["Passed through", names(context, run, partition.passedThrough.slice(0, 12))],
    ];
    const isHeld = holders.length > 0;
    return [
        h(
            "p",
            { class: isHeld ? "wanted" : "" },
            isHeld ? "Held, in whole or in part, by: " : "Free.",
            jobButtons(context, run, holders),
        ),
        table("", ["", ""], facts, "facts"),
        jobsTable(context, "Its jobs over time", rows),
    ];
}

function names(context: Context, run: Schedule, units: number[]): Node {
    return h("span", {}, ...units.flatMap((unit, i) => [i > 0 ? ", " : null, unitButton(context, run, unit)]));
}

function rowsOf(run: Schedule, isWanted: (row: number) => boolean): number[] {
    const { start } = run.jobs;
    const rows = Array.from(start, (_, row) => row).filter((row) => !Number.isNaN(start[row]) && isWanted(row));
    return rows.sort((a, b) => start[a] - start[b]);
}

/** Around the cursor, where there are too many. */
function jobsTable(context: Context, caption: string, all: number[]): HTMLElement {
    const { run, now } = context;
    const { jobs } = run;
    const next = all.findIndex((row) => jobs.end[row] > now.second);
    const middle = next < 0 ? all.length : next;
    const first = Math.max(0, Math.min(middle - mostRows / 2, all.length - mostRows));
    const rows = all.slice(first, first + mostRows);
    const some = rows.length < all.length ? `, ${rows.length} about this time` : "";
    const list = table(
        `${caption}: ${count(all.length)}${some}`,
        ["Job", "Nodes", "Waited", "Started", "Ran"],
        rows.map((row) => [
            jobButton(context, run, row),
            count(jobs.nodes[row]),
            briefly(jobs.start[row] - jobs.submit[row]),
            timeButton(context, jobs.start[row]),
            briefly(jobs.end[row] - jobs.start[row]),
        ]),
        "hot",
    );
    [...list.tBodies[0].rows].forEach((line, i) => {
        line.classList.toggle("selected", now.isRunning(rows[i]));
    });
    return list;
}
