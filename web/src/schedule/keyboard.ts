/** Keys of the page: everything that a pointer can do. */

import { type Key, listen, nextOf } from "../keys.ts";
import type { Context } from "./context.ts";
import type { TimeBar } from "./time-bar.ts";

export const keys: Key[] = [
    { key: ", and .", what: "to the start or end of a job or an outage before, after" },
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
    const queue = (by: 1 | -1) => {
        const row = nextOf(context.now.waiting, context.askedRow(context.run), by);
        if (row !== undefined) context.ask({ job: context.run.jobs.id[row] });
    };
    return listen(element, {
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
    });
}
