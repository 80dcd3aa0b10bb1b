/** What is known of a job; of two runs, next to each other. */

import { button, h, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import type { Instant } from "./instant.ts";
import { jobButtons, partitionButton, timeButton } from "./names.ts";
import { waitsText } from "./waits.ts";
import { duration } from "./words.ts";

type Cell = Node | string;

export function jobAnswer(context: Context, id: number): (Node | null)[] {
    const runs = context.runs.filter((run) => run.row(id) !== null);
    if (runs.length === 0) return [h("p", {}, "There is no such job.")];
    const facts = runs.map((run) => factsOf(context, run, run.row(id)!));
    const names = [...new Set(facts.flatMap((list) => [...list.keys()]))];
    const rows = names.map((name) => [name, ...facts.map((list) => list.get(name) ?? "")]);
    const heads = runs.length > 1 ? ["", ...runs.map((run) => nameOf(context, run))] : ["", ""];
    const told = runs.flatMap((run) => now(context, run, run.row(id)!));
    return [...told, table("", heads, rows, "facts"), zoomButton(context, runs, id)];
}

function nameOf({ runs, shortNames }: Context, run: Schedule): string {
    return shortNames[runs.indexOf(run)];
}

/** From its submission to its end in all runs, with something about it. */
function zoomButton(context: Context, runs: Schedule[], id: number): HTMLElement {
    const submits = runs.map((run) => run.jobs.submit[run.row(id)!]);
    const ends = runs.flatMap((run) => run.stays[run.row(id)!].map(({ end }) => end));
    const [from, to] = [Math.min(...submits), Math.max(...ends, ...submits)];
    const about = 0.6 * (to - from) + 600;
    return button("Show its time in the charts", "Zoom to this job", () => context.show(from - about, to + about));
}

/** What the job does at the cursor's time. */
function now(context: Context, run: Schedule, row: number): HTMLElement[] {
    const instant = context.at(context.runs.indexOf(run));
    const { jobs } = run;
    const of = context.runs.length > 1 ? `${nameOf(context, run)}: ` : "";
    const line = (className: string, ...children: Cell[]) => [h("p", { class: className }, of, ...children)];
    const stays = run.stays[row];
    if (jobs.reason[row] && stays.length === 0) return line("dead", `never ran: ${jobs.reason[row]}`);
    if (instant.second < jobs.submit[row]) return line("quiet", "Not yet submitted.");
    if (instant.isRunning(row)) return line("", runsText(instant, row));
    if (!instant.isWaiting(row))
        return line("quiet", stays.at(-1)?.isEnded ? "An outage ended it, and it did not run again." : "Has ended.");
    const waits = instant.waits(row);
    const holders = waits.kind === "nodes" ? waits.holders : (waits.next?.holders ?? []);
    const isHeld = holders.length > 0 && (waits.kind === "nodes" || waits.free === 0);
    const holder = isHeld
        ? [h("br"), "Held by: ", jobButtons(context, run, holders.slice(0, 12)), holders.length > 12 ? " …" : ""]
        : [];
    const later = h(
        "span",
        { class: "quiet" },
        ` ${beforeText(instant.waiting.indexOf(row))} It starts in ${duration(instant.stay(row).start - instant.second)}.`,
    );
    const again = instant.stay(row).since > jobs.submit[row] ? "An outage ended its run. " : "";
    return line("wanted", `${again}Waits ${waitsText(instant, row)}.`, later, ...holder);
}

function runsText(instant: Instant, row: number): string {
    const { end, isEnded } = instant.stay(row);
    const left = duration(end - instant.second);
    return isEnded ? `Runs, until an outage ends it in ${left}.` : `Runs, ${left} to go.`;
}

function beforeText(jobs: number): string {
    if (jobs === 0) return "It is the first of the queue.";
    return jobs === 1 ? "One job before it waits too." : `${count(jobs)} jobs before it wait too.`;
}

function factsOf(context: Context, run: Schedule, row: number): Map<string, Cell> {
    const { jobs } = run;
    const partition = run.partitionOf(row);
    const facts = new Map<string, Cell>();
    const put = (name: string, value: Cell | null) => {
        if (value !== null && value !== "") facts.set(name, value);
    };
    const hasRun = !Number.isNaN(jobs.start[row]);
    put("Nodes", count(jobs.nodes[row]));
    put("Granted", hasRun && jobs.granted[row] !== jobs.nodes[row] ? `${count(jobs.granted[row])} nodes` : null);
    put("Submitted", timeButton(context, jobs.submit[row]));
    put("Started", hasRun ? timeButton(context, jobs.start[row]) : "never");
    put("Waited", hasRun ? waitedText(run, row) : null);
    put("Promised", Number.isNaN(jobs.promised[row]) ? null : timeButton(context, jobs.promised[row]));
    put("Ended", hasRun ? timeButton(context, jobs.end[row]) : null);
    put("Run time", hasRun ? duration(jobs.end[row] - jobs.start[row]) : duration(jobs.run[row]));
    put("All runs", run.stays[row].some(({ isEnded }) => isEnded) ? allRuns(context, run, row) : null);
    put("Requested", duration(jobs.walltime[row]));
    put("Partition", partition ? partitionButton(context, run, partition.name) : jobs.partitionName[row]);
    put("Wiring", partition?.wiring ?? null);
    put("User", jobs.user[row]);
    put("Queue", jobs.queue?.[row] ?? null);
    put("Application", jobs.application[row]);
    put("Restarts", jobs.restarts[row] > 0 ? count(jobs.restarts[row]) : null);
    put("Killed", jobs.isKilled[row] ? "yes" : null);
    put("Reason", jobs.reason[row]);
    return facts;
}

/** As summaries count it: to the last start. Runs before it are told, because they are no waiting. */
function waitedText({ jobs, stays }: Schedule, row: number): string {
    const waited = duration(jobs.start[row] - jobs.submit[row]);
    const earlier = stays[row].filter(({ isEnded }) => isEnded);
    if (earlier.length === 0) return waited;
    const ran = earlier.reduce((sum, { start, end }) => sum + end - start, 0);
    return `${waited} from its submission to its last start, of which it ran ${duration(ran)}`;
}

/** A line for each, with its place where there is one. */
function allRuns(context: Context, run: Schedule, row: number): HTMLElement {
    const lines = run.stays[row].map(({ start, end, partition, isEnded }) =>
        h(
            "div",
            {},
            timeButton(context, start),
            " to ",
            timeButton(context, end),
            partition ? h("span", {}, " on ", partitionButton(context, run, partition.name)) : null,
            isEnded ? " ✕ ended by an outage" : null,
        ),
    );
    return h("div", {}, ...lines);
}
