import assert from "node:assert/strict";
import { test } from "node:test";
import { nextOf } from "./keys.ts";

test("a ring is walked in both directions, and entered at its ends", () => {
    const ring = [7, 3, 5];
    assert.equal(nextOf(ring, 3, 1), 5);
    assert.equal(nextOf(ring, 5, 1), 7);
    assert.equal(nextOf(ring, 7, -1), 5);
    assert.equal(nextOf(ring, null, 1), 7);
    assert.equal(nextOf(ring, 4, -1), 5);
    assert.equal(nextOf([], null, 1), undefined);
});
