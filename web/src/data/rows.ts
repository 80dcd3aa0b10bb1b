/** The rows of each key. */
export function rowsBy(keys: Int32Array): Map<number, number[]> {
    const rows = new Map<number, number[]>();
    keys.forEach((key, row) => {
        const list = rows.get(key);
        if (list) list.push(row);
        else rows.set(key, [row]);
    });
    return rows;
}
