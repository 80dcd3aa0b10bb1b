/** The picture as a file: PNG from the canvas, SVG from the projected lines themselves. */

import { captionHeight, captionShapes, textWidth } from "./caption.ts";
import type { Context } from "./context.ts";
import { valueText } from "./data/quantities.ts";
import { nodeKeyOf } from "./node-key.ts";
import type { Projection } from "./picture/camera.ts";
import { colorAt, css, fixed } from "./picture/colors.ts";
import type { Picture } from "./picture/picture.ts";
import { disc } from "./picture/points.ts";
import { type Ribbons, ribbonPixels } from "./picture/ribbons.ts";
import type { Stage } from "./picture/stage.ts";
import { captionOf } from "./run-caption.ts";

const textStyle = "font-family: system-ui, sans-serif; font-size: 12px";

/** Of what stands below the picture, above the caption. */
const legendHeight = 48;

/** Pixels of a file for each of the page, at least. */
const leastRatio = 2;

export async function png(context: Context, picture: Picture): Promise<Blob> {
    const { width, height } = size(picture);
    const words = svgSheet(context, picture, []);
    const sheet = document.createElement("canvas");
    const pen = sheet.getContext("2d")!;
    let ratio = 1;
    // The browser keeps what is drawn until the end of this task only.
    picture.drawFinely(leastRatio, (canvas) => {
        ratio = canvas.width / width;
        [sheet.width, sheet.height] = [canvas.width, Math.round(ratio * words.height)];
        pen.fillStyle = css(fixed[context.theme].ground);
        pen.fillRect(0, 0, sheet.width, sheet.height);
        pen.drawImage(canvas, 0, 0, canvas.width, ratio * height);
    });
    const image = await imageOf(words.text);
    pen.drawImage(image, 0, 0, ratio * image.width, ratio * image.height);
    return new Promise((resolve, reject) =>
        sheet.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
}

async function imageOf(text: string): Promise<HTMLImageElement> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode();
    return image;
}

export function svgText(context: Context, picture: Picture): string {
    picture.draw();
    const color = css(fixed[context.theme].ground);
    // The halo of lines, where there are not too many of them for it to be seen.
    const style = `<style>.h{stroke:${color};stroke-width:1.6;paint-order:stroke}</style>`;
    const ground = `${style}<rect width="100%" height="100%" fill="${color}"/>`;
    const parts = picture.sceneries.map(({ stage }, i) => drawing(stage, picture.projections[i]));
    return svgSheet(context, picture, [ground, ...parts]).text;
}

function size(picture: Picture): { width: number; height: number } {
    return { width: picture.element.clientWidth, height: picture.element.clientHeight };
}

/** Lines and nodes from the farthest to the nearest, marks above them. */
function drawing(stage: Stage, projection: Projection): string {
    const things = [...ribbonShapes(stage.links, projection, false), ...nodeShapes(stage, projection)];
    things.sort((a, b) => b.depth - a.depth);
    const marks = ribbonShapes(stage.marks, projection, true);
    const { x, y, width, height } = projection.area;
    const id = `area-${Math.round(x)}`;
    const clip = `<clipPath id="${id}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath>`;
    return `${clip}<g clip-path="url(#${id})">${[...things, ...marks].map((thing) => thing.text).join("")}</g>`;
}

interface Shape {
    depth: number;
    text: string;
}

function ribbonShapes({ pieces, words }: Ribbons, projection: Projection, isCentered: boolean): Shape[] {
    const shapes: Shape[] = [];
    for (let piece = 0; piece < pieces.count; piece++) {
        const word = words[pieces.link[piece]];
        if (word === 0) continue;
        const [s, f] = [pieces.start, pieces.finish].map((ends) => ends.subarray(4 * piece, 4 * piece + 4));
        const a = projection.project(s[0], s[1], s[2]);
        const b = projection.project(f[0], f[1], f[2]);
        if (!a || !b) continue;
        const corners = ribbonCorners(a, b, [s[3], f[3]], (word >>> 24) / 255, projection.scale, isCentered);
        shapes.push({
            depth: (a[2] + b[2]) / 2,
            text: `<path class="h" fill="${fill(word)}" d="M${corners.join("L")}Z"/>`,
        });
    }
    return shapes;
}

/** As the shader does it. */
function ribbonCorners(
    a: number[],
    b: number[],
    along: number[],
    share: number,
    scale: number,
    isCentered: boolean,
): string[] {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [rx, ry] = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
    const sides = [a, b].map((end, i) => {
        const unit = scale / end[2];
        const { width, gap } = ribbonPixels(share, along[i], unit);
        const from = isCentered ? -width / 2 : gap;
        return [from, from + width].map(
            (offset) => `${(end[0] + rx * offset).toFixed(1)},${(end[1] + ry * offset).toFixed(1)}`,
        );
    });
    return [sides[0][0], sides[1][0], sides[1][1], sides[0][1]];
}

