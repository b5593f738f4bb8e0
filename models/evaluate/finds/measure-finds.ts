import { join } from 'node:path';
import type { Size } from '../../../src/domain/geometry.ts';
import type { SizedRaster } from '../../../src/domain/photo.ts';
import type { Limits } from '../../../src/domain/sensitivity.ts';
import { mergeAcrossPhotos } from '../../../src/domain/sight/merge-across-photos.ts';
import type { Observation } from '../../../src/domain/sight/observation.ts';
import { measurePartMap } from '../../../src/domain/sight/part-map.ts';
import type { Sighting } from '../../../src/domain/sight/sighting.ts';
import { checkSize, type EvaluationPorts, mapPhotos, type PhotoFailure } from '../photo-run.ts';
import { type FindsScore, type PhotoFinds, scoreFinds } from './finds-score.ts';
import { computeIntervals, type Intervals } from './intervals.ts';
import type { LabelledPhoto } from './labelled-photos.ts';
import { scoreVehicle, type VehicleScore } from './vehicle-finds.ts';

/** Derives the findings of an inspection from one photo's detections at given limits. */
export type Understand = (
  sighting: Sighting,
  photo: { readonly index: number; readonly size: Size },
  limits: Limits,
) => readonly Observation[];

/** A labelled photo with the models' output; `D` are its detections. */
export interface SeenPhoto<D = Sighting['detections'][number]> extends Pick<Sighting, 'parts' | 'presence'> {
  readonly photo: LabelledPhoto;
  readonly detections: readonly D[];
}

/** Metrics at one confidence. */
export interface FindsAt extends FindsScore {
  readonly limit: number;
}

/** Metrics at a limit that results use, with 90 % intervals. */
export interface BoundedFinds extends FindsAt {
  readonly intervals: Intervals;
}

export interface FindsReport {
  readonly photos: number;
  /** At the limits of the given sensitivity: certain findings only, and including those to check. */
  readonly certain: BoundedFinds;
  readonly toCheck: BoundedFinds;
  /** Metrics at increasing false alarm rates on clean photos. */
  readonly curve: readonly FindsAt[];
  /** Metrics per walk-around, at both limits. */
  readonly vehicles: readonly { readonly certain: VehicleScore; readonly toCheck: VehicleScore }[];
}

/** False alarm rates of the curve, as fractions of clean photos. */
const CURVE = [0, 0.02, 0.04, 0.08, 0.16, 0.3, 0.45, 0.6];
/** Minimum number of findings that tell a precision. */
const MIN_FINDS = 10;
/** Limits are rounded to three decimals. */
const DECIMALS = 1000;

/** Runs `look` on every labelled photo. Photos that fail are listed but not counted. */
export async function lookAtLabelled<F>(
  photos: readonly LabelledPhoto[],
  folder: string,
  ports: Omit<EvaluationPorts, 'runModels'> & {
    look(picture: SizedRaster, photo: LabelledPhoto): Promise<Omit<SeenPhoto<F>, 'photo'>>;
  },
): Promise<{ results: SeenPhoto<F>[]; failures: PhotoFailure[] }> {
  return mapPhotos(photos, ports, async (photo) => {
    const picture = await ports.decode(join(folder, photo.file));
    checkSize(photo.size, picture);
    return { photo, ...(await ports.look(picture, photo)) };
  });
}

/** Findings to count: certain ones only, or all listed ones. */
interface Level {
  readonly limits: Limits;
  readonly onlyCertain: boolean;
}

/** Creates the level of certain findings above a confidence. */
export function createCertainLevel(limit: number): Level {
  return { limits: { certain: limit, toCheck: limit }, onlyCertain: true };
}

/** Creates the level of all listed findings above a confidence; certain ones start at `certain`. */
export function createListedLevel(limit: number, certain: number): Level {
  return { limits: { certain: Math.max(certain, limit), toCheck: limit }, onlyCertain: false };
}

