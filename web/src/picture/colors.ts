/**
 * Colors of values. Viridis can be read with all common kinds of color blindness and in gray; on a light page it runs
 * the other way, so that busy links always stand out. Differences run from blue to orange.
 */

import type { Rgb, Words } from "./types.ts";

const viridis = [
    "440154",
    "482374",
    "404387",
    "345e8d",
    "29788e",
    "208f8c",
    "22a784",
    "42be71",
    "79d151",
    "bade27",
    "fde725",
].map(hex);

/** Ends of viridis that nearly vanish on the page's ground are left out. */
const dark = { first: 0.1, last: 1 };
const light = { first: 0.93, last: 0 };

const blueToOrange = {
    dark: ["4aa8ff", "2f6ea8", "343a42", "b0662a", "ffa24a"].map(hex),
    light: ["0b5cad", "7fb3dd", "dfe2e6", "e8ab74", "b34700"].map(hex),
};

/** Twelve colors of groups, told apart by the color-blind as well as twelve can be; more groups repeat them. */
export const groupColors = [
    "4e9fe6",
    "f28e2b",
    "59b68c",
    "e8c547",
    "b681d6",
    "e06c75",
    "56c7d6",
    "9c755f",
    "a0cb5b",
    "f4a6c0",
    "8791a5",
    "c95fb4",
].map(hex);

export type Theme = "dark" | "light";

export const fixed = {
    dark: {
        ground: hex("0d1117"),
        node: hex("6e7a88"),
        dead: hex("ff5c57"),
        ring: hex("ff4fa3"),
        select: hex("ffffff"),
        route: hex("39c5ff"),
        escape: hex("ffffff"),
        message: hex("ff9e64"),
    },
    light: {
        ground: hex("ffffff"),
        node: hex("9aa4b0"),
        dead: hex("d1242f"),
        ring: hex("c2186b"),
        select: hex("000000"),
        route: hex("0969da"),
        escape: hex("000000"),
        message: hex("c4570a"),
    },
};

export type MapName = "values" | "differences";

/** The color of a place on the scale, 0 to 1. */
export function colorAt(map: MapName, theme: Theme, place: number): Rgb {
    if (map === "differences") return interpolate(blueToOrange[theme], place);
    const { first, last } = theme === "dark" ? dark : light;
    return interpolate(viridis, first + (last - first) * place);
}

export function groupColor(group: number): Rgb {
    return groupColors[group % groupColors.length];
}

export function css([r, g, b]: Rgb): string {
    return `rgb(${r},${g},${b})`;
}

/** 256 colors of a map as words of four bytes: red, green, blue, and the width, of which 0 is hidden. */
export function paintTable(map: MapName, theme: Theme): Words {
    return Uint32Array.from({ length: 256 }, (_, i) => {
        const place = i / 255;
        const weight = map === "differences" ? Math.abs(2 * place - 1) : place;
        return paint(colorAt(map, theme, place), 0.14 + 0.86 * weight);
    });
}

/** A color and a width, 0 to 1 of the widest, as one word. */
export function paint([r, g, b]: Rgb, width: number): number {
    return ((Math.max(1, Math.round(255 * width)) << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

function interpolate(stops: Rgb[], place: number): Rgb {
    const at = Math.min(Math.max(place, 0), 1) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    const mix = (k: 0 | 1 | 2) => Math.round(stops[low][k] + (stops[low + 1][k] - stops[low][k]) * (at - low));
    return [mix(0), mix(1), mix(2)];
}

function hex(text: string): Rgb {
    return [0, 2, 4].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as unknown as Rgb;
}
