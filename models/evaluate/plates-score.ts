import { area, type Box, intersection, type Size } from '../../src/domain/geometry.ts';
import { intersectAll, measureJointArea } from './box-areas.ts';
import type { Truth } from './match.ts';

/** Minimum blurred fraction of a completely found plate; the remaining edge has no whole character. */
export const WHOLE_SHARE = 0.9;
/** A blurred region with less than this fraction on plates is a false detection. */
const LEAST_ON_PLATE = 0.1;
/** Upper limits of the width classes, as fractions of the photo's width. */
const WIDTHS = [0.08, 0.16, 1] as const;

/** A photo with its plates and the regions that `--redact` would blur, in upright pixels. */
export interface JudgedPlates {
  readonly size: Size;
  /** Crowds are ignored regions: plates that are blank, already blurred or illegible. */
  readonly truths: readonly Truth[];
  readonly blurred: readonly Box[];
}

/** Plates of one width class, or all: blurred to at least `WHOLE_SHARE`, blurred in part, or missed. */
export interface PlateCounts {
  readonly plates: number;
  readonly whole: number;
  readonly inPart: number;
  readonly missed: number;
  /** `whole` over `plates`; null without plates. */
  readonly recall: number | null;
}

export interface PlatesScore {
  readonly photos: number;
  readonly all: PlateCounts;
  /** `to`: upper limit of the class, as a fraction of the photo's width. */
  readonly byWidth: readonly (PlateCounts & { readonly to: number })[];
  readonly photosWithPlate: number;
  /** Photos with plates that are all completely blurred. */
  readonly photosSafe: number;
  /** Photos with a false detection, and the number of false detections. */
  readonly photosWithFalseBlur: number;
  readonly falseBlurs: number;
  /** Mean fraction of the photo's area blurred outside plates. */
  readonly blurredWithoutNeed: number;
}

/** Measures recall and false detections of plate blurring. */
export function scorePlates(photos: readonly JudgedPlates[]): PlatesScore {
  const looked = photos.map(judge);
  const plates = looked.flatMap(({ plates }) => plates);
  const withPlate = looked.filter(({ plates }) => plates.length > 0);
  const falseBlurs = looked.map(({ falseBlurs }) => falseBlurs);
  return {
    photos: photos.length,
    all: countPlates(plates),
    byWidth: WIDTHS.map((to, at) => ({
      to,
      ...countPlates(plates.filter(({ width }) => width <= to && width > (WIDTHS[at - 1] ?? 0))),
    })),
    photosWithPlate: withPlate.length,
    photosSafe: withPlate.filter(({ plates }) => plates.every(isWhole)).length,
    photosWithFalseBlur: falseBlurs.filter((one) => one > 0).length,
    falseBlurs: sumValues(falseBlurs),
    blurredWithoutNeed:
      photos.length > 0 ? sumValues(looked.map(({ needless }) => needless)) / photos.length : 0,
  };
}

/** `width` as a fraction of the photo's, `covered` of the plate's area. */
interface JudgedPlate {
  readonly width: number;
  readonly covered: number;
}

function judge({ size, truths, blurred }: JudgedPlates) {
  const boxes = truths.map(({ box }) => box);
  const onPlates = (region: Box) =>
    measureJointArea(intersectAll(boxes, [region])) >= LEAST_ON_PLATE * area(region);
  const needless = measureJointArea(blurred) - measureJointArea(intersectAll(blurred, boxes));
  return {
    plates: truths
      .filter(({ crowd, box }) => !crowd && area(box) > 0)
      .map(
        ({ box }): JudgedPlate => ({
          width: box.width / size.width,
          covered: measureJointArea(intersectAll(blurred, [box])) / area(box),
        }),
      ),
    falseBlurs: blurred.filter((region) => !onPlates(region) && !holdsOne(region, boxes)).length,
    needless: needless / (size.width * size.height),
  };
}

/** Returns true if a region contains at least half of a plate, even a small plate in a wide region. */
function holdsOne(region: Box, boxes: readonly Box[]): boolean {
  return boxes.some((box) => area(box) > 0 && intersection(region, box) >= 0.5 * area(box));
}

function isWhole({ covered }: JudgedPlate): boolean {
  return covered >= WHOLE_SHARE;
}

function countPlates(plates: readonly JudgedPlate[]): PlateCounts {
  const whole = plates.filter(isWhole).length;
  const missed = plates.filter(({ covered }) => covered === 0).length;
  return {
    plates: plates.length,
    whole,
    inPart: plates.length - whole - missed,
    missed,
    recall: plates.length > 0 ? whole / plates.length : null,
  };
}

function sumValues(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
