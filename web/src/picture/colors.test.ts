import assert from "node:assert/strict";
import { test } from "node:test";
import { colorAt, paint, paintTable } from "./colors.ts";

/** Relative luminance, as of the accessibility guidelines. */
function luminance(color: readonly number[]): number {
    const [r, g, b] = color.map((c) => (c / 255 <= 0.04 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("more is lighter on a dark page and darker on a light one, so that gray is enough to read it", () => {
    for (const theme of ["dark", "light"] as const) {
        const sign = theme === "dark" ? 1 : -1;
        const values = Array.from({ length: 101 }, (_, i) => sign * luminance(colorAt("values", theme, i / 100)));
        assert.ok(values.every((value, i) => i === 0 || value >= values[i - 1]));
    }
});

test("no word of a value is that of hidden links", () => {
    assert.ok(paintTable("values", "dark").every((word) => word >>> 24 > 0));
    assert.equal(paint([1, 2, 3], 1), 0xff030201);
});
