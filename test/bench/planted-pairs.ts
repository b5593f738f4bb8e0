/**
 * Pairs of photos whose truth is known: a real photo, and the same car from a camera turned by up to 15 degrees, in another
 * light, with up to three damages that other photos' labels show pasted on its panels.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PhotoRecord } from '../../src/contract/inspection.ts';
import { type Box, intersection } from '../../src/domain/geometry.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import { decodeAny } from '../../src/images/read/decode-any.ts';

/** A damage as a label shows it: the photo of it, and its box. */
export interface LabelledCut {
  readonly file: string;
  readonly type: string;
  readonly box: Box;
}

export interface PlantedPair {
  readonly jpeg: Buffer;
  readonly degrees: number;
  /** Where the damages are in the later photo, and of what type. */
  readonly planted: readonly { readonly type: string; readonly box: Box }[];
}

/** Panels that a damage is pasted on. */
const PANELS = /door|fender|quarter|hood|bumper|trunk|tailgate|rocker/;
/** Sides of a pasted damage, shares of the panel's. */
const SIZES = [0.18, 0.42] as const;

/** Returns a source of numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Reads the sure labels of a folder whose boxes are large enough to be seen once pasted. */
export function readCuts(folder: string): readonly LabelledCut[] {
  const photos = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8'));
  const list: { file: string; damages: { type: string; bbox: number[]; sure?: boolean }[] }[] =
    photos.photos ?? photos;
  return list.flatMap(({ file, damages }) =>
    damages
      .filter(
        ({ bbox: [, , width = 0, height = 0], sure, type }) =>
          sure !== false && width >= 40 && height >= 40 && !/glass|lamp/.test(type),
      )
      .map(({ type, bbox: [x = 0, y = 0, width = 0, height = 0] }) => ({
        file: join(folder, file),
        type,
        box: { x, y, width, height },
      })),
  );
}

/** Makes the later photo of a pair. */
export async function makePlantedPair(
  picture: RgbImage,
  record: PhotoRecord,
  cuts: readonly LabelledCut[],
  random: () => number,
): Promise<PlantedPair> {
  const painted: RgbImage = { ...picture, data: Uint8Array.from(picture.data) };
  const toBox = ([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Box => ({ x, y, width, height });
  const free = (box: Box) => record.candidates.every((other) => !intersection(box, toBox(other.box)));
  const panels = record.parts
    .map(({ part, box }) => ({ part, box: toBox(box) }))
    .filter(({ part, box }) => PANELS.test(part) && Math.min(box.width, box.height) > 90);
  const planted: { type: string; box: Box }[] = [];
  const wanted = Math.floor(random() * 4);
  for (let attempt = 0; planted.length < wanted && attempt < 60 && panels.length > 0; attempt++) {
    const panel = panels[Math.floor(random() * panels.length)];
    const cut = cuts[Math.floor(random() * cuts.length)];
    if (!panel || !cut) continue;
    const box = placeOn(panel.box, cut.box, random);
    if (!free(grow(box, 1.2)) || planted.some((one) => intersection(grow(one.box, 1.5), box))) continue;
    await paste(painted, box, cut);
    planted.push({ type: cut.type, box });
  }
  const degrees = (random() * 2 - 1) * 15;
  const turned = turn(relight(painted, random), degrees);
  const jpeg = await sharp(turned.data, { raw: { width: turned.width, height: turned.height, channels: 3 } })
    .jpeg({ quality: 80 + Math.round(random() * 12) })
    .toBuffer();
  return {
    jpeg,
    degrees,
    planted: planted.map(({ type, box }) => ({ type, box: turnBox(box, picture, degrees) })),
  };
}

function placeOn(panel: Box, cut: Box, random: () => number): Box {
  const share = SIZES[0] + random() * (SIZES[1] - SIZES[0]);
  const scale = Math.min((share * panel.width) / cut.width, (share * panel.height) / cut.height);
  const [width, height] = [
    Math.max(24, Math.round(cut.width * scale)),
    Math.max(24, Math.round(cut.height * scale)),
  ];
  // The middle of a panel's box is on the panel; its corners often are not.
  const at = (from: number, side: number, own: number) =>
    Math.round(from + side * (0.3 + random() * 0.4) - own / 2);
  return { x: at(panel.x, panel.width, width), y: at(panel.y, panel.height, height), width, height };
}

function grow(box: Box, by: number): Box {
  const [dx, dy] = [(box.width * (by - 1)) / 2, (box.height * (by - 1)) / 2];
  return { x: box.x - dx, y: box.y - dy, width: box.width + 2 * dx, height: box.height + 2 * dy };
}

/**
 * Pastes a damage: the target keeps its paint and takes the cut's light and dark against the cut's own border, fading
 * out towards an ellipse.
 */
async function paste(picture: RgbImage, box: Box, cut: LabelledCut): Promise<void> {
  const { raster } = await decodeAny(cut.file);
  const around = {
    left: Math.max(0, Math.round(cut.box.x)),
    top: Math.max(0, Math.round(cut.box.y)),
    width: Math.min(Math.round(cut.box.width), raster.width - Math.max(0, Math.round(cut.box.x))),
    height: Math.min(Math.round(cut.box.height), raster.height - Math.max(0, Math.round(cut.box.y))),
  };
  const data = await sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } })
    .extract(around)
    .resize(box.width, box.height, { fit: 'fill' })
    .raw()
    .toBuffer();
  for (let c = 0; c < 3; c++) {
    const border: number[] = [];
    for (let y = 0; y < box.height; y++)
      for (let x = 0; x < box.width; x++)
        if (x < 2 || y < 2 || x >= box.width - 2 || y >= box.height - 2)
          border.push(data[3 * (y * box.width + x) + c] ?? 0);
    const middle = border.sort((a, b) => a - b)[border.length >> 1] ?? 128;
    for (let y = 0; y < box.height; y++)
      for (let x = 0; x < box.width; x++) {
        const [px, py] = [box.x + x, box.y + y];
        if (px < 0 || py < 0 || px >= picture.width || py >= picture.height) continue;
        const far = Math.hypot((2 * x) / box.width - 1, (2 * y) / box.height - 1);
        const share = Math.min(1, Math.max(0, (1 - far) / 0.3));
        const at = 3 * (py * picture.width + px) + c;
        const was = picture.data[at] ?? 0;
        const ratio = ((data[3 * (y * box.width + x) + c] ?? 0) + 12) / (middle + 12);
        // Dark paint shows bare metal and filler as lighter than a ratio alone would.
        const there = Math.min(
          255,
          0.5 * was * ratio + 0.5 * (was + (data[3 * (y * box.width + x) + c] ?? 0) - middle),
        );
        picture.data[at] = Math.max(0, Math.round(was + share * (there - was)));
      }
  }
}

