/** The index of the first of ascending numbers that is above a value; their length if there is none. */
export function firstAbove(ascending: ArrayLike<number>, value: number): number {
    let [low, high] = [0, ascending.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (ascending[middle] <= value) low = middle + 1;
        else high = middle;
    }
    return low;
}
