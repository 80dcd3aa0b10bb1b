import assert from "node:assert/strict";
import { test } from "node:test";
import { factOf } from "./facts.ts";

test("facts have names in words, and units", () => {
    const facts: [string, number | string, string, string][] = [
        ["latency_ns_mean", 107_668, "Latency, mean", "107.7 µs"],
        ["latency_cycles_p99", 121_343, "Latency, 99th percentile", "121,343 cycles"],
        ["seconds_simulated", 0.01774, "Time simulated", "17.74 ms"],
        ["wall_seconds", 8.168, "Wall time", "8.168 s"],
        ["escape_share", 0.142, "Escape share", "14.2 %"],
        ["percent_of_peak", 71.26, "Percent of peak", "71.3 %"],
        ["percent_of_peak_kind", "links", "Peak is set by", "links"],
        ["peak_memory_bytes", 1_355_776, "Peak memory", "1,356 KB"],
        ["accepted_gigabytes_per_second", 0.059, "Accepted", "0.059 GB/s"],
        ["cycles", 3_103_858, "Cycles", "3,103,858"],
    ];
    for (const [key, value, name, text] of facts) assert.deepEqual(factOf(key, value), [name, text]);
});
