/** Keys of the picture: everything that a pointer can do there. */

import type { Context } from "./context.ts";
import { isRanked, largest } from "./panels/hottest.ts";
import type { TimePanel } from "./panels/time.ts";
import { Orbit } from "./picture/camera.ts";
import type { State } from "./state.ts";

export const keys = [
    { key: "arrows", what: "turn" },
    { key: "shift + arrows", what: "move" },
    { key: "+ and -", what: "zoom" },
    { key: "Home", what: "back to the first camera" },
    { key: ", and .", what: "one row of time back, on" },
    { key: "space", what: "play, pause" },
    { key: "0", what: "the whole run" },
    { key: "n and p", what: "the next, the previous of the hottest links" },
    { key: "1 to 9", what: "from the selected node or link, to the neighbor in the first, second … direction" },
    { key: "Escape", what: "clear selection and route" },
];

const arrows: Record<string, [number, number]> = {
    ArrowLeft: [-25, 0],
    ArrowRight: [25, 0],
    ArrowUp: [0, -25],
    ArrowDown: [0, 25],
};

export function keyboard(element: HTMLElement, context: Context, time: TimePanel | null, start: State): () => void {
    const { store } = context;
    let place = -1;
    const hot = (by: number) => {
        const list = largest(context.quantity.whole, 40, isRanked(context));
        place = (place + by + list.length) % Math.max(1, list.length);
        if (list.length > 0) context.select({ link: list[place] });
    };
    const act = (event: KeyboardEvent): boolean => {
        const { camera } = context.state;
        const arrow = arrows[event.key];
        if (arrow) {
            const [dx, dy] = arrow;
            store.set({ camera: event.shiftKey ? Orbit.pan(camera, -dx, -dy, 600) : Orbit.turn(camera, dx, dy) });
        } else if (event.key === "+" || event.key === "=") store.set({ camera: Orbit.zoom(camera, 0.85) });
        else if (event.key === "-") store.set({ camera: Orbit.zoom(camera, 1 / 0.85) });
        else if (event.key === "Home") store.set({ camera: start.camera });
        else if (event.key === ",") time?.step(-1);
        else if (event.key === ".") time?.step(1);
        else if (event.key === " ") time?.togglePlay();
        else if (event.key === "0") store.set({ time: null });
        else if (event.key === "n") hot(1);
        else if (event.key === "p") hot(-1);
        else if (/^[1-9]$/.test(event.key)) walk(context, Number(event.key) - 1);
        else if (event.key === "Escape") store.set({ selection: null, route: null });
        else return false;
        return true;
    };
    const onKey = (event: KeyboardEvent) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (act(event)) event.preventDefault();
    };
    element.setAttribute(
        "aria-label",
        `The torus. Keys: ${keys.map(({ key, what }) => `${key}: ${what}`).join("; ")}.`,
    );
    element.addEventListener("keydown", onKey);
    return () => element.removeEventListener("keydown", onKey);
}

/** From a node to the link in a direction; from a link to the node at its end. */
function walk(context: Context, direction: number): void {
    const { selection } = context.state;
    const { machine } = context.run;
    const node = selection && "node" in selection ? selection.node : null;
    const link = node === null ? null : machine.linkFrom(node, direction);
    if (!selection) context.select({ node: 0 });
    else if ("link" in selection) context.select({ node: machine.target[selection.link] });
    else if (link !== null) context.select({ link });
}
