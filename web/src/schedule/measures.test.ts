import assert from "node:assert/strict";
import { test } from "node:test";
import { percent } from "../format.ts";
import { differenceText } from "./measures.ts";
import { briefly } from "./words.ts";

test("percentages differ by points", () => {
    assert.equal(differenceText(0.0309, percent), "3.09 points");
    assert.equal(differenceText(7200, briefly), "2.0 h");
});
