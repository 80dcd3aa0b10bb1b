import assert from "node:assert/strict";
import { test } from "node:test";
import { firstAbove } from "./search.ts";

test("the first above a value is found, also before and past the ends", () => {
    const seconds = [2, 4, 4, 7];
    assert.deepEqual(
        [1, 2, 3, 4, 6, 7, 9].map((value) => firstAbove(seconds, value)),
        [0, 1, 1, 3, 3, 4, 4],
    );
    assert.equal(firstAbove([], 1), 0);
});
