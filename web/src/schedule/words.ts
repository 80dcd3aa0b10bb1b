/** Times of a log in words: how long, and when. */

import { count } from "../format.ts";

export const minute = 60;
export const hour = 3600;
export const day = 86400;

const parts: [number, string][] = [
    [day, "d"],
    [hour, "h"],
    [minute, "min"],
    [1, "s"],
];

/** How long: its two largest units, such as "2 d 3 h". */
export function duration(seconds: number): string {
    if (Number.isNaN(seconds)) return "–";
    const sign = seconds < 0 ? "−" : "";
    const whole = Math.round(Math.abs(seconds));
    const first = parts.findIndex(([size]) => whole >= size);
    if (first < 0) return "0 s";
    const [size, unit] = parts[first];
    const texts = [`${count(Math.floor(whole / size))} ${unit}`];
    const next = parts[first + 1];
    const rest = next ? Math.floor((whole % size) / next[0]) : 0;
    // Days beyond a hundred, and seconds after many minutes, say no more.
    if (rest > 0 && whole < 100 * day && !(first === 2 && whole >= 10 * minute)) texts.push(`${rest} ${next[1]}`);
    return sign + texts.join(" ");
}

/** How long, in one unit, such as "2.1 d". */
export function briefly(seconds: number): string {
    const [size, unit] = parts.find(([size]) => Math.abs(seconds) >= size) ?? parts[3];
    const value = seconds / size;
    return `${Math.abs(value) < 10 && size > 1 ? value.toFixed(1) : count(Math.round(value))} ${unit}`;
}

/** Logs that count from 1970 have dates; the others have days, the first of which is 1. */
function hasDates(second: number): boolean {
    return second > 5e8;
}

/** When: "day 3, 04:12", or "29 Aug, 05:28" in UTC. */
export function moment(second: number, withSeconds = false): string {
    if (Number.isNaN(second)) return "–";
    const date = new Date(1000 * Math.round(second));
    const clock = date.toISOString().slice(11, withSeconds ? 19 : 16);
    return `${dayName(second)}, ${clock}`;
}

export function dayName(second: number): string {
    if (!hasDates(second)) return `day ${Math.floor(second / day) + 1}`;
    return new Date(1000 * second).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

/** The second that is typed: "day 9, 20:30", "29 Aug, 05:28" or seconds. Null if it is none of these. */
export function secondOf(text: string, [first, last]: [number, number]): number | null {
    const typed = text.trim().toLowerCase();
    if (/^\d[\d,]*(\.\d+)?$/.test(typed)) return Number(typed.replaceAll(",", ""));
    const [, name, clock = ""] = typed.match(/^(.*?)(?:[,\s]+(\d{1,2}:\d{2}(?::\d{2})?))?$/)!;
    const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
    const start = startOfDay(name, first, last);
    return start === null ? null : start + hours * hour + minutes * minute + seconds;
}

function startOfDay(name: string, first: number, last: number): number | null {
    const numbered = name.match(/^day\s*(\d+)$/);
    if (numbered) return (Number(numbered[1]) - 1) * day;
    // Engines read other texts as dates too.
    const isDate = /^(\d{1,2} [a-z]{3,9}( \d{4})?|\d{4}-\d{2}-\d{2})$/.test(name);
    if (!hasDates(first) || !isDate) return null;
    const year = (second: number) => new Date(1000 * second).getUTCFullYear();
    // A day without a year is in the log, if it can be.
    const years = /\d{4}/.test(name) ? [""] : [year(first), year(last)].map((each) => ` ${each}`);
    const starts = years.map((each) => Date.parse(`${name}${each} UTC`) / 1000).filter(Number.isFinite);
    return starts.find((start) => start + day > first && start <= last) ?? starts[0] ?? null;
}

/** The exact second, for tooltips. */
export function secondText(second: number): string {
    if (Number.isNaN(second)) return "never";
    const text = `second ${count(Math.round(second))} of the log`;
    return hasDates(second)
        ? `${new Date(1000 * second).toISOString().slice(0, 19).replace("T", " ")} UTC, ${text}`
        : text;
}

const steps = [
    1,
    5,
    10,
    30,
    minute,
    5 * minute,
    10 * minute,
    30 * minute,
    hour,
    2 * hour,
    3 * hour,
    6 * hour,
    12 * hour,
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].map((days) => days * day),
];

export interface Tick {
    second: number;
    text: string;
}

/** Round times between two, at most so many. */
export function ticks(from: number, to: number, most: number): Tick[] {
    const step = steps.find((size) => (to - from) / size <= most) ?? steps[steps.length - 1];
    const list: Tick[] = [];
    for (let second = Math.ceil(from / step) * step; second <= to; second += step)
        list.push({ second, text: tickText(second, step) });
    return list;
}

function tickText(second: number, step: number): string {
    if (step >= day || second % day === 0) return dayName(second);
    return new Date(1000 * second).toISOString().slice(11, step < minute ? 19 : 16);
}
