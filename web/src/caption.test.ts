import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, linesOf } from "./caption.ts";

test("captions are broken between their parts", () => {
    assert.deepEqual(linesOf(["run", "whole run", "", "utilization"], 1000), ["run · whole run · utilization"]);
    assert.deepEqual(linesOf(["a long name of a run", "whole run"], 160), ["a long name of a run", "whole run"]);
});

test("names of files tell what is seen", () => {
    assert.equal(
        fileName(["run/1", "utilization", "2.8 µs", "x:2-4", ""], "png"),
        "run-1_utilization_2.8-us_x-2-4.png",
    );
    assert.equal(fileName(["../..", ""], "svg"), "torus.svg");
});
