/** Names of runs without what they share, where there is little room: "fcfs" and "wfp" of "site-fcfs" and "site-wfp". */

export function shortNames(names: string[]): string[] {
    if (names.length < 2) return names;
    const words = names.map((name) => name.split(/(?<=[-_ /.])/));
    let shared = 0;
    while (words.every((list) => shared < list.length - 1 && list[shared] === words[0][shared])) shared++;
    return words.map((list) => list.slice(shared).join(""));
}
