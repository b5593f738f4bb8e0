import type { Box } from '../../src/domain/geometry.ts';
import { COCO_IOUS, computeAveragePrecision, countBoxes, matchFindings } from './average-precision.ts';
import {
  binByConfidence,
  computeCalibrationError,
  type Prediction,
  type ReliabilityBin,
} from './calibration-error.ts';
import { addToConfusion, type Confusion } from './confusion.ts';
import type { Truth } from './match.ts';

/** A finding before thresholding: class, box, raw score and calibrated confidence. */
export interface ScoredFinding {
  readonly label: string;
  readonly box: Box;
  readonly score: number;
  readonly confidence: number;
}

/** One photo with ground truth and findings; boxes in pixels of the photo. */
export interface JudgedPhoto {
  /** Classes labelled in this photo; findings of others are ignored. */
  readonly labelled: ReadonlySet<string>;
  readonly truths: readonly (Truth & { readonly label: string })[];
  readonly findings: readonly ScoredFinding[];
}

interface ClassScore {
  readonly boxes: number;
  readonly ap50: number | null;
  readonly ap50To95: number | null;
  /** From `SHOWN_FROM`, at IoU 0.5. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly findings: number;
  /** Share of clean photos with a finding of this class from `SHOWN_FROM`. */
  readonly cleanPhotosWithAlarm: number | null;
}

export interface DamageScore {
  readonly photos: number;
  readonly classes: Readonly<Record<string, ClassScore>>;
  /** Mean over the classes with boxes. */
  readonly meanAp50: number | null;
  readonly meanAp50To95: number | null;
  /** Over all classes, from `SHOWN_FROM`. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly clean: {
    readonly photos: number;
    readonly withAlarm: number | null;
    readonly alarmsPerPhoto: number | null;
  };
  /** For findings from `CALIBRATED_FROM`. */
  readonly calibration: {
    readonly error: number | null;
    readonly findings: number;
    readonly bins: readonly ReliabilityBin[];
  };
  readonly confusion: Confusion;
}

/** Confidence from which findings are counted, and from which calibration is measured; lower ones are mostly noise. */
const SHOWN_FROM = 0.5;
const CALIBRATED_FROM = 0.1;

/** Scores a detector over photos. `clean`: undamaged photos, in addition to those of `photos` without a box. */
export function scoreDamage(
  labels: readonly string[],
  photos: readonly JudgedPhoto[],
  clean: readonly JudgedPhoto[],
): DamageScore {
  const spotless = [...photos.filter(({ truths }) => truths.length === 0), ...clean];
  const shown = (photo: JudgedPhoto) =>
    photo.findings.filter(({ label, confidence }) => photo.labelled.has(label) && confidence >= SHOWN_FROM);
  const alarms = spotless.map((photo) => shown(photo));
  const rows = labels.map((label) => scoreClass(label, photos, spotless, alarms));
  const predictions = labels.flatMap((label) => collectPredictions(label, photos));
  const confusion: Confusion = {};
  for (const photo of photos) {
    const truths = photo.truths.filter(({ label, crowd }) => !crowd && photo.labelled.has(label));
    addToConfusion(
      confusion,
      shown(photo).toSorted((a, b) => b.confidence - a.confidence),
      truths,
    );
  }
  const total = (value: (row: ClassCounts) => number) => rows.reduce((sum, row) => sum + value(row), 0);
  return {
    photos: photos.length,
    classes: Object.fromEntries(rows.map(({ label, score }) => [label, score])),
    meanAp50: computeMean(rows.map(({ score }) => score.ap50)),
    meanAp50To95: computeMean(rows.map(({ score }) => score.ap50To95)),
    precision: computeShare(
      total(({ hits }) => hits),
      total(({ score }) => score.findings),
    ),
    recall: computeShare(
      total(({ hits }) => hits),
      total(({ score }) => score.boxes),
    ),
    clean: {
      photos: spotless.length,
      withAlarm: computeShare(alarms.filter((found) => found.length > 0).length, spotless.length),
      alarmsPerPhoto: computeShare(alarms.flat().length, spotless.length),
    },
    calibration: {
      error: computeCalibrationError(predictions) ?? null,
      findings: predictions.length,
      bins: binByConfidence(predictions),
    },
    confusion,
  };
}

interface ClassCounts {
  readonly label: string;
  readonly hits: number;
  readonly score: ClassScore;
}

function scoreClass(
  label: string,
  photos: readonly JudgedPhoto[],
  spotless: readonly JudgedPhoto[],
  alarms: readonly (readonly ScoredFinding[])[],
): ClassCounts {
  const images = collectImages(label, photos);
  const boxes = countBoxes(images);
  const perIou = COCO_IOUS.map((minIou) => computeAveragePrecision(images, minIou) ?? null);
  const verdicts = images
    .map(({ found, truths }) => ({
      found: found.filter(({ confidence }) => confidence >= SHOWN_FROM),
      truths,
    }))
    .flatMap((image) => matchFindings(image, 0.5))
    .filter(({ verdict }) => verdict !== 'ignored');
  const hits = verdicts.filter(({ verdict }) => verdict === 'hit').length;
  const judged = spotless.map(({ labelled }) => labelled.has(label));
  const alarmed = alarms.filter((found) => found.some((one) => one.label === label)).length;
  const score = {
    boxes,
    ap50: perIou[0] ?? null,
    ap50To95: computeMean(perIou),
    precision: computeShare(hits, verdicts.length),
    recall: computeShare(hits, boxes),
    findings: verdicts.length,
    cleanPhotosWithAlarm: computeShare(alarmed, judged.filter(Boolean).length),
  };
  return { label, hits, score };
}

function collectPredictions(label: string, photos: readonly JudgedPhoto[]): Prediction[] {
  return collectImages(label, photos)
    .flatMap((image) => matchFindings(image, 0.5))
    .filter(({ verdict, confidence }) => verdict !== 'ignored' && confidence >= CALIBRATED_FROM)
    .map(({ verdict, confidence }) => ({ confidence, isCorrect: verdict === 'hit' }));
}

function collectImages(
  label: string,
  photos: readonly JudgedPhoto[],
): { found: ScoredFinding[]; truths: Truth[] }[] {
  return photos
    .filter(({ labelled }) => labelled.has(label))
    .map(({ truths, findings }) => ({
      found: findings.filter((one) => one.label === label),
      truths: truths.filter((one) => one.label === label),
    }));
}

function computeMean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return computeShare(
    known.reduce((sum, value) => sum + value, 0),
    known.length,
  );
}

function computeShare(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
