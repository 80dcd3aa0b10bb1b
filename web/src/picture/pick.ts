/** What lies under the pointer, by the same projection that draws: no buffer of numbers is drawn for it. */

import type { Projection } from "./camera.ts";
import type { Layout } from "./layout.ts";
import type { Pieces } from "./pieces.ts";
import { disc } from "./points.ts";
import { ribbonPixels } from "./ribbons.ts";
import type { Words } from "./types.ts";

export type Hit = { node: number } | { link: number };

/** Distance in pixels at which a thing still counts as hit. */
const slack = 5;

export interface Pickable {
    layout: Layout;
    pieces: Pieces;
    linkWords: Words;
    nodeWords: Words;
}

export function pick(things: Pickable, projection: Projection, x: number, y: number): Hit | null {
    return pickNode(things, projection, x, y) ?? pickLink(things, projection, x, y);
}

/** The nearest to the eye of the nodes whose disc is hit. */
function pickNode({ layout, nodeWords }: Pickable, projection: Projection, x: number, y: number): Hit | null {
    let best = Infinity;
    let hit = -1;
    const { positions } = layout;
    for (let node = 0; node < layout.shown.length; node++) {
        if (nodeWords[node] === 0) continue;
        const at = projection.project(positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]);
        if (!at || at[2] >= best) continue;
        const radius = Math.max(3, ((nodeWords[node] >>> 24) / 255) * disc.largest * 0.5 * (projection.scale / at[2]));
        if ((at[0] - x) ** 2 + (at[1] - y) ** 2 > radius ** 2) continue;
        best = at[2];
        hit = node;
    }
    return hit < 0 ? null : { node: hit };
}

/** Of ribbons under the pointer the nearest to the eye, else the ribbon that is nearest to the pointer. */
function pickLink({ pieces, linkWords }: Pickable, projection: Projection, x: number, y: number): Hit | null {
    let best = Infinity;
    let hit = -1;
    const { start, finish, link } = pieces;
    for (let piece = 0; piece < pieces.count; piece++) {
        const word = linkWords[link[piece]];
        if (word === 0) continue;
        const k = 4 * piece;
        const a = projection.project(start[k], start[k + 1], start[k + 2]);
        if (!a || Math.abs(a[0] - x) > 2000) continue;
        const b = projection.project(finish[k], finish[k + 1], finish[k + 2]);
        if (!b) continue;
        const miss = missOf(a, b, (word >>> 24) / 255, projection.scale, x, y);
        const depth = (a[2] + b[2]) / 2;
        const score = miss <= 1 ? depth * 1e-3 : 1e3 * miss + depth * 1e-3;
        if (miss > slack || score >= best) continue;
        best = score;
        hit = link[piece];
    }
    return hit < 0 ? null : { link: hit };
}

type Place = [number, number, number];

/** Pixels from the pointer to the ribbon from a to b, which lies to the right of that way. */
function missOf(a: Place, b: Place, share: number, scale: number, x: number, y: number): number {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    if (length < 1e-3) return Infinity;
    const along = ((x - a[0]) * dx + (y - a[1]) * dy) / length;
    const beyond = Math.max(0, -along, along - length);
    const aside = (-(x - a[0]) * dy + (y - a[1]) * dx) / length;
    const unit = scale / ((a[2] + b[2]) / 2);
    const { width, gap } = ribbonPixels(share, 0.5, unit);
    return Math.hypot(beyond, Math.max(0, gap - aside, aside - gap - width));
}
