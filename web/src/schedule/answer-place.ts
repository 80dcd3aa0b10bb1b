/** What is known of a block, and of a partition: who holds it, and its jobs over time. */

import { h, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context } from "./context.ts";
import type { Partition, Schedule } from "./data.ts";
import { jobButton, jobButtons, timeButton, unitButton } from "./names.ts";
import { closes, type Outage, outageLine, outageText } from "./outages.ts";
import { overlap } from "./places.ts";
import type { JobStay } from "./stays.ts";
import { briefly } from "./words.ts";

const mostRows = 60;

export function unitAnswer(context: Context, unit: number): (Node | null)[] {
    const { run, now } = context;
    const [held, through] = [now.in(unit), now.through(unit)];
    const whole = { from: unit, to: unit + 1 };
    const stays = staysWhere(run, ({ pieces }) => pieces.some((piece) => overlap(piece, whole)));
    const outage = now.outageOf(unit);
    const place = run.midplanes[unit].place.map((at, d) => `${run.room!.dimensions[d].name} ${at}`).join(", ");
    return [
        place ? h("p", { class: "quiet" }, place) : null,
        outage ? h("p", { class: "dead" }, `Now ${outageText(outage)}.`) : null,
        held.length > 0 || !outage
            ? h("p", {}, held.length > 0 ? "Held by: " : "Idle.", jobButtons(context, run, held))
            : null,
        through.length > 0 ? h("p", {}, "Passed through by the cables of: ", jobButtons(context, run, through)) : null,
        outagesTable(context, unit, outage),
        jobsTable(context, `Its jobs over time`, stays),
    ];
}

export function partitionAnswer(context: Context, partition: Partition): (Node | null)[] {
    const { run, now } = context;
    const holders = now.holdersOf(partition);
    const outages = now.outages.filter((outage) => closes(outage, partition));
    const stays = staysWhere(run, (stay) => stay.partition === partition);
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
    const lines = outages.map((outage) => h("p", { class: "dead" }, `${outageLine(run, outage)}.`));
    const held = h("p", { class: "wanted" }, "Held, in whole or in part, by: ", jobButtons(context, run, holders));
    return [
        ...lines,
        isHeld ? held : outages.length > 0 ? null : h("p", {}, "Free."),
        table("", ["", ""], facts, "facts"),
        jobsTable(context, "Its jobs over time", stays),
    ];
}

function names(context: Context, run: Schedule, units: number[]): Node {
    return h("span", {}, ...units.flatMap((unit, i) => [i > 0 ? ", " : null, unitButton(context, run, unit)]));
}

function staysWhere(run: Schedule, isWanted: (stay: JobStay) => boolean): JobStay[] {
    const stays = run.stays.flat().filter(isWanted);
    return stays.sort((a, b) => a.start - b.start);
}

/** All but one; null where there is no other. */
function outagesTable(context: Context, unit: number, told: Outage | null): HTMLElement | null {
    const outages = context.run.outages.filter((outage) => outage.unit === unit && outage !== told);
    if (outages.length === 0) return null;
    const rows = outages.map(({ from, until }) => [
        timeButton(context, from),
        until === Infinity ? "for good" : timeButton(context, until),
    ]);
    return table(told ? "Out of service at other times" : "Out of service", ["From", "Until"], rows);
}

/** Around the cursor, where there are too many. */
function jobsTable(context: Context, caption: string, all: JobStay[]): HTMLElement {
    const { run, now } = context;
    const { jobs } = run;
    const next = all.findIndex(({ end }) => end > now.second);
    const middle = next < 0 ? all.length : next;
    const first = Math.max(0, Math.min(middle - mostRows / 2, all.length - mostRows));
    const stays = all.slice(first, first + mostRows);
    const some = stays.length < all.length ? `, ${stays.length} about this time` : "";
    const list = table(
        `${caption}: ${count(all.length)}${some}`,
        ["Job", "Nodes", "Waited", "Started", "Ran"],
        stays.map(({ row, since, start, end, isEnded }) => [
            jobButton(context, run, row),
            count(jobs.nodes[row]),
            briefly(start - since),
            timeButton(context, start),
            isEnded
                ? h("span", { title: "An outage ended this run" }, `${briefly(end - start)} ✕`)
                : briefly(end - start),
        ]),
        "hot",
    );
    [...list.tBodies[0].rows].forEach((line, i) => {
        const { start, end } = stays[i];
        line.classList.toggle("selected", start <= now.second && now.second < end);
    });
    return list;
}