function nodeShapes({ layout, nodes }: Stage, projection: Projection): Shape[] {
    const shapes: Shape[] = [];
    for (let node = 0; node < nodes.words.length; node++) {
        const word = nodes.words[node];
        if (word === 0) continue;
        const [x, y, z] = layout.positions.subarray(3 * node, 3 * node + 3);
        const at = projection.project(x, y, z);
        if (!at) continue;
        const radius =
            Math.max(disc.leastPixels, ((word >>> 24) / 255) * disc.largest * (projection.scale / at[2])) / 2;
        // A node covers the links that end at it, whose middle may be nearer.
        shapes.push({
            depth: at[2] - 0.55,
            text: nodes.isCross[node] ? cross(at, radius, word) : circle(at, radius, word),
        });
    }
    return shapes;
}

function circle([x, y]: number[], radius: number, word: number): string {
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${fill(word)}"/>`;
}

function cross([x, y]: number[], radius: number, word: number): string {
    const r = Math.max(radius, 2.5);
    const d = `M${(x - r).toFixed(1)},${(y - r).toFixed(1)}l${2 * r},${2 * r}m${-2 * r},0l${2 * r},${-2 * r}`;
    return `<path d="${d}" stroke="${fill(word)}" stroke-width="${(r / 2).toFixed(1)}"/>`;
}

function fill(word: number): string {
    return css([word & 255, (word >>> 8) & 255, (word >>> 16) & 255]);
}

/** A whole drawing: what is given, then labels, legend and, below, a caption. */
function svgSheet(context: Context, picture: Picture, parts: string[]): { text: string; height: number } {
    const { width, height: top } = size(picture);
    const lines = captionOf(context, width);
    const height = top + legendHeight + captionHeight(lines);
    const sheet = document.createElementNS("http://www.w3.org/2000/svg", "g");
    for (const part of picture.overlayParts()) sheet.append(withStyle(part, context));
    sheet.append(...captionShapes(lines, top + legendHeight, inkOf(context)));
    const words = new XMLSerializer().serializeToString(sheet);
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="${textStyle}">`;
    return { text: `${head}${parts.join("")}${words}${legendText(context, top, width)}</svg>`, height };
}

function inkOf({ theme }: Context): string {
    return theme === "dark" ? "#c9d1d9" : "#24292f";
}

function withStyle(part: SVGElement, context: Context): SVGElement {
    const ink = inkOf(context);
    if (part.tagName === "text") {
        part.setAttribute("fill", ink);
        part.setAttribute("text-anchor", "middle");
    } else {
        part.setAttribute("stroke", ink);
        part.setAttribute("fill", "none");
    }
    return part;
}

function legendText(context: Context, top: number, width: number): string {
    const { scale, quantity, theme } = context;
    const ink = inkOf(context);
    const map = scale.isDifference ? "differences" : "values";
    const stops = Array.from(
        { length: 11 },
        (_, i) => `<stop offset="${i / 10}" stop-color="${css(colorAt(map, theme, i / 10))}"/>`,
    );
    const y = top + 20;
    const label = (x: number, at: number, anchor: string, text: string) =>
        `<text x="${x}" y="${at}" text-anchor="${anchor}" fill="${ink}">${text}</text>`;
    // Labels of quantities hold names of virtual channels: escaped, as all text of data.
    return `<defs><linearGradient id="scale">${stops.join("")}</linearGradient></defs><rect x="16" y="${y}" width="240" height="10" fill="url(#scale)"/>${label(16, y - 6, "start", escaped(quantity.label))}${label(16, y + 24, "start", valueText(scale.low, quantity))}${label(256, y + 24, "end", valueText(scale.high, quantity))}${nodeKeyText(context, top, width)}`;
}

/** Right of the scale, in as many lines as there is room for. */
function nodeKeyText(context: Context, top: number, width: number): string {
    const key = nodeKeyOf(context);
    if (!key) return "";
    const ink = inkOf(context);
    const left = 288;
    const words = (x: number, y: number, text: string) =>
        `<text x="${x}" y="${y}" fill="${ink}">${escaped(text)}</text>`;
    let [x, y] = [left + textWidth(key.text) + 4, top + 14];
    const parts = [words(left, y, key.text)];
    for (const { color, name } of key.items) {
        const needed = 14 + textWidth(name) + 12;
        if (x + needed > width) [x, y] = [left, y + 16];
        if (y > top + legendHeight) break;
        parts.push(`<circle cx="${x + 5}" cy="${y - 4}" r="5" fill="${css(color)}"/>`, words(x + 14, y, name));
        x += needed;
    }
    return parts.join("");
}

function escaped(text: string): string {
    return text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]!);
}

export function download(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
