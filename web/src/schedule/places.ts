/**
 * Where jobs are: pieces of the machine, counted in units. A unit is a block of a room (a midplane, a cube), or a node
 * of a plain machine. Block 7 is the piece from 7 to 8, and a quarter of it that begins at its middle is 7.5 to 7.75.
 */

export interface Piece {
    from: number;
    to: number;
}

/** Ascending pieces, in which neighbors are one. */
export function joined(pieces: Piece[]): Piece[] {
    const sorted = [...pieces].sort((a, b) => a.from - b.from);
    const list: Piece[] = [];
    for (const { from, to } of sorted) {
        const last = list[list.length - 1];
        if (last && from <= last.to) last.to = Math.max(last.to, to);
        else list.push({ from, to });
    }
    return list;
}

export function overlap(one: Piece, other: Piece): boolean {
    return one.from < other.to && other.from < one.to;
}

export interface Stay {
    start: number;
    end: number;
    nodes: number;
}

/** A piece that no job has for some time. */
export interface Closed extends Piece {
    start: number;
    end: number;
}

/**
 * Places for jobs of a machine whose log does not tell them: each takes the first free nodes that fit. Where nodes come
 * in blocks, large jobs take whole blocks, and small ones share those that are in use already. They leave out what is
 * closed before they end. Pieces are in nodes.
 */
export function firstFit(stays: Stay[], nodes: number, block: number | null, closed: Closed[] = []): Piece[][] {
    const pieces: Piece[][] = stays.map(() => []);
    let free: Piece[] = [{ from: 0, to: nodes }];
    for (const { stay, isStart } of inOrder(stays)) {
        if (isStart) {
            const open = openTo(stays[stay], free, closed);
            pieces[stay] = block === null ? inLine(open, stays[stay].nodes) : inBlocks(open, stays[stay].nodes, block);
            free = without(free, pieces[stay]);
        } else free = joined([...free, ...pieces[stay].map((piece) => ({ ...piece }))]);
    }
    return pieces;
}

/** What is open comes first; the rest follows only where this is too little, as other jobs have taken the others. */
function openTo({ start, end, nodes }: Stay, free: Piece[], closed: Closed[]): Piece[] {
    const open = without(
        free,
        closed.filter((each) => each.start < end && start < each.end),
    );
    return open.reduce((sum, { from, to }) => sum + to - from, 0) >= nodes ? open : [...open, ...without(free, open)];
}

/** What ends at a second makes room for what starts in it. */
function inOrder(stays: Stay[]): { stay: number; second: number; isStart: boolean }[] {
    const events = stays.flatMap(({ start, end }, stay) =>
        end > start
            ? [
                  { stay, second: start, isStart: true },
                  { stay, second: end, isStart: false },
              ]
            : [],
    );
    return events.sort((a, b) => a.second - b.second || Number(a.isStart) - Number(b.isStart) || a.stay - b.stay);
}

/** Neighbors if there are enough, else the first that are free. */
function inLine(free: Piece[], nodes: number): Piece[] {
    const hole = free.find(({ from, to }) => to - from >= nodes);
    return hole ? [{ from: hole.from, to: hole.from + nodes }] : firstNodes(free, nodes);
}

function firstNodes(free: Piece[], nodes: number): Piece[] {
    const taken: Piece[] = [];
    let left = nodes;
    for (const { from, to } of free) {
        if (left <= 0) break;
        taken.push({ from, to: Math.min(to, from + left) });
        left -= to - from;
    }
    return taken;
}

function inBlocks(free: Piece[], nodes: number, block: number): Piece[] {
    const holes = free.flatMap((piece) => split(piece, block));
    if (nodes < block) {
        const fitting = holes.filter(({ from, to }) => to - from >= nodes);
        const least = fitting.reduce<Piece | null>(
            (best, hole) => (best && best.to - best.from <= hole.to - hole.from ? best : hole),
            null,
        );
        return least ? [{ from: least.from, to: least.from + nodes }] : firstNodes(free, nodes);
    }
    const whole = holes.filter(({ from, to }) => to - from === block);
    const wanted = Math.ceil(nodes / block);
    return whole.length >= wanted ? joined(whole.slice(0, wanted)) : firstNodes(free, nodes);
}

/** At the ends of blocks. */
function split({ from, to }: Piece, block: number): Piece[] {
    const list: Piece[] = [];
    for (let at = from; at < to; ) {
        const end = Math.min(to, (Math.floor(at / block) + 1) * block);
        list.push({ from: at, to: end });
        at = end;
    }
    return list;
}

function without(free: Piece[], taken: Piece[]): Piece[] {
    let left = free;
    for (const hole of taken) {
        left = left.flatMap((piece) =>
            overlap(piece, hole)
                ? [
                      { from: piece.from, to: hole.from },
                      { from: hole.to, to: piece.to },
                  ].filter(({ from, to }) => to > from)
                : [piece],
        );
    }
    return left;
}
