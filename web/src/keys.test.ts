import assert from "node:assert/strict";
import { test } from "node:test";
import { isShortcut, nextOf } from "./keys.ts";

test("a ring is walked in both directions, and entered at its ends", () => {
    const ring = [7, 3, 5];
    assert.equal(nextOf(ring, 3, 1), 5);
    assert.equal(nextOf(ring, 5, 1), 7);
    assert.equal(nextOf(ring, 7, -1), 5);
    assert.equal(nextOf(ring, null, 1), 7);
    assert.equal(nextOf(ring, 4, -1), 5);
    assert.equal(nextOf([], null, 1), undefined);
});

test("a sign that needs Alt is no shortcut", () => {
    const is = (key: string, ...held: ("ctrlKey" | "altKey" | "metaKey")[]) =>
        isShortcut({
            key,
            ctrlKey: false,
            altKey: false,
            metaKey: false,
            ...Object.fromEntries(held.map((k) => [k, true])),
        });
    assert.deepEqual([is("["), is("[", "altKey"), is("[", "ctrlKey", "altKey")], [false, false, false]);
    assert.deepEqual(
        [is("n", "altKey"), is("+", "ctrlKey"), is("]", "metaKey"), is(" ", "altKey")],
        [true, true, true, true],
    );
});
