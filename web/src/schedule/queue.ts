/** The queue at the cursor's time: who waits, for how long, and for what. */

import { button, h, replace, table } from "../dom.ts";
import { count } from "../format.ts";
import type { Context, Part } from "./context.ts";
import { jobButton } from "./names.ts";
import { freeAt, waitsBriefly, waitsText } from "./waits.ts";
import { duration, moment, secondText } from "./words.ts";

const mostRows = 200;

export function queue(context: Context): Part {
    const body = h("div", { class: "queue" });
    const head = h("h2", {}, "Queue");
    const hint = h("p", { class: "hint" }, "In order of submission. Select a job: the room marks what it waits for.");
    const tabs = h("div", { class: "tabs", role: "group", "aria-label": "Run" });
    const element = h("section", { "aria-label": "Queue" }, head, context.runs.length > 1 ? tabs : null, hint, body);
    const update: Part["update"] = (changed) => {
        if (![...changed].some((key) => key === "time" || key === "run" || key === "asked")) return;
        const { waiting } = context.now;
        replace(head, `Queue: ${count(waiting.length)} waiting`);
        replace(tabs, ...context.runs.map((_, index) => tab(context, context.shortNames[index], index)));
        const asked = context.askedRow(context.run);
        hint.hidden = waiting.length === 0;
        const { scrollTop } = body;
        replace(
            body,
            waiting.length > 0 ? queueTable(context) : h("p", { class: "hint" }, "Nobody waits at this time."),
        );
        body.scrollTop = scrollTop;
        // While time passes, readers stay where they are.
        if (asked !== null && (changed.has("asked") || changed.has("run")))
            body.querySelector("tr.selected")?.scrollIntoView({ block: "nearest" });
    };
    return { element, update };
}

function freeText(free: number | null, second: number): string {
    if (free === null) return "now";
    return free === Infinity ? "never" : duration(free - second);
}

function tab(context: Context, name: string, index: number): HTMLElement {
    const waiting = context.at(index).waiting.length;
    const tab = button(
        `${name} (${count(waiting)})`,
        `The queue of ${name}`,
        () => context.store.set({ run: index }),
        "small",
    );
    tab.setAttribute("aria-pressed", String(context.state.run === index));
    return tab;
}

function queueTable(context: Context): HTMLElement {
    const { now, run } = context;
    const { jobs } = run;
    const rows = now.waiting.slice(0, mostRows);
    const heads = ["Job", "Nodes", "Waits", "For", "Free in"];
    const element = table(
        "",
        heads,
        rows.map((row) => {
            const free = freeAt(now, row);
            const { since } = now.stay(row);
            const again = since > jobs.submit[row] ? `, waits again since ${moment(since)}` : "";
            return [
                jobButton(context, run, row),
                count(jobs.nodes[row]),
                h(
                    "span",
                    { title: `Submitted at ${secondText(jobs.submit[row])}${again}` },
                    duration(now.second - since),
                ),
                h("span", { title: `Waits ${waitsText(now, row)}` }, waitsBriefly(now, row)),
                freeText(free, now.second),
            ];
        }),
        "hot",
    );
    const asked = context.askedRow(run);
    [...element.tBodies[0].rows].forEach((line, i) => {
        line.classList.toggle("selected", rows[i] === asked);
        line.addEventListener("click", () => context.ask({ job: jobs.id[rows[i]] }));
    });
    if (now.waiting.length > mostRows)
        element.tBodies[0].append(
            h("tr", {}, h("td", { colspan: 5 }, `and ${count(now.waiting.length - mostRows)} more`)),
        );
    return element;
}
