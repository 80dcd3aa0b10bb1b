/** Ask a job, a block or a partition, by its name or with a click. */

import { button, h, replace } from "../dom.ts";
import { askedText } from "./address.ts";
import { jobAnswer } from "./answer-job.ts";
import { partitionAnswer, unitAnswer } from "./answer-place.ts";
import { parseQuestion } from "./asking.ts";
import type { Context, Part } from "./context.ts";

export function ask(context: Context): Part {
    const { run } = context;
    const block = run.midplanes[0]?.name;
    const input = h("input", {
        type: "text",
        placeholder: `Job ${run.jobs.id[0] ?? 1}${block ? `, ${block}` : ""}${run.hasPlaces ? " or a partition" : ""}`,
        "aria-label": `Job${block ? `, ${run.unit}` : ""}${run.hasPlaces ? " or partition" : ""}`,
        spellcheck: "false",
    });
    const problem = h("p", { class: "problem", role: "alert" });
    const form = h("form", { class: "ask" }, input, h("button", { type: "submit", title: "Show it" }, "Ask"));
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const found = parseQuestion(input.value, context.runs);
        const isProblem = found !== null && "problem" in found;
        replace(problem, isProblem ? found.problem : "");
        if (!isProblem) context.ask(found);
    });
    input.addEventListener("input", () => replace(problem));
    // The keys of the page leave alone what is typed.
    input.addEventListener("keydown", ({ key }) => {
        if (key !== "Escape") return;
        input.value = "";
        replace(problem);
        context.ask(null);
    });
    const answer = h("div", { class: "answer" });
    const said = h("p", { class: "unseen", role: "status" });
    const element = h("section", { "aria-label": "Ask" }, form, problem, said, answer);
    const update: Part["update"] = (changed) => {
        if ([...changed].some((key) => key !== "hovered")) replace(problem);
        if (!["asked", "time", "run", "data"].some((key) => changed.has(key as "asked"))) return;
        replace(answer, ...answerTo(context));
        if (changed.has("asked") && context.state.asked) answer.scrollIntoView({ block: "nearest" });
        const text = askedText(context.state.asked).replace(":", " ");
        if (said.textContent !== text) said.textContent = text;
    };
    return { element, update };
}

function answerTo(context: Context): (Node | null)[] {
    const { asked } = context.state;
    if (!asked)
        return [h("p", { class: "hint" }, "Click a job in the room, the chart or the queue, or type its number.")];
    const name = "job" in asked ? `Job ${asked.job}` : "midplane" in asked ? asked.midplane : asked.partition;
    const close = button("✕", "Clear (Escape)", () => context.ask(null), "small close");
    const head = h("h3", {}, name, close);
    if ("job" in asked) return [head, ...jobAnswer(context, asked.job)];
    const { run } = context;
    const [unit, partition] = [context.askedUnit(run), context.askedPartition(run)];
    if (unit !== null) return [head, ...unitAnswer(context, unit)];
    return [
        head,
        ...(partition ? partitionAnswer(context, partition) : [h("p", {}, "This run has none of this name.")]),
    ];
}
