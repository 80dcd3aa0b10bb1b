/** Colors of the room and the time line that mean no job. In drawings themselves, so that saved ones have them. */

import type { Theme } from "../picture/colors.ts";

export interface Paint {
    ground: string;
    idle: string;
    idleLine: string;
    line: string;
    ink: string;
    quiet: string;
    select: string;
    wanted: string;
}

const paints: Record<Theme, Paint> = {
    dark: {
        ground: "#0d1117",
        idle: "#1a212b",
        idleLine: "#303a46",
        line: "#2a323d",
        ink: "#e6edf3",
        quiet: "#94a0ad",
        select: "#ffffff",
        wanted: "#ff7b72",
    },
    light: {
        ground: "#ffffff",
        idle: "#eff2f5",
        idleLine: "#d0d7de",
        line: "#d5dbe1",
        ink: "#1f2328",
        quiet: "#5b6570",
        select: "#000000",
        wanted: "#cf222e",
    },
};

export function paintOf(theme: Theme): Paint {
    return paints[theme];
}
