import assert from "node:assert/strict";
import { test } from "node:test";
import type { Facts } from "./page.ts";
import { Table } from "./parquet.ts";
import { quantitiesOf } from "./quantities.ts";

const links = new Table(3, new Map(["utilization", "frames_sent_again"].map((name) => [name, [0.5, 0, 1]])));
const facts = { series: "links", machine: { vcs: ["escape"] } } as unknown as Facts;

test("each quantity says what time its values are of", () => {
    const when = quantitiesOf(links, facts, []).map(({ id, when }) => [id, when]);
    assert.deepEqual(when, [
        ["utilization", "whole run"],
        ["frames_sent_again", "since cycle 0"],
        ["waiting", "at the end"],
    ]);
});

test("packets that wait are counted at the links that they wait for", () => {
    const waiting = [2, 0, 2, -1].map((link) => ({ link }));
    const quantities = quantitiesOf(links, facts, waiting);
    assert.deepEqual([...quantities.at(-1)!.whole], [1, 0, 2]);
    assert.ok(quantitiesOf(links, facts, null).every(({ id }) => id !== "waiting"));
});
