/*
 * Measures how number plates, VINs and odometers are read: `npm run measure:text -- [PHOTOS]` (default 500 of
 * each kind).
 * Drawn in DejaVu's fonts on paint, labels and dashboards, slanted, dark, blurred, dirty, as JPEG. A plate is given by
 * its box, 5 % off, as the plate finder gives it; lines of labels and dashboards are searched in the photo.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import type { RgbImage } from '../../src/domain/photo.ts';
import { boundsOf, type Quad, toQuad } from '../../src/domain/quad.ts';
import type { FactRead } from '../../src/domain/vehicle/read-facts.ts';
import { checkVin } from '../../src/domain/vehicle/vin.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { openImage, readPixels } from '../../src/images/sharp.ts';
import { createRandom } from '../../src/lib/random.ts';
import { shippedModelDir } from '../../src/vision/models/model-files.ts';
import { findOutline } from '../../src/vision/plates/outline.ts';
import { createVision } from '../../src/vision/vision.ts';
import { createReadCounts } from './read-counts.ts';

const FONT_DIR = join(import.meta.dirname, '../../node_modules/dejavu-fonts-ttf/ttf');
const FONTS = readdirSync(FONT_DIR)
  .filter((name) => /^DejaVuSans(?!.*ExtraLight)|^DejaVuSerif/.test(name))
  .map((name) => {
    const family = name.replace('.ttf', '');
    GlobalFonts.registerFromPath(join(FONT_DIR, name), family);
    return family;
  });
const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const SIZE = { width: 1600, height: 1200 };

const SEED = 20261129;
let random = createRandom(SEED);
const between = (from: number, to: number) => from + (to - from) * random();
const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)] as T;
const fillPattern = (pattern: string) =>
  pattern.replace(/[A#V]/g, (kind) => pick({ A: LETTERS, '#': DIGITS, V: LETTERS + DIGITS }[kind] as string));

/** Draws a VIN: of North America with its check digit, or of Europe with the filler that makers write there. */
function makeVin(isChecked: boolean): string {
  if (!isChecked) return fillPattern(`${pick(['WVWZZZ', 'WBAVVV', 'VF1VVV', 'ZFAVVV'])}V#ZVV######`);
  const vin = fillPattern(`${pick(['1HG', '2FA', '3VW', '4T1', '5YJ'])}VVVVV_VV######`);
  const fitting = [...'0123456789X']
    .map((digit) => vin.replace('_', digit))
    .filter((one) => checkVin(one) === 'right');
  return fitting[0] ?? makeVin(true);
}

interface Drawn {
  readonly text: string;
  /** What a right reading is. */
  readonly value: string;
  readonly light: string;
  readonly dark: string;
  /** Height of the characters in pixels. */
  readonly height: number;
  /** Further lines on the label. */
  readonly others: readonly string[];
}

/** Draws a photo; returns it with the corners of the label. */
async function draw(drawn: Drawn): Promise<{ raster: RgbImage; corners: Quad }> {
  const { text, light, dark, height, others } = drawn;
  const canvas = createCanvas(SIZE.width, SIZE.height);
  const context = canvas.getContext('2d');
  const paint = context.createLinearGradient(0, 0, SIZE.width, SIZE.height);
  paint.addColorStop(0, pick(['#223', '#7a1010', '#3a3a3a', '#556', '#0d3b66', '#8a8a86']));
  paint.addColorStop(1, pick(['#101418', '#444a50', '#6b6f73']));
  context.fillStyle = paint;
  context.fillRect(0, 0, SIZE.width, SIZE.height);
  const font = pick(FONTS);
  context.font = `${height / 0.73}px "${font}"`;
  const width = context.measureText(text).width + 1.2 * height;
  const [x, y] = [between(40, Math.max(41, SIZE.width - width - 40)), between(200, SIZE.height - 300)];
  const [turn, skew] = [between(-0.12, 0.12), between(-0.15, 0.15)];
  context.setTransform(Math.cos(turn), Math.sin(turn), skew - Math.sin(turn), Math.cos(turn), x, y);
  context.fillStyle = light;
  context.fillRect(0, 0, width, 1.5 * height + others.length * 1.4 * height);
  context.fillStyle = dark;
  context.fillText(text, 0.6 * height, 1.25 * height);
  context.font = `${(0.8 * height) / 0.73}px "${pick(FONTS)}"`;
  for (const [at, row] of others.entries())
    context.fillText(row, 0.6 * height, (2.6 + 1.4 * at) * height, width - height);
  soil(context, width, 1.5 * height);
  const at = (dx: number, dy: number) => {
    const { a, b, c, d, e, f } = context.getTransform();
    return { x: a * dx + c * dy + e, y: b * dx + d * dy + f };
  };
  const corners: Quad = [at(0, 0), at(width, 0), at(width, 1.5 * height), at(0, 1.5 * height)];
  const jpeg = await openImage(canvas.toBuffer('image/png'))
    .flatten()
    .linear(between(0.45, 1), between(0, 20))
    .blur(between(0.4, 1.1))
    .jpeg({ quality: 80 })
    .toBuffer();
  return { raster: await readPixels(openImage(jpeg)), corners };
}

