/** What is written over the picture of a run: coordinates, the names and rings of what is selected, a title. */

import type { Context } from "../context.ts";
import type { State } from "../state.ts";
import { type Label, labelsOf } from "./labels.ts";
import { position } from "./layout.ts";
import type { Halo, Scenery } from "./picture.ts";
import { pointAt } from "./pieces.ts";
import { disc } from "./points.ts";
import type { Stage } from "./stage.ts";
import type { Point } from "./types.ts";

export function sceneryOf(context: Context, stage: Stage, index: number): Scenery {
    const { machine } = stage.run;
    const isAsked = context.state.run === index || context.isSameMachine;
    const named = isAsked ? selectedPlaces(context.state, stage) : [];
    const labels = named.map(({ text, at, isLink }): Label => {
        return { text, at, away: [0, 0.2, isLink ? -1 : 1], pixels: 12, kind: "selected" };
    });
    const halos = named.map(({ at }): Halo => ({ at, radius: disc.largest * 0.55 }));
    return {
        stage,
        labels: [...labelsOf(machine, stage.layout, context.state), ...labels],
        halos,
        title: context.runs.length > 1 ? titleOf(context, index, stage.layout.isEmpty) : "",
    };
}

function titleOf(context: Context, index: number, isEmpty: boolean): string {
    if (context.isDifference) return "Second run minus first";
    const title = `${["First", "Second"][index]}: ${context.runs[index].name}`;
    return isEmpty ? `${title} (nothing in this slice)` : title;
}

interface Place {
    text: string;
    at: Point;
    isLink: boolean;
}

function selectedPlaces({ selection, route }: State, stage: Stage): Place[] {
    const { machine } = stage.run;
    const nodes = new Set(route ? [route.source, route.target] : []);
    if (selection && "node" in selection) nodes.add(selection.node);
    const places: Place[] = [...nodes]
        .filter((node) => stage.layout.shown[node])
        .map((node) => ({ text: machine.nodeName(node), at: position(stage.layout, node), isLink: false }));
    const path = selection && "link" in selection ? stage.pathOfLink(selection.link) : null;
    if (path && selection && "link" in selection) {
        places.push({ text: machine.linkName(selection.link), at: pointAt(path, 0.5), isLink: true });
    }
    return places;
}