/** Another sky: gamma, a cast, a gradient over the picture. */
function relight({ data, width, height }: RgbImage, random: () => number): RgbImage {
  const gamma = 0.85 + random() * 0.3;
  const gains = [0, 1, 2].map(() => 0.94 + random() * 0.12);
  const [slopeX, slopeY] = [(random() - 0.5) * 0.24, (random() - 0.5) * 0.24];
  const lit = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const shade = 1 + slopeX * (x / width - 0.5) + slopeY * (y / height - 0.5);
      for (let c = 0; c < 3; c++) {
        const at = 3 * (y * width + x) + c;
        lit[at] = Math.min(255, Math.round(255 * ((data[at] ?? 0) / 255) ** gamma * (gains[c] ?? 1) * shade));
      }
    }
  return { data: lit, width, height };
}

/** Focal length, shares of the width: a phone's main camera. */
const FOCAL = 0.8;

/** Turns what a photo shows about its upright middle axis, as a camera sees it that went to the side. */
function turn({ data, width, height }: RgbImage, degrees: number): RgbImage {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const turned = new Uint8Array(data.length);
  const focal = FOCAL * width;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [x - width / 2, y - height / 2];
      const plane = u / (cos - (u * sin) / focal);
      const sx = Math.min(width - 1.001, Math.max(0, plane + width / 2));
      const sy = Math.min(height - 1.001, Math.max(0, v * (1 + (plane * sin) / focal) + height / 2));
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)];
      const [fx, fy] = [sx - x0, sy - y0];
      for (let c = 0; c < 3; c++) {
        const at = (dx: number, dy: number) => data[3 * ((y0 + dy) * width + x0 + dx) + c] ?? 0;
        const top = at(0, 0) * (1 - fx) + at(1, 0) * fx;
        const bottom = at(0, 1) * (1 - fx) + at(1, 1) * fx;
        turned[3 * (y * width + x) + c] = Math.round(top * (1 - fy) + bottom * fy);
      }
    }
  return { data: turned, width, height };
}

function turnBox(box: Box, { width, height }: RgbImage, degrees: number): Box {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const focal = FOCAL * width;
  const corners = [box.x, box.x + box.width].flatMap((x) =>
    [box.y, box.y + box.height].map((y) => {
      const [u, v] = [x - width / 2, y - height / 2];
      const near = 1 + (u * sin) / focal;
      return [(u * cos) / near + width / 2, v / near + height / 2] as const;
    }),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
