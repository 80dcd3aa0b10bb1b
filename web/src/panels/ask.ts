/** Ask a node or a link, by its name or by that of a rank. */

import type { Context, Panel } from "../context.ts";
import { button, h, replace } from "../dom.ts";
import { linkAnswer } from "./link-answer.ts";
import { nodeAnswer } from "./node-answer.ts";

export function ask(context: Context): Panel {
    const input = h("input", {
        type: "text",
        "aria-label": "Node or link",
        spellcheck: "false",
    });
    const problem = h("p", { class: "problem", role: "alert" });
    const form = h(
        "form",
        { class: "ask" },
        input,
        h("button", { type: "submit", title: "Show this node or link" }, "Ask"),
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const found = context.run.parse(input.value);
        // The answer to another question would look like that to this one.
        context.select("problem" in found ? null : found);
        replace(problem, "problem" in found ? found.problem : "");
    });
    input.addEventListener("input", () => replace(problem));
    input.addEventListener("keydown", ({ key }) => key === "Escape" && context.select(null));
    const answer = h("div", {});
    const said = h("p", { class: "unseen", role: "status" });
    const element = h(
        "section",
        { "aria-label": "Ask a node or a link" },
        h("h2", {}, "Ask a node or link"),
        form,
        problem,
        said,
        answer,
    );
    const update: Panel["update"] = () => {
        const { machine, ranks } = context.run;
        input.placeholder = `12 or ${machine.example}${ranks ? ` or ${ranks.example}` : ""}`;
        replace(answer, ...answerTo(context));
        replace(problem);
        // Said once, and not again at each step of time.
        const text = nameOfSelection(context);
        if (said.textContent !== text) said.textContent = text;
    };
    return { element, update };
}

function nameOfSelection(context: Context): string {
    const { selection } = context.state;
    if (!selection) return "";
    return "link" in selection ? context.run.machine.linkName(selection.link) : `Node ${selection.node}`;
}

function answerTo(context: Context): (Node | null)[] {
    const { selection } = context.state;
    if (!selection) return [h("p", { class: "hint" }, "Click on one in the picture or in a list, or type its name.")];
    const name = nameOfSelection(context);
    const close = button("✕", "Clear the selection", () => context.select(null), "small close");
    const head = h("h3", {}, name, close);
    return [head, ...("link" in selection ? linkAnswer(context, selection.link) : nodeAnswer(context, selection.node))];
}
