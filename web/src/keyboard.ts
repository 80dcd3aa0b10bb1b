/** Keys of the picture: everything that a pointer can do there. */

import type { Context } from "./context.ts";
import { type Key, listen, nextOf } from "./keys.ts";
import { isRanked, largest } from "./panels/hottest.ts";
import type { TimePanel } from "./panels/time.ts";
import { Orbit } from "./picture/camera.ts";
import type { CameraState, State } from "./state.ts";

export const keys: Key[] = [
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
    const setCamera = (camera: CameraState) => store.set({ camera });
    const move = ({ key, shiftKey }: KeyboardEvent) => {
        const [dx, dy] = arrows[key];
        const { camera } = context.state;
        setCamera(shiftKey ? Orbit.pan(camera, -dx, -dy, 600) : Orbit.turn(camera, dx, dy));
    };
    const zoom = (factor: number) => () => setCamera(Orbit.zoom(context.state.camera, factor));
    const digits = Array.from({ length: 9 }, (_, direction) => [String(direction + 1), () => walk(context, direction)]);
    element.setAttribute(
        "aria-label",
        `The torus. Keys: ${keys.map(({ key, what }) => `${key}: ${what}`).join("; ")}.`,
    );
    return listen(element, {
        ...Object.fromEntries([...Object.keys(arrows).map((key) => [key, move]), ...digits]),
        "+": zoom(0.85),
        "=": zoom(0.85),
        "-": zoom(1 / 0.85),
        Home: () => setCamera(start.camera),
        ",": () => time?.step(-1),
        ".": () => time?.step(1),
        " ": () => time?.togglePlay(),
        "0": () => store.set({ time: null }),
        n: () => selectHot(context, 1),
        p: () => selectHot(context, -1),
        Escape: () => store.set({ selection: null, route: null }),
    });
}

function selectHot(context: Context, by: 1 | -1): void {
    const { selection } = context.state;
    const hottest = largest(context.quantity.whole, 40, isRanked(context));
    const link = nextOf(hottest, selection && "link" in selection ? selection.link : null, by);
    if (link !== undefined) context.select({ link });
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
