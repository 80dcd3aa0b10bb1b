/** Keys of the page: everything that a pointer can do. */

import type { Context } from "./context.ts";
import type { TimeBar } from "./time-bar.ts";

export const keys = [
    { key: ", and .", what: "to the start or end of a job before, after" },
    { key: "space", what: "play, pause" },
    { key: "+ and -", what: "show less, more time" },
    { key: "[ and ]", what: "show earlier, later times" },
    { key: "0", what: "show the whole log" },
    { key: "n and p", what: "the next, the previous job of the queue" },
    { key: "arrows in the room", what: "to the neighboring midplane" },
    { key: "Escape", what: "clear what is asked" },
];

export function keyboard(element: HTMLElement, context: Context, time: TimeBar): () => void {
    const move = (share: number) => {
        const { from, to } = context.state;
        context.show(from + share * (to - from), to + share * (to - from));
    };
    const queue = (by: number) => {
        const { waiting } = context.now;
        if (waiting.length === 0) return;
        const at = waiting.indexOf(context.askedRow(context.run) ?? -1);
        const next = at < 0 ? (by > 0 ? 0 : waiting.length - 1) : (at + by + waiting.length) % waiting.length;
        context.ask({ job: context.run.jobs.id[waiting[next]] });
    };
    const actions: Record<string, () => void> = {
        ",": () => context.step(-1),
        ".": () => context.step(1),
        " ": () => time.togglePlay(),
        "+": () => time.zoom(0.5),
        "=": () => time.zoom(0.5),
        "-": () => time.zoom(2),
        "[": () => move(-0.25),
        "]": () => move(0.25),
        "0": () => context.show(...context.span),
        n: () => queue(1),
        p: () => queue(-1),
        Escape: () => context.ask(null),
    };
    const listen = (event: KeyboardEvent) => {
        const isTyping = (event.target as Element).closest("input[type=text], select, dialog") !== null;
        const isPress = event.key === " " && (event.target as Element).matches("button, summary");
        if (isTyping || isPress || event.ctrlKey || event.metaKey || event.altKey) return;
        if (!Object.hasOwn(actions, event.key)) return;
        actions[event.key]();
        event.preventDefault();
    };
    element.addEventListener("keydown", listen);
    return () => element.removeEventListener("keydown", listen);
}
