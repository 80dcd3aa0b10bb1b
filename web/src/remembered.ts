/** The value of a key, made when it is first asked for. */
export function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
    const value = known.get(key);
    if (value !== undefined) return value;
    const made = make();
    known.set(key, made);
    return made;
}
