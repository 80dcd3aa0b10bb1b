import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, littleAbove, niceAbove, partsOf, percent, seconds, tickText, time } from "./format.ts";

test("numbers as texts", () => {
    assert.equal(percent(0.7134), "71.3 %");
    assert.equal(percent(0.00123), "0.12 %");
    assert.equal(percent(0), "0.0 %");
    assert.equal(seconds(5.714e-9), "5.714 ns");
    assert.equal(seconds(2.286e-4), "228.6 µs");
    assert.equal(seconds(0), "0 ns");
    assert.equal(time(1500, null), "cycle 1,500");
    assert.equal(bytes(960), "960 B");
    assert.equal(bytes(148_100), "148.1 KB");
});

test("ends of scales are round and not below the value", () => {
    for (const value of [1e-9, 0.013, 0.5, 0.71, 1, 3, 999, 123_456]) {
        const end = niceAbove(value);
        assert.ok(end >= value && end <= 2.5 * value, String(value));
    }
    assert.equal(niceAbove(0), 1);
});

test("scales of counts end a little above the largest value", () => {
    for (const value of [1, 7, 99, 101, 1_234, 1_000_001]) {
        const end = littleAbove(value);
        assert.ok(Number.isInteger(end) && end >= value && end <= 1.1 * value, String(value));
    }
    assert.equal(littleAbove(1_234_567), 1_300_000);
    assert.deepEqual([3, 8, 7, 1_200_000, 1_300_000].map(partsOf), [3, 4, 1, 4, 4]);
    assert.deepEqual(
        [0, 2_500, 12_500].map((value) => tickText(value, 50_000)),
        ["0", "2.5K", "12.5K"],
    );
    assert.equal(tickText(2_500, 5_000), "2,500");
});
