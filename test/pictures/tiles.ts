import sharp from 'sharp';
import { type Box, iou } from '../../src/domain/geometry.ts';
import type { ReadPhoto } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import { drawTextPaths, measureTextEm } from '../../src/images/draw/label-glyphs.ts';

/** Size of one picture of a sheet, and how many stand next to each other. */
const TILE = { width: 480, height: 270 };
const COLUMNS = 3;
/** A planted damage counts as found where a finding overlaps it this much. */
const SAME_PLACE_IOU = 0.3;
const TEXT_SIZE = 12;
const COLORS = { truth: '#ff2d2d', found: '#21d07a', unsure: '#ffd23f', wrong: '#ff8c1a' };

/** A damage that is there, or one that was found; `box` in pixels of the upright photo. */
export interface Truth {
  readonly type: string;
  readonly box: Box;
}

/** What was found in one photo at the two sensitivities. */
export interface Seen {
  readonly name: string;
  readonly photo: ReadPhoto;
  readonly default: readonly Truth[];
  readonly high: readonly Truth[];
}

/** One photo: planted damage red and dashed where it is missed, else green; findings where nothing is orange. */
export async function drawDamageTile(seen: Seen, truth: readonly Truth[]) {
  const frame = await fitted(seen.photo);
  const marks: string[] = [];
  const found = { default: 0, high: 0, false: 0 };
  for (const damage of truth) {
    const sure = best(damage, seen.default);
    const unsure = sure ?? best(damage, seen.high);
    if (sure) found.default++;
    if (unsure) found.high++;
    const color = sure ? COLORS.found : unsure ? COLORS.unsure : COLORS.truth;
    marks.push(outline(frame.placed(damage.box), color, !unsure));
    if (unsure) marks.push(outline(frame.placed(unsure.box), '#ffffff', false, 1));
    marks.push(caption(damage.type, frame.placed(damage.box), color));
  }
  for (const finding of seen.default) {
    if (best(finding, truth)) continue;
    found.false++;
    marks.push(outline(frame.placed(finding.box), COLORS.wrong, false));
    marks.push(caption(finding.type, frame.placed(finding.box), COLORS.wrong));
  }
  const title = `${seen.name} · ${found.default} of ${truth.length}, ${found.high} at high`;
  return { picture: await painted(frame.picture, [...marks, heading(title)]), found };
}

/** One photo with each part in a color of its own, paler where the model is unsure, named where most of it is. */
export async function drawPartsTile(name: string, photo: ReadPhoto, map: PartMap) {
  const frame = await fitted(photo);
  const colors = map.labels.map((_, label) => colorOf(label));
  const cells = Buffer.alloc(map.width * map.height * 4);
  const sums = map.labels.map(() => ({ weight: 0, x: 0, y: 0 }));
  for (const [cell, label] of map.bestLabels.entries()) {
    const certainty = map.certainty[cell] ?? 0;
    const sum = sums[label];
    if (label === 0 || !sum) continue;
    cells.set([...(colors[label] ?? [0, 0, 0]), Math.round(certainty * 0.62)], cell * 4);
    sum.weight += certainty / 255;
    sum.x += (certainty / 255) * (cell % map.width);
    sum.y += (certainty / 255) * Math.floor(cell / map.width);
  }
  const { width, height } = photo.facts.size;
  const whole = frame.placed({ x: 0, y: 0, width, height });
  const mask = await sharp(cells, { raw: { width: map.width, height: map.height, channels: 4 } })
    .resize(Math.round(whole.width), Math.round(whole.height), { fit: 'fill', kernel: 'nearest' })
    .png()
    .toBuffer();
  const names = sums.flatMap(({ weight, x, y }, label) => {
    if (label === 0 || weight < 0.004 * map.bestLabels.length) return [];
    const at = { x: x / weight / map.width, y: y / weight / map.height };
    const spot = { x: whole.x + at.x * whole.width, y: whole.y + at.y * whole.height, width: 0, height: 0 };
    return [caption(map.labels[label] ?? '', spot, '#ffffff', 9)];
  });
  const picture = await sharp(frame.picture)
    .composite([{ input: mask, left: Math.round(whole.x), top: Math.round(whole.y) }])
    .png()
    .toBuffer();
  return painted(picture, [...names, heading(name)]);
}

/** The tiles side by side. */
export async function drawSheet(tiles: readonly Buffer[]): Promise<Buffer> {
  const size = { width: COLUMNS * TILE.width, height: Math.ceil(tiles.length / COLUMNS) * TILE.height };
  const placed = tiles.map((input, i) => {
    return { input, left: (i % COLUMNS) * TILE.width, top: Math.floor(i / COLUMNS) * TILE.height };
  });
  const sheet = sharp({ create: { ...size, channels: 3, background: '#202020' } });
  return sheet.composite(placed).png().toBuffer();
}

function best(one: Truth, others: readonly Truth[]): Truth | undefined {
  const near = others.filter(({ box }) => iou(one.box, box) >= SAME_PLACE_IOU);
  return near.toSorted((a, b) => iou(one.box, b.box) - iou(one.box, a.box))[0];
}

/** The photo inside a tile, and where a box of the photo lies in it. */
async function fitted({ raster, facts: { size } }: ReadPhoto) {
  const factor = Math.min(TILE.width / size.width, TILE.height / size.height);
  const left = (TILE.width - size.width * factor) / 2;
  const top = (TILE.height - size.height * factor) / 2;
  const picture = await sharp(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
  })
    .resize({ ...TILE, fit: 'contain', background: '#202020' })
    .png()
    .toBuffer();
  const placed = ({ x, y, width, height }: Box): Box => ({
    x: left + x * factor,
    y: top + y * factor,
    width: width * factor,
    height: height * factor,
  });
  return { picture, placed };
}

function painted(picture: Buffer, marks: readonly string[]): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE.width}" height="${TILE.height}">${marks.join('')}</svg>`;
  return sharp(picture)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer();
}

function outline({ x, y, width, height }: Box, color: string, dashed: boolean, line = 2): string {
  const dashes = dashed ? ' stroke-dasharray="6 4"' : '';
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${color}" stroke-width="${line}"${dashes}/>`;
}

function caption(text: string, box: Box, color: string, size = TEXT_SIZE): string {
  const words = text.replaceAll('_', ' ');
  const width = measureTextEm(words) * size;
  const x = Math.max(2, Math.min(box.x - (box.width === 0 ? width / 2 : 0), TILE.width - width - 2));
  const y = box.y < 34 ? box.y + box.height + size + 2 : box.y - 4;
  const plate = `<rect x="${x - 2}" y="${y - size}" width="${width + 4}" height="${size + 3}" fill="#000" fill-opacity="0.55"/>`;
  return `${plate}<g fill="${color}">${drawTextPaths(words, x, y, size)}</g>`;
}

function heading(text: string): string {
  const words = text.replaceAll('_', ' ');
  return `<rect width="${TILE.width}" height="18" fill="#000" fill-opacity="0.6"/><g fill="#fff">${drawTextPaths(words, 6, 13, TEXT_SIZE)}</g>`;
}

/** Colors far apart for neighboring labels: hues by the golden angle. */
function colorOf(label: number): [number, number, number] {
  const hue = ((label * 137.508) % 360) / 60;
  const channel = (offset: number) => {
    const k = (offset + hue) % 6;
    return Math.round(255 * (1 - Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return [channel(5), channel(3), channel(1)];
}
