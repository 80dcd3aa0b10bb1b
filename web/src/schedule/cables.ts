/**
 * Cables of a room: those in use pass below the blocks in the color of the job; those that stand out pass above, and so
 * do those that are out of service, which are dashed and crossed.
 */

import { svg } from "../dom.ts";
import type { Box, Scene } from "./scene.ts";

export interface CableShapes {
    below: SVGElement[];
    above: SVGElement[];
}

interface Style {
    color: string;
    width: number;
    opacity: number;
    isAbove: boolean;
    isOut?: boolean;
}

/** From one end to the other, bent towards a third point. */
interface Bow {
    start: number[];
    bend: number[];
    end: number[];
}

export function cableShapes(scene: Scene, boxes: Box[]): CableShapes {
    const shapes: CableShapes = { below: [], above: [] };
    const { cables, dimensions } = scene.run.room!;
    const owner = ownersOf(scene);
    cables.forEach(({ from, to, dimension }, cable) => {
        const style = styleOf(scene, cable, owner.get(cable));
        if (!style) return;
        const path = bowOf(
            boxes[from],
            boxes[to],
            dimensions.findIndex(({ name }) => name === dimension),
        );
        shapes[style.isAbove ? "above" : "below"].push(...line(path, style, scene.paint.ground));
        if (style.isOut) shapes.above.push(cross(path, cable, style.color));
    });
    return shapes;
}

function ownersOf({ now }: Scene): Map<number, number> {
    const owner = new Map<number, number>();
    for (const row of now.running) for (const cable of now.stay(row).partition?.cables ?? []) owner.set(cable, row);
    return owner;
}

/** Null: it is not drawn. */
function styleOf(scene: Scene, cable: number, row: number | undefined): Style | null {
    const { focus, paint, context } = scene;
    const { cables: shown } = context.state;
    if (shown !== "none" && scene.now.outageOfCable(cable))
        return { color: paint.quiet, width: 1.75, opacity: 1, isAbove: true, isOut: true };
    // Cables that are held matter where the midplanes at their ends are not.
    if (focus?.contested.has(cable))
        return { color: paint.wanted, width: 2.5, opacity: 1, isAbove: !areEndsHeld(scene, cable) };
    if (focus?.wanted?.cables.includes(cable))
        return { color: paint.wanted, width: 1.25, opacity: 0.9, isAbove: false };
    if (row === undefined)
        return shown === "all" ? { color: paint.quiet, width: 1, opacity: 0.3, isAbove: false } : null;
    const color = scene.color(row);
    // Of a job that is asked by itself.
    if (focus?.jobs.has(row) && focus.jobs.size === 1 && !focus.waits && shown !== "none")
        return { color, width: 1.75, opacity: 1, isAbove: true };
    if (shown !== "used" && shown !== "all") return null;
    return { color, width: 1.75, opacity: scene.isBack(row) ? 0.2 : 1, isAbove: false };
}

function areEndsHeld({ run, now }: Scene, cable: number): boolean {
    const { from, to } = run.room!.cables[cable];
    return now.in(from).length > 0 && now.in(to).length > 0;
}

/** Bows, so that those of both directions, and those of a long line, lie next to each other. */
function bowOf(a: Box, b: Box, dimension: number): Bow {
    const middle = ({ x, y, width, height }: Box) => [x + width / 2, y + height / 2];
    const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const bend = (0.06 * length + 5 + 2 * dimension) / length;
    const [cx, cy] = [(ax + bx) / 2 - (by - ay) * bend, (ay + by) / 2 + (bx - ax) * bend];
    return { start: [ax, ay], bend: [cx, cy], end: [bx, by] };
}

/** At the middle of a cable, for the pointer too. */
function cross({ start, bend, end }: Bow, cable: number, color: string): SVGElement {
    const [x, y] = [0, 1].map((at) => (start[at] + 2 * bend[at] + end[at]) / 4);
    const d = `M${short(x - 4)},${short(y - 4)}l8,8m0,-8l-8,8`;
    const style = { stroke: color, "stroke-width": 2, "pointer-events": "bounding-box" };
    return svg("path", { d, fill: "none", ...style, "data-cable": cable });
}

function short(value: number): string {
    return value.toFixed(1);
}

function line(
    { start, bend, end }: Bow,
    { color, width, opacity, isAbove, isOut }: Style,
    ground: string,
): SVGElement[] {
    const d = `M${start.map(short)}Q${bend.map(short)} ${end.map(short)}`;
    const dashes = { "stroke-dasharray": isOut ? "6 3" : "" };
    const path = (stroke: string, wide: number) =>
        svg("path", { d, fill: "none", stroke, "stroke-width": wide, opacity, ...dashes, "pointer-events": "none" });
    return isAbove ? [path(ground, width + 2), path(color, width)] : [path(color, width)];
}
