import assert from "node:assert/strict";
import { test } from "node:test";
import { shortNames } from "./short-names.ts";

test("names lose what they share, and are never empty", () => {
    assert.deepEqual(shortNames(["site-fcfs", "site-wfp-2"]), ["fcfs", "wfp-2"]);
    assert.deepEqual(shortNames(["site-a", "site-a"]), ["a", "a"]);
    assert.deepEqual(shortNames(["x", "x-1"]), ["x", "x-1"]);
    assert.deepEqual(shortNames(["only-one"]), ["only-one"]);
});
