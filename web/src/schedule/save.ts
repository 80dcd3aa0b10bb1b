/** The drawing of the room as a file. */

export function svgTextOf(drawing: SVGSVGElement): string {
    return new XMLSerializer().serializeToString(drawing);
}

/** Twice as fine as the screen. */
export async function pngOf(drawing: SVGSVGElement): Promise<Blob> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svgTextOf(drawing))}`;
    await image.decode();
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [2 * image.width, 2 * image.height];
    sheet.getContext("2d")!.drawImage(image, 0, 0, sheet.width, sheet.height);
    return new Promise((resolve, reject) =>
        sheet.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
}
