/** Cables of a room: those in use pass below the blocks in the color of the job, those that stand out above. */

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
}

export function cableShapes(scene: Scene, boxes: Box[]): CableShapes {
    const shapes: CableShapes = { below: [], above: [] };
    const { cables, dimensions } = scene.run.room!;
    const owner = ownersOf(scene);
    cables.forEach(({ from, to, dimension }, cable) => {
        const style = styleOf(scene, cable, owner.get(cable));
        if (!style) return;
        const path = bow(
            boxes[from],
            boxes[to],
            dimensions.findIndex(({ name }) => name === dimension),
        );
        shapes[style.isAbove ? "above" : "below"].push(...line(path, style, scene.paint.ground));
    });
    return shapes;
}

function ownersOf({ run, now }: Scene): Map<number, number> {
    const owner = new Map<number, number>();
    for (const row of now.running) for (const cable of run.partitionOf(row)?.cables ?? []) owner.set(cable, row);
    return owner;
}

/** Null: it is not drawn. */
function styleOf(scene: Scene, cable: number, row: number | undefined): Style | null {
    const { focus, paint, context } = scene;
    const { cables: shown } = context.state;
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
function bow(a: Box, b: Box, dimension: number): string {
    const middle = ({ x, y, width, height }: Box) => [x + width / 2, y + height / 2];
    const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const bend = (0.06 * length + 5 + 2 * dimension) / length;
    const [cx, cy] = [(ax + bx) / 2 - (by - ay) * bend, (ay + by) / 2 + (bx - ax) * bend];
    return `M${[ax, ay].map(short)}Q${[cx, cy].map(short)} ${[bx, by].map(short)}`;
}

function short(value: number): string {
    return value.toFixed(1);
}

function line(d: string, { color, width, opacity, isAbove }: Style, ground: string): SVGElement[] {
    const path = (stroke: string, wide: number) =>
        svg("path", { d, fill: "none", stroke, "stroke-width": wide, opacity, "pointer-events": "none" });
    return isAbove ? [path(ground, width + 2), path(color, width)] : [path(color, width)];
}
