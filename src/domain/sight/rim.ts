import type { RgbImage } from '../photo.ts';
import { computeBoundingBox, findConnectedComponents } from './connected-components.ts';
import type { PartMap } from './detection.ts';
import { findMedian, readColor } from './paint.ts';

/** Minimum height of a wheel in cells; a smaller one has too few of them on its rim. Assumed. */
const MIN_HEIGHT = 16;
/** Minimum width of a wheel as a share of its height; one turned further hides its rim. Assumed. */
const MIN_WIDTH_SHARE = 0.55;
/** Minimum share of its box that a wheel fills; a circle fills 0.79, a partly hidden wheel less. Assumed. */
const MIN_FILLED_SHARE = 0.47;
/** Shares of the wheel's radius within which a cell is rim and from which it is tire. Assumed. */
const RIM_RADIUS = 0.6;
const TIRE_RADIUS = 0.75;

/**
 * Returns how much lighter (CIE L*) the rim of the largest wheel is than its tire, which share their light; undefined if
 * no wheel is large and seen whole.
 */
export function measureRimContrast(raster: RgbImage, parts: PartMap): number | undefined {
  const { labels, bestLabels, width, height } = parts;
  const wheels = findConnectedComponents(
    bestLabels.map((best) => Number(labels[best] === 'wheel')),
    width,
    4,
  ).map((cells) => ({ cells, box: computeBoundingBox(cells, width, { width: 1, height: 1 }) }));
  const [largest] = wheels
    .filter(({ cells, box }) => {
      const isCut =
        box.x <= 1 || box.y <= 1 || box.x + box.width >= width - 1 || box.y + box.height >= height - 1;
      const isRound = box.height >= MIN_HEIGHT && box.width >= MIN_WIDTH_SHARE * box.height;
      return !isCut && isRound && cells.length >= MIN_FILLED_SHARE * box.width * box.height;
    })
    .sort((one, other) => other.cells.length - one.cells.length);
  if (largest === undefined) return undefined;
  const { cells, box } = largest;
  const samples = cells.map((cell) => {
    const x = (2 * ((cell % width) + 0.5 - box.x)) / box.width - 1;
    const y = (2 * (Math.floor(cell / width) + 0.5 - box.y)) / box.height - 1;
    return { ...readColor(raster, parts, cell), radius: Math.hypot(x, y) };
  });
  const rim = samples.filter(({ radius }) => radius < RIM_RADIUS);
  const tire = samples.filter(({ radius }) => radius >= TIRE_RADIUS);
  if (rim.length === 0 || tire.length === 0) return undefined;
  return findMedian(rim, (one) => one.lightness) - findMedian(tire, (one) => one.lightness);
}
