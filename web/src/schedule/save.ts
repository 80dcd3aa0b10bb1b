/** The picture as a file: the room as SVG, or with the charts below it as PNG. */

import type { Timeline } from "./timeline.ts";

/** Twice as fine as the usual screen. */
const ratio = 2;

export function svgTextOf(drawing: SVGSVGElement): string {
    return new XMLSerializer().serializeToString(drawing);
}

export async function pngOf(drawing: SVGSVGElement, line: Timeline): Promise<Blob> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svgTextOf(drawing))}`;
    await image.decode();
    const sheet = document.createElement("canvas");
    sheet.width = ratio * image.width;
    sheet.height = ratio * (image.height + line.element.clientHeight);
    const pen = sheet.getContext("2d")!;
    pen.scale(ratio, ratio);
    pen.drawImage(image, 0, 0, image.width, image.height);
    pen.translate(0, image.height);
    await line.paint(pen, ratio);
    return new Promise((resolve, reject) =>
        sheet.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
}
