/** Parquet files as columns: the only module that knows how tables are stored. */

import { decompress } from "fzstd";
import { parquetMetadata, parquetRead, parquetSchema } from "hyparquet";
import type { Source } from "./page.ts";

/** Each zstd frame holds exactly `length` bytes, so that the result needs no copy. */
const compressors = { ZSTD: (input: Uint8Array, length: number) => decompress(input, new Uint8Array(length)) };

export class Table {
    readonly rows: number;
    private readonly columns: Map<string, unknown[]>;

    constructor(rows: number, columns: Map<string, unknown[]>) {
        this.rows = rows;
        this.columns = columns;
    }

    has(name: string): boolean {
        return this.columns.has(name);
    }

    get names(): string[] {
        return [...this.columns.keys()];
    }

    /** Integers above 2^53 do not occur: cycles and packets are below. */
    numbers(name: string): Float64Array {
        return Float64Array.from(this.column(name), Number);
    }

    /** NaN where there is no value. */
    optionalNumbers(name: string): Float64Array {
        return Float64Array.from(this.column(name), (value) => (value == null ? Number.NaN : Number(value)));
    }

    integers(name: string): Int32Array {
        return Int32Array.from(this.column(name), Number);
    }

    texts(name: string): string[] {
        return this.column(name) as string[];
    }

    bytes(name: string): Uint8Array[] {
        return this.column(name) as Uint8Array[];
    }

    private column(name: string): unknown[] {
        const column = this.columns.get(name);
        if (!column) throw new Error(`a table has no column ${name}`);
        return column;
    }
}

/** Reads the columns that are named, or all. Columns that the file lacks are left out. */
export async function readTable(source: Source, wanted?: string[]): Promise<Table> {
    const file = await bytesOf(source);
    const metadata = parquetMetadata(file);
    const known = parquetSchema(metadata).children.map((child) => child.element.name);
    const names = wanted ? known.filter((name) => wanted.includes(name)) : known;
    const rows = Number(metadata.num_rows);
    const columns = new Map<string, unknown[]>(names.map((name) => [name, new Array(rows)]));
    if (names.length === 0) return new Table(rows, columns);
    await parquetRead({
        file,
        metadata,
        columns: names,
        compressors,
        utf8: false, // columns of text say so themselves; `bytes` are bytes
        onChunk({ columnName, columnData, rowStart }) {
            const column = columns.get(columnName)!;
            for (let i = 0; i < columnData.length; i++) column[rowStart + i] = columnData[i];
        },
    });
    return new Table(rows, columns);
}

async function bytesOf(source: Source): Promise<ArrayBuffer> {
    if ("url" in source) {
        const response = await fetch(source.url);
        if (!response.ok) throw new Error(`${source.url}: ${response.status} ${response.statusText}`);
        return response.arrayBuffer();
    }
    if ("bytes" in source) {
        const { buffer, byteOffset, byteLength } = source.bytes;
        return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    }
    return decodeBase64(source.base64).buffer as ArrayBuffer;
}

export function decodeBase64(text: string): Uint8Array {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}
