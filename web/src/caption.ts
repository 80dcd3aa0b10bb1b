/** What a saved picture shows, in words: below it, and in the name of its file. */

import { svg } from "./dom.ts";

const pixelsOfLetter = 6.6;
const lineHeight = 17;

/** About the width of a text in the letters of a caption, in pixels. */
export function textWidth(text: string): number {
    return pixelsOfLetter * text.length;
}

/** Parts of a caption in lines that a width has room for. */
export function linesOf(parts: string[], width: number): string[] {
    const most = Math.max(20, Math.floor((width - 32) / pixelsOfLetter));
    const lines: string[] = [];
    for (const part of parts.filter((part) => part)) {
        const last = lines[lines.length - 1];
        const longer = `${last} · ${part}`;
        if (last !== undefined && longer.length <= most) lines[lines.length - 1] = longer;
        else lines.push(part);
    }
    return lines;
}

export function captionHeight(lines: string[]): number {
    return lines.length * lineHeight + 12;
}

/** The lines as shapes of SVG, below a height. */
export function captionShapes(lines: string[], top: number, ink: string): SVGElement[] {
    const style = { x: 16, fill: ink, "font-size": 12, "font-family": "system-ui, sans-serif" };
    return lines.map((line, i) => svg("text", { ...style, y: top + 18 + i * lineHeight }, line));
}

/** Of letters, digits, points, dashes and low lines, as all systems take them. */
export function fileName(parts: string[], ending: string): string {
    const plain = (part: string) =>
        part
            .replaceAll("µ", "u")
            .replace(/[^\w.-]+/g, "-")
            .replace(/^[-.]+|-+$/g, "")
            .slice(0, 60);
    const name = parts.map(plain).filter((part) => part);
    return `${name.join("_").slice(0, 180) || "torus"}.${ending}`;
}
