import { type Box, clampToPixels, frameOf, growBox, scaleBox } from '../../domain/geometry.ts';
import type { RgbImage, SizedRaster } from '../../domain/photo.ts';
import { boundsOf, distance, mapQuad, type Point, type Quad } from '../../domain/quad.ts';
import type { Plate } from '../../domain/sight/plate.ts';
import type { FactRead } from '../../domain/vehicle/read-facts.ts';
import {
  type NumberRead,
  readOdometerLine,
  readPlate,
  readTimeLine,
  readVin,
  type TextLine,
} from '../../domain/vehicle/read-numbers.ts';
import type { Resize } from '../model-calls.ts';
import type { WorkerPool } from '../run/worker-pool.ts';
import { encloseLine, joinRow, type Line, listLines, mayContinue, spanLine } from './lines.ts';
import { STRIP_HEIGHT, straighten } from './strip.ts';
import { locateTextModels } from './text-models.ts';

const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const PLATE_ALPHABET = `${DIGITS}${CAPITALS} -·`;
const VIN_ALPHABET = `${DIGITS}ABCDEFGHJKLMNPRSTUVWXYZ`;
const PLAIN_ALPHABET = `${DIGITS}${CAPITALS}${CAPITALS.toLowerCase()} .,:;'/-*#°%()`;

/** Minimum height of a plate, pixels of the raster; the characters of smaller ones would be guesses. */
const MIN_PLATE_HEIGHT = 14;
/** Long side of the picture in which lines are searched, and the step of the model's input sides, pixels. */
const PAGE_SIDE = 640;
const SIDE_STEP = 32;
/** Margin around a plate for the search of its row, as a share of its shorter side; long side of that picture, pixels. */
const PLATE_MARGIN = 0.3;
const PLATE_SIDE = 448;
/** Share of a photo's height at its lower edge in which cameras print the time. Assumed. */
const PRINTED_TIME_SHARE = 0.1;

/** Opens a reader of vehicle facts on a pool; each text model loads on first use; null if they are not installed. */
export async function openTextReader(pool: Pick<WorkerPool, 'infer'>, resize: Resize) {
  const models = await locateTextModels();
  if (models === null) return null;

  /** Reads a quadrilateral of the raster, once per alphabet. */
  const read = (raster: RgbImage, corners: Quad, alphabets: readonly string[]) => {
    const { data, width } = straighten(raster, corners);
    const size = { width, height: STRIP_HEIGHT };
    return pool.infer(models.characters, { rgb: data, size, alphabets });
  };

  /** Finds the lines of text in an area of the raster, largest first; the model sees the area at `longSide` pixels. */
  const findLines = async (raster: RgbImage, part: Box, longSide: number): Promise<readonly Line[]> => {
    const scale = longSide / Math.max(part.width, part.height);
    const toSide = (pixels: number) =>
      Math.max(SIDE_STEP, Math.round((pixels * scale) / SIDE_STEP) * SIDE_STEP);
    const size = { width: toSide(part.width), height: toSide(part.height) };
    const { data: rgb } = await resize(raster, part, size);
    return listLines(await pool.infer(models.lines, { rgb, size }), size).map((line) =>
      line.map(({ x, y }) => ({
        x: part.x + (x * part.width) / size.width,
        y: part.y + (y * part.height) / size.height,
      })),
    );
  };

  const findPlateLines = (raster: RgbImage, area: Box) =>
    findLines(raster, clampToPixels(area, raster), PLATE_SIDE);

  /** Reads a plate from its largest row, as a rectangle and as seen at an angle; failing that, from its outline. */
  async function readPlateText(raster: RgbImage, plate: Quad): Promise<NumberRead | null> {
    const bounds = boundsOf(plate);
    const around = growBox(bounds, PLATE_MARGIN * Math.min(bounds.width, bounds.height));
    let row = joinRow(await findPlateLines(raster, around));
    // For a large plate, the plate detector may have boxed only the middle.
    if (row && mayContinue(row, around)) {
      const wide = { ...around, x: bounds.x - bounds.width, width: 3 * bounds.width };
      row = joinRow(await findPlateLines(raster, wide), row) ?? row;
    }
    const inRow = row ? await readBest(raster, [encloseLine(row), spanLine(row)]) : null;
    return inRow ?? readBest(raster, [plate]);
  }

  /** Reads a plate in each quadrilateral; the reading with the most certain characters wins. */
  async function readBest(raster: RgbImage, quads: readonly Quad[]): Promise<NumberRead | null> {
    const lines = await Promise.all(quads.map((quad) => read(raster, quad, [PLATE_ALPHABET])));
    const sumCertainty = ({ certainty }: TextLine) => certainty.reduce((sum, one) => sum + one, 0);
    const [best] = lines.flat().sort((one, other) => sumCertainty(other) - sumCertainty(one));
    return best ? readPlate(best) : null;
  }

  return {
    /** Reads the time that a camera printed at the lower edge of a photo, ISO 8601. */
    async readPrintedTime(raster: RgbImage): Promise<string | undefined> {
      const { width, height } = raster;
      const edge = { x: 0, y: (1 - PRINTED_TIME_SHARE) * height, width, height: PRINTED_TIME_SHARE * height };
      const quads = (await findLines(raster, clampToPixels(edge, raster), PAGE_SIDE)).map(encloseLine);
      const lines = await Promise.all(quads.map((quad) => read(raster, quad, [PLAIN_ALPHABET])));
      return lines.flat().flatMap((line) => readTimeLine(line) ?? [])[0];
    },
    /** Reads plates; with `readsLines`, all lines of the photo as well; boxes in pixels of the upright photo of `size`. */
    async readFacts({ raster, size }: SizedRaster, plates: readonly Plate[], readsLines: boolean) {
      const toRaster = ({ x, y }: Point) => ({
        x: (x * raster.width) / size.width,
        y: (y * raster.height) / size.height,
      });
      const toBox = (corners: Quad) => {
        const scale = { width: size.width / raster.width, height: size.height / raster.height };
        const { x, y, width, height } = scaleBox(boundsOf(corners), scale);
        return [x, y, width, height] as const;
      };
      const toFact = (fact: FactRead['fact'], corners: Quad, one: NumberRead | null): FactRead[] =>
        one ? [{ fact, ...one, box: toBox(corners) }] : [];
      const large = plates
        .map(({ corners }) => mapQuad(corners, toRaster))
        .filter((quad) => heightOf(quad) >= MIN_PLATE_HEIGHT);
      const pageSide = Math.min(PAGE_SIDE, Math.max(raster.width, raster.height));
      const lines = readsLines ? await findLines(raster, frameOf(raster), pageSide) : [];
      const facts = await Promise.all([
        ...large.map(async (quad) => toFact('plate', quad, await readPlateText(raster, quad))),
        ...lines.map(encloseLine).map(async (quad) => {
          const [vin, plain] = await read(raster, quad, [VIN_ALPHABET, PLAIN_ALPHABET]);
          return [
            ...toFact('vin', quad, vin ? readVin(vin, plain) : null),
            ...toFact('odometer', quad, plain ? readOdometerLine(plain) : null),
          ];
        }),
      ]);
      return facts.flat();
    },
  };
}

const heightOf = ([a, b, c, d]: Quad) => (distance(a, d) + distance(b, c)) / 2;
