import assert from "node:assert/strict";
import { test } from "node:test";
import { briefly, duration, moment, secondOf, secondText, ticks } from "./words.ts";

test("durations have their two largest units", () => {
    const texts: [number, string][] = [
        [0, "0 s"],
        [45, "45 s"],
        [125, "2 min 5 s"],
        [725, "12 min"],
        [3600, "1 h"],
        [11520, "3 h 12 min"],
        [183600, "2 d 3 h"],
        [-90, "−1 min 30 s"],
        [Number.NaN, "–"],
    ];
    for (const [seconds, text] of texts) assert.equal(duration(seconds), text);
});

test("durations in brief have one unit", () => {
    const texts = [0, 45, 95, 1620, 30706, 183600].map(briefly);
    assert.deepEqual(texts, ["0 s", "45 s", "1.6 min", "27 min", "8.5 h", "2.1 d"]);
});

test("times are days of the log, or dates where it counts from 1970", () => {
    assert.equal(moment(2 * 86400 + 4 * 3600 + 12 * 60), "day 3, 04:12");
    assert.equal(moment(1535434102), "28 Aug, 05:28");
    assert.equal(secondText(80592), "second 80,592 of the log");
    assert.match(secondText(1535434102), /^2018-08-28 05:28:22 UTC/);
});

test("ticks are round times, as many as there is room for", () => {
    assert.deepEqual(
        ticks(0, 86400, 5).map(({ text }) => text),
        ["day 1", "06:00", "12:00", "18:00", "day 2"],
    );
    assert.ok(ticks(1e6, 1e8, 9).length <= 10);
});

test("times can be typed as they are shown", () => {
    const days: [number, number] = [0, 20 * 86400];
    assert.equal(secondOf("day 9, 20:30", days), 8 * 86400 + 20 * 3600 + 30 * 60);
    assert.equal(secondOf(" Day 3 ", days), 2 * 86400);
    assert.equal(secondOf("80,592", days), 80592);
    assert.equal(secondOf("tomorrow", days), null);
    const dates: [number, number] = [1535400000, 1540000000];
    assert.equal(secondOf(moment(1535434102, true), dates), 1535434102);
    assert.equal(secondOf("2018-08-28 05:28:22", dates), 1535434102);
    assert.equal(secondOf("nonsense, 05:28", dates), null);
});
