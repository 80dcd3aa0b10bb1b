import assert from "node:assert/strict";
import { test } from "node:test";
import { Table } from "./parquet.ts";
import { Ranks } from "./ranks.ts";

function ranksOf(rows: number[][], groups: string[]): Ranks {
    const column = (place: number) => rows.map((row) => row[place]);
    const columns = ["rank", "node", "core", "group"].map((name, place): [string, number[]] => [name, column(place)]);
    return new Ranks(new Table(rows.length, new Map(columns)), groups);
}

test("ranks of one program have their numbers", () => {
    const ranks = ranksOf(
        [0, 1, 2, 3].map((rank) => [rank, 7 - (rank >> 1), rank & 1, rank >> 1]),
        ["", "last"],
    );
    assert.deepEqual([ranks.areOfOneProgram, ranks.hasGroups], [true, true]);
    assert.deepEqual(ranks.on.get(6), [2, 3]);
    assert.deepEqual([ranks.name(3), ranks.groupName(0), ranks.groupName(1)], ["3", "none", "last"]);
    assert.deepEqual(ranks.parse(" Rank 2"), { node: 6 });
    assert.deepEqual(ranks.parse("rank 4"), { problem: 'There is no such rank; "rank 3" is the last.' });
    assert.equal(ranks.parse("(1,2)"), null);
});

test("each job numbers its own ranks", () => {
    const rows = [
        [0, 4, 0, 0],
        [1, 5, 0, 0],
        [0, 8, 0, 1],
    ];
    const ranks = ranksOf(rows, ["halo", "sweep of 3"]);
    assert.deepEqual([ranks.areOfOneProgram, ranks.count], [false, 3]);
    assert.equal(ranks.name(2), "0 of sweep of 3");
    assert.deepEqual(ranks.parse("rank 0"), { problem: 'Several jobs have a rank 0: write "rank 0 of halo".' });
    assert.deepEqual(ranks.parse("rank 0 of sweep of 3"), { node: 8 });
    assert.deepEqual(ranks.parse("rank 1"), { node: 5 });
});