/** Sprinkles spots of dirt over a label. */
function soil(context: SKRSContext2D, width: number, height: number): void {
  for (let spots = Math.floor(between(0, 25)); spots > 0; spots--) {
    context.fillStyle = `rgba(96, 80, 52, ${between(0.2, 0.7)})`;
    context.beginPath();
    context.arc(between(0, width), between(0, height), between(0.02, 0.12) * height, 0, 7);
    context.fill();
  }
}

/** Moves a box by up to 5 % and finds the outline in it, as the plate finder does. */
function findPlate(raster: RgbImage, corners: Quad): Quad {
  const { x, y, width, height } = boundsOf(corners);
  const off = (length: number) => between(-0.05, 0.05) * length;
  const box = {
    x: x + off(width),
    y: y + off(height),
    width: width + off(width),
    height: height + off(height),
  };
  return findOutline(raster, box) ?? toQuad(box);
}

const LABEL = { light: '#e8e8e0', dark: '#15171a' };
const makePlate = (): Drawn => {
  const text = fillPattern(pick(['AA-AA ###', 'AA## AAA', '#AAA###', 'AA-###-AA', 'A AA ####']));
  const light = pick(['#f4f4f0', '#ffd84a', '#e8eef8']);
  return { text, value: text.replace(/\W/g, ''), light, dark: '#111', height: between(20, 40), others: [] };
};
const makeLabel = (isChecked: boolean) => (): Drawn => {
  const value = makeVin(isChecked);
  const others = ['MADE IN 2019', 'GVWR 2105 KG', 'TYPE 8P-1234', '2.4 bar 35 psi'].slice(
    Math.floor(between(0, 4)),
  );
  return {
    text: `${pick(['', '', 'VIN ', 'VIN: '])}${value}`,
    value,
    ...LABEL,
    height: between(20, 36),
    others,
  };
};
const makeDashboard = (): Drawn => {
  const [distance, unit] = [Math.floor(between(1000, 320_000)), pick(['km', 'mi'])];
  const text = `${pick(['', 'ODO ', 'Total '])}${distance} ${unit}`;
  const others = [`Trip ${between(2, 900).toFixed(1)} ${unit}`, '21.5 °C'].slice(Math.floor(between(0, 3)));
  return {
    text,
    value: `${distance} ${unit}`,
    light: '#0b0d10',
    dark: '#dfe8f0',
    height: between(20, 40),
    others,
  };
};

const KINDS = [
  ['number plate, 20 to 40 px', 'plate', makePlate],
  ['VIN with check digit', 'vin', makeLabel(true)],
  ['VIN of Europe', 'vin', makeLabel(false)],
  ['odometer', 'odometer', makeDashboard],
  [
    'label without VIN',
    'vin',
    () => ({ ...makeLabel(true)(), text: fillPattern('AAA-#### AA##'), value: '' }),
  ],
] as const satisfies readonly (readonly [string, FactRead['fact'], () => Drawn])[];

const photos = Number(process.argv[2] ?? 500);
const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
const counts = createReadCounts();
for (const [name, fact, make] of KINDS) {
  random = createRandom(SEED);
  for (let done = 0; done < photos; done++) {
    const drawn = make();
    const { raster, corners } = await draw(drawn);
    const plates = fact === 'plate' ? [{ corners: findPlate(raster, corners), confidence: 1 }] : [];
    const read = async () => {
      const facts = (await vision.readFacts({ raster, size: SIZE }, plates, fact !== 'plate')) ?? [];
      return facts.filter((one) => one.fact === fact).map(({ value }) => value);
    };
    const wrong = await counts.count(name, read, (value) => value === drawn.value);
    if (wrong) process.stderr.write(`${name}: ${drawn.value} read as ${wrong.join(', ')}\n`);
  }
}
counts.print('read in drawn photos');
await vision.close();
