/** Keys of a summary in words, and their values with units. */

import { bytes, compact, count, percent, seconds } from "../format.ts";

interface Unit {
    /** Keys that have it. */
    of: RegExp;
    /** What the key says of it, and what the name says instead. */
    word: RegExp;
    name: string;
    text: (value: number) => string;
}

const none = /$^/;

/** The first that fits. */
const units: Unit[] = [
    { of: /^percent_/, word: none, name: "", text: (value) => `${value.toFixed(1)} %` },
    { of: /_percent$/, word: /_percent$/, name: "", text: (value) => `${value.toFixed(1)} %` },
    { of: /megabytes_per_second/, word: /_megabytes_per_second/, name: "", text: (value) => `${count(value)} MB/s` },
    { of: /gigabytes_per_second/, word: /_gigabytes_per_second/, name: "", text: (value) => `${count(value)} GB/s` },
    { of: /_per_second$/, word: none, name: "", text: compact },
    { of: /_per_(node|processor|cycle)/, word: none, name: "", text: count },
    { of: /(^|_)seconds(_|$)/, word: /seconds/, name: "time", text: (value) => seconds(value) },
    { of: /_ns(_|$)/, word: /_ns/, name: "", text: (value) => seconds(value * 1e-9) },
    {
        of: /_processor_cycles/,
        word: /_processor_cycles/,
        name: "",
        text: (value) => `${count(value)} processor cycles`,
    },
    { of: /_cycles(_|$)/, word: /_cycles/, name: "", text: (value) => `${count(value)} cycles` },
    { of: /_bytes$/, word: /_bytes$/, name: "", text: bytes },
    { of: /share|utilization/, word: none, name: "", text: percent },
    { of: /^/, word: none, name: "", text: count },
];

const names: Record<string, string> = { percent_of_peak_kind: "Peak is set by" };

export function factOf(key: string, value: number | string): [string, string] {
    if (typeof value === "string") return [names[key] ?? inWords(key), value];
    const { word, name, text } = units.find(({ of }) => of.test(key))!;
    return [inWords(key.replace(word, name)), text(value)];
}

function inWords(key: string): string {
    const text = key
        .replaceAll("_", " ")
        .replace(/ (mean|median)$/, ", $1")
        .replace(/ max$/, ", largest")
        .replace(/ min$/, ", least")
        .replace(/ p(\d+)$/, ", $1th percentile");
    return text[0].toUpperCase() + text.slice(1);
}
