/** What is asked can lie outside the slice: then the picture does not have it. */

import type { Context } from "../context.ts";
import { button, h } from "../dom.ts";
import { inSlice } from "../picture/layout.ts";

export function isInSlice({ run, state }: Context, link: number): boolean {
    return inSlice(run.machine, run.machine.source[link], state.slice);
}

export function hasSlice({ state }: Context): boolean {
    return state.slice.some((range) => range !== null);
}

/** Says how many of the nodes the slice leaves out, with a button that ends it. Null if it has all. */
export function outsideNote(context: Context, nodes: number[]): HTMLElement | null {
    const { run, state, store } = context;
    const outside = nodes.filter((node) => !inSlice(run.machine, node, state.slice));
    if (outside.length === 0) return null;
    const text = outside.length < nodes.length ? "Partly outside the slice. " : "Outside the slice. ";
    const showAll = () => store.set({ slice: state.slice.map(() => null) });
    return h("p", { class: "outside" }, text, button("Show all", "End the slice", showAll, "small"));
}
