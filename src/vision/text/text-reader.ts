import { frameOf, type Size, scaleBox } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { boundsOf, mapQuad, measureArea, type Point, type Quad } from '../../domain/quad.ts';
import type { FactRead } from '../../domain/read-facts.ts';
import {
  type NumberRead,
  readOdometerLine,
  readPlate,
  readVin,
  type TextLine,
} from '../../domain/read-numbers.ts';
import { findConnectedComponents } from '../../domain/sight/connected-components.ts';
import type { Plate } from '../../domain/sight/plate.ts';
import type { Resize } from '../model-calls.ts';
import type { WorkerPool } from '../run/worker-pool.ts';
import { encloseHull, growQuad, hullOfCells, orderCorners } from './corners.ts';
import { distance, STRIP_HEIGHT, straighten } from './strip.ts';
import { locateTextModels, type TextModels } from './text-models.ts';

const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const PLATE_SIGNS = `${DIGITS}${CAPITALS} -·`;
const VIN_SIGNS = `${DIGITS}ABCDEFGHJKLMNPRSTUVWXYZ`;
const PLAIN_SIGNS = `${DIGITS}${CAPITALS}${CAPITALS.toLowerCase()} .,:;'/-*#°%()`;

/** Reads facts of a vehicle in photos. */
export interface TextReader {
  /** Reads plates and, if asked, all lines of the photo; boxes in pixels of the upright photo of `size`. */
  readFacts(
    photo: { readonly raster: RgbImage; readonly size: Size },
    plates: readonly Plate[],
    isPage: boolean,
  ): Promise<readonly FactRead[]>;
}

/** Minimum height of a plate, pixels of the raster; signs of smaller ones are guessed. */
const MIN_PLATE_HEIGHT = 14;
/** Long side of the picture in which lines are searched, and the step of the model's sides, pixels. */
const PAGE_SIDE = 640;
const SIDE_STEP = 32;
/** Minimum probability of a pixel of text (of 255), and of a line of them on average: PaddleOCR's defaults. */
const MIN_HEAT = 77;
const MIN_LINE_HEAT = 153;
/** Growth of the marked cores of lines, as a share of area over perimeter (PaddleOCR's `unclip_ratio`). */
const UNCLIP = 1.6;
const MIN_CELLS = 24;
/** Maximum number of lines that are read, the largest first: more are a page of print. */
const MAX_LINES = 12;

type Pool = Pick<WorkerPool, 'infer'>;

/** Opens a reader over a pool, which loads each text model when first needed; null if they are not installed. */
export async function openTextReader(pool: Pool, resize: Resize): Promise<TextReader | null> {
  const models = await locateTextModels();
  return models && createTextReader(pool, models, resize);
}

function createTextReader(pool: Pool, models: TextModels, resize: Resize): TextReader {
  async function read(
    raster: RgbImage,
    corners: Quad,
    alphabets: readonly string[],
  ): Promise<readonly TextLine[]> {
    const { data, width } = straighten(raster, corners);
    const size = { width, height: STRIP_HEIGHT };
    return pool.infer(models.signs, { rgb: data, size, alphabets });
  }

  /** Reads a quadrilateral of the raster by each alphabet, and returns the facts that `recognize` finds in it. */
  async function readQuad(
    raster: RgbImage,
    size: Size,
    corners: Quad,
    alphabets: readonly string[],
    recognize: (lines: readonly TextLine[]) => readonly (readonly [FactRead['fact'], NumberRead | null])[],
  ): Promise<readonly FactRead[]> {
    const scale = { width: size.width / raster.width, height: size.height / raster.height };
    const { x, y, width, height } = scaleBox(boundsOf(corners), scale);
    const found = recognize(await read(raster, corners, alphabets));
    return found.flatMap(([fact, one]) => (one ? [{ fact, ...one, box: [x, y, width, height] }] : []));
  }

  async function findLines(raster: RgbImage): Promise<readonly Quad[]> {
    const scale = Math.min(1, PAGE_SIDE / Math.max(raster.width, raster.height));
    const toSide = (pixels: number) =>
      Math.max(SIDE_STEP, Math.round((pixels * scale) / SIDE_STEP) * SIDE_STEP);
    const size = { width: toSide(raster.width), height: toSide(raster.height) };
    const { data: rgb } = await resize(raster, frameOf(raster), size);
    return listLines(await pool.infer(models.lines, { rgb, size }), size).map((corners) =>
      mapQuad(corners, ({ x, y }) => ({
        x: (x * raster.width) / size.width,
        y: (y * raster.height) / size.height,
      })),
    );
  }

  return {
    async readFacts({ raster, size }, plates, isPage) {
      const toRaster = ({ x, y }: Point) => ({
        x: (x * raster.width) / size.width,
        y: (y * raster.height) / size.height,
      });
      const large = plates
        .map(({ corners }) => mapQuad(corners, toRaster))
        .filter((quad) => heightOf(quad) >= MIN_PLATE_HEIGHT);
      const lines = isPage ? await findLines(raster) : [];
      const facts = await Promise.all([
        ...large.map((quad) =>
          readQuad(raster, size, quad, [PLATE_SIGNS], ([line]) => [['plate', line ? readPlate(line) : null]]),
        ),
        ...lines.map((quad) =>
          readQuad(raster, size, quad, [VIN_SIGNS, PLAIN_SIGNS], ([vin, plain]) => [
            ['vin', vin ? readVin(vin, plain) : null],
            ['odometer', plain ? readOdometerLine(plain) : null],
          ]),
        ),
      ]);
      return facts.flat();
    },
  };
}

const heightOf = ([a, b, c, d]: Quad) => (distance(a, d) + distance(b, c)) / 2;

/** Lists the lines of text of a picture by the probability of its pixels, the largest first. */
function listLines(heat: Uint8Array, { width }: Size): readonly Quad[] {
  const mask = heat.map((value) => Number(value >= MIN_HEAT));
  const meanHeat = (cells: readonly number[]) =>
    cells.reduce((sum, cell) => sum + (heat[cell] as number), 0) / cells.length;
  return findConnectedComponents(mask, width)
    .filter((cells) => cells.length >= MIN_CELLS && meanHeat(cells) >= MIN_LINE_HEAT)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_LINES)
    .flatMap((cells) => {
      const corners = encloseHull(hullOfCells(cells, width));
      return corners ? [unclip(orderCorners(corners))] : [];
    });
}

/** Grows the rectangle of a core to the whole line: its sides move apart by the same distance. */
function unclip(quad: Quad): Quad {
  const [a, b, , d] = quad;
  const [along, across] = [Math.max(1, distance(a, b)), Math.max(1, distance(a, d))];
  const by = (UNCLIP * measureArea(quad)) / (2 * (along + across));
  return growQuad(quad, by / along, by / across);
}
