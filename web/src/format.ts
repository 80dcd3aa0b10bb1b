/** Numbers as texts. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const brief = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

export function count(value: number): string {
    return Number.isInteger(value) || Math.abs(value) >= 1000 ? whole.format(value) : short.format(value);
}

/** With k, M, B where it is large. */
export function compact(value: number): string {
    return value < 10_000 ? count(value) : brief.format(value);
}

export function percent(value: number): string {
    return `${(100 * value).toFixed(Math.abs(value) < 0.0995 && value !== 0 ? 2 : 1)} %`;
}

const units: [number, string][] = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
    [1e-9, "ns"],
];

export function seconds(value: number, format = short): string {
    const [size, unit] = units.find(([size]) => Math.abs(value) >= size * 0.9995) ?? units[3];
    return `${format.format(value / size)} ${unit}`;
}

/** A time in the unit of the machine's clock, or in cycles where none is known. */
export function time(cycles: number, cycleSeconds: number | null): string {
    return cycleSeconds === null ? `cycle ${count(cycles)}` : seconds(cycles * cycleSeconds);
}

/** As `time`, for narrow columns. */
export function briefTime(cycles: number, cycleSeconds: number | null): string {
    return cycleSeconds === null ? `cycle ${compact(cycles)}` : seconds(cycles * cycleSeconds, brief);
}

export function bytes(value: number): string {
    if (value < 10_000) return `${count(value)} B`;
    if (value < 1e7) return `${short.format(value / 1e3)} KB`;
    return value < 1e10 ? `${short.format(value / 1e6)} MB` : `${short.format(value / 1e9)} GB`;
}

/** Numbers of a scale, all in one style: with K, M, B if its end needs it. */
export function tickText(value: number, end: number): string {
    return end < 10_000 ? count(value) : brief.format(value);
}

/** A whole number not below a value, at most a tenth above it: of two digits. */
export function littleAbove(value: number): number {
    if (!(value > 0)) return 1;
    const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
    return Math.ceil((value / step) * (1 - 1e-9)) * step;
}

/** Into how many equal parts a scale of whole numbers is split, so that each part ends at a round number. */
export function partsOf(end: number): number {
    const digits = end / 10 ** Math.max(0, Math.floor(Math.log10(end)) - 1);
    return [4, 5, 3, 2].find((parts) => Math.round(digits) % parts === 0) ?? (end < 100 ? 1 : 4);
}

/** The least of 1, 2, 2.5, 4, 5, 8 and 10 times a power of ten that is not below a value. */
export function niceAbove(value: number): number {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    const step = [1, 2, 2.5, 4, 5, 8, 10].find((step) => step * power >= value * (1 - 1e-9))!;
    return step * power;
}