/** Computes all metrics of the photos, at `limits` and as a curve. */
export function reportFinds(seen: readonly SeenPhoto[], limits: Limits, understand: Understand): FindsReport {
  const at = (limit: number, level: Level): FindsAt => ({
    limit,
    ...scoreFinds(listFindsAt(seen, level, understand)),
  });
  const boundedAt = (limit: number, level: Level): BoundedFinds => ({
    ...at(limit, level),
    intervals: computeIntervals(listFindsAt(seen, level, understand)),
  });
  const listed = (limit: number) => createListedLevel(limit, limits.certain);
  const clean = seen.filter(({ photo }) => photo.clean);
  const shares = clean.length > 0 ? CURVE : [];
  const vehicles = [...new Set(seen.flatMap(({ photo }) => photo.vehicle ?? []))];
  return {
    photos: seen.length,
    certain: boundedAt(limits.certain, createCertainLevel(limits.certain)),
    toCheck: boundedAt(limits.toCheck, listed(limits.toCheck)),
    curve: shares.map((share) => {
      const limit = findLimit(share, clean, understand, listed);
      return at(limit, listed(limit));
    }),
    vehicles: vehicles.map((name) => {
      const own = seen.filter(({ photo }) => photo.vehicle === name);
      const vehicleAt = (level: Level) =>
        scoreVehicle(
          name,
          own.map(({ photo }) => photo),
          listVehicleFindsAt(own, level, understand).map((cluster) => ({ evidence: cluster })),
        );
      return {
        certain: vehicleAt(createCertainLevel(limits.certain)),
        toCheck: vehicleAt(listed(limits.toCheck)),
      };
    }),
  };
}

/** Returns the lowest confidence, to three decimals, at which at most `share` of the clean photos have a finding. */
export function findLimit(
  share: number,
  clean: readonly SeenPhoto[],
  understand: Understand,
  levelAt: (limit: number) => Level,
): number {
  return findLeastLimit(clean, (limit) => {
    const said = listFindsAt(clean, levelAt(limit), understand);
    return (scoreFinds(said).cleanAlarms ?? 0) <= share;
  });
}

/** Returns the lowest confidence, to three decimals, at which no walk-around has more than `most` findings. */
export function findVehiclesLimit(
  most: number,
  vehicles: readonly (readonly SeenPhoto[])[],
  understand: Understand,
  levelAt: (limit: number) => Level,
): number {
  return findLeastLimit(vehicles.flat(), (limit) =>
    vehicles.every((photos) => listVehicleFindsAt(photos, levelAt(limit), understand).length <= most),
  );
}

/**
 * Returns the lowest confidence, in hundredths, from which on every step has at least `precision`, as far as there are
 * `MIN_FINDS` findings to tell; findings on clean photos do not count, as in `scoreFinds`.
 */
export function findPreciseLimit(
  precision: number,
  seen: readonly SeenPhoto[],
  understand: Understand,
  levelAt: (limit: number) => Level,
): number {
  for (let step = 99; step > 0; step--) {
    const { right, wrong } = scoreFinds(listFindsAt(seen, levelAt(step / 100), understand));
    if (right + wrong >= MIN_FINDS && right < precision * (right + wrong)) return (step + 1) / 100;
  }
  return 0.01;
}

/** Finds the lowest of the photos' confidences for which the monotonic condition `holds`. */
function findLeastLimit(seen: readonly SeenPhoto[], holds: (limit: number) => boolean): number {
  const confidences = seen.flatMap(({ detections }) => detections.map(({ confidence }) => confidence));
  const steps = [...new Set([0, ...confidences].map(roundUp))].sort((a, b) => a - b);
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(steps[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return steps[low] as number;
}

function roundUp(confidence: number): number {
  return Math.min(1, (Math.floor(confidence * DECIMALS) + 1) / DECIMALS);
}

function listFindsAt(seen: readonly SeenPhoto[], level: Level, understand: Understand): PhotoFinds[] {
  return seen.map((one) => ({ photo: one.photo, finds: listObservationsAt(one, 0, level, understand) }));
}

/** Lists the findings of one vehicle, each with its observations. */
function listVehicleFindsAt(
  photos: readonly SeenPhoto[],
  level: Level,
  understand: Understand,
): ReturnType<typeof mergeAcrossPhotos> {
  return mergeAcrossPhotos(photos.flatMap((one, index) => listObservationsAt(one, index, level, understand)));
}

function listObservationsAt(
  { photo, detections, parts, presence }: SeenPhoto,
  index: number,
  { limits, onlyCertain }: Level,
  understand: Understand,
): readonly Observation[] {
  const listed = detections.filter(({ confidence }) => confidence >= limits.toCheck);
  if (listed.length === 0) return [];
  const sighting = { detections: listed, parts, measured: measurePartMap(parts), presence };
  const said = understand(sighting, { index, size: photo.size }, limits);
  return onlyCertain ? said.filter(({ isCertain }) => isCertain) : said;
}
