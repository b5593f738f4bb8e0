import { type Box, type Size, scaleBox } from '../domain/geometry.ts';
import type { GrayImage, SizedRaster } from '../domain/photo.ts';
import { isVehicleUncertain } from '../domain/sight/check-vehicle.ts';
import {
  DETECTOR_LABELS,
  type Detection,
  type DetectorLabel,
  type PartMap,
} from '../domain/sight/detection.ts';
import { measurePartMap } from '../domain/sight/part-map.ts';
import type { Plate } from '../domain/sight/plate.ts';
import type { Sighting } from '../domain/sight/sighting.ts';
import { VehiError } from '../lib/errors.ts';
import { mergePasses } from './boxes/merge-boxes.ts';
import { listTiles } from './boxes/tiles.ts';
import { findVehicleRegion } from './boxes/vehicle-region.ts';
import { checkPresence } from './check-presence.ts';
import type { PhotoPasses } from './judge/features.ts';
import { type Judge, judge } from './judge/judge.ts';
import { type Candidate, listCandidates, weighCandidates } from './judge/weigh-candidates.ts';
import { bindModelCalls, type Resize } from './model-calls.ts';
import { calibrate, listInspectingModels, listLimits } from './models/manifest.ts';
import { loadJudge, loadManifest, locateModel, recordModelUsed, verifyModel } from './models/model-files.ts';
import { findPlates } from './plates/find-plates.ts';
import { checkRotation } from './rotation.ts';
import { countDefaultThreads } from './run/threads.ts';
import { createWorkerPool } from './run/worker-pool.ts';
import { openTextReader } from './text/text-reader.ts';

/** Minimum confidence of a detection, whichever limits apply. */
const MIN_CONFIDENCE = 0.02;

export interface VisionOptions {
  /** Folder with `manifest.json` and the model files. */
  readonly modelDir: string;
  readonly resize: Resize;
  /** Number of inference threads; default: the processors available to this process. */
  readonly threads?: number;
  /** Skips the judge's weights, which may be from another version; detections keep the detector's confidence. */
  readonly skipJudge?: boolean;
}

/** What the models see in a photo; boxes in pixels of the upright original. */
interface ModelOutputs<D extends Detection = Detection> extends Sighting {
  readonly detections: readonly D[];
}

/** Likewise with the features of each detection. */
export type CandidateOutputs = ModelOutputs<Candidate>;

/** Likewise with the passes; boxes in pixels of the raster. */
type RasterOutputs<D extends Detection = Detection> = ModelOutputs<D> & PhotoPasses;

/** The loaded models: `Vision` of `engine/ports.ts`, and the stages of `detect` for measuring and fitting. */
export type PhotoVision = Awaited<ReturnType<typeof createVision>>;

/**
 * Validates the models and starts loading them in worker threads, without waiting for the threads.
 * @throws VehiError kind `engine` if the manifest or a file, except the vehicle check's, is missing or invalid.
 */
export async function createVision(options: VisionOptions) {
  const { resize, threads = await countDefaultThreads() } = options;
  const models = await openModels(options, threads);
  const { manifest, judges, damage, parts, classifier, plates, vehicleCheck } = models;
  const pool = createWorkerPool(threads);
  // Starts loading while the first photo is decoded. Failures are ignored here, because the first run reports them.
  for (const model of [parts, classifier, damage, plates]) if (model) pool.load(model).catch(() => undefined);
  const calls = bindModelCalls(damage, parts, pool, resize);
  const { findParts, findPartsAndDamage, detect: detectIn, classify } = calls;
  let reader: ReturnType<typeof openTextReader> | undefined;
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;

  async function runModels({ raster }: SizedRaster): Promise<RasterOutputs> {
    const [map, whole] = await findPartsAndDamage(raster);
    const tiles = listTiles(raster, findVehicleRegion(map, raster), manifest.damage.input);
    const measured = measurePartMap(map);
    const [presence, rotation, ...closer] = await Promise.all([
      classifier && vehicleCheck && isVehicleUncertain(measured)
        ? checkPresence(classifier, vehicleCheck, calls, raster)
        : undefined,
      checkRotation(measured, (quarters) => calls.measureRotatedCertainty(raster, quarters)),
      ...tiles.map((tile) => detectIn(damage, raster, tile)),
    ]);
    const { nms_iou, calibration } = manifest.damage;
    const detections = mergePasses(whole, closer, raster, nms_iou).map(({ label: at, box, score }) => {
      const label = DETECTOR_LABELS[at] as DetectorLabel;
      return { label, box, score, confidence: calibrate(calibration[label], score) };
    });
    return { detections, whole, closer, parts: map, raster, measured, presence, rotation };
  }

  async function findCandidates(photo: SizedRaster): Promise<RasterOutputs<Candidate>> {
    const outputs = await runModels(photo);
    return { ...outputs, detections: listCandidates(outputs.detections, outputs) };
  }

  async function scoreCandidates(photo: SizedRaster, first: Judge): Promise<RasterOutputs<Candidate>> {
    const outputs = await findCandidates(photo);
    const classifyBox = classifier && ((box: Box) => classify(classifier, photo.raster, box));
    return {
      ...outputs,
      detections: await weighCandidates(outputs.detections, first, outputs, classifyBox),
    };
  }

  /** Wraps a function so that the models stay open until it completes. */
  function trackInFlight<Args extends unknown[], T>(work: (...args: Args) => Promise<T>) {
    return async (...args: Args): Promise<T> => {
      if (isClosed) throw new VehiError('engine', 'VISION_CLOSED', 'the models are closed already.');
      const result = work(...args);
      inFlight.add(result);
      const removeInFlight = () => inFlight.delete(result);
      result.then(removeInFlight, removeInFlight);
      return result;
    };
  }

  async function judgePhoto(photo: SizedRaster): Promise<RasterOutputs> {
    if (judges === undefined) return runModels(photo);
    const { first, second } = judges;
    const outputs = await scoreCandidates(photo, first);
    if (!second || !classifier) return outputs;
    return {
      ...outputs,
      detections: outputs.detections.map((one) => ({ ...one, confidence: judge(second, one.features) })),
    };
  }

  return {
    models: listInspectingModels(manifest).map(recordModelUsed),
    limits: listLimits(manifest.damage),
    /** Returns judged detections by confidence, descending, without the least likely. */
    detect: trackInFlight(async (photo: SizedRaster): Promise<Sighting> => {
      const { detections: all, ...outputs } = toPhoto(photo, await judgePhoto(photo));
      const detections = all
        .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
        .map(({ label, box, confidence, score }) => ({ label, box, confidence, score }))
        .sort((a, b) => b.confidence - a.confidence);
      return { detections, ...outputs };
    }),
    /** Runs only the detector, the parts model and, if in doubt, the vehicle check; for measurements. */
    runModels: trackInFlight(async (photo: SizedRaster) => toPhoto(photo, await runModels(photo))),
    /** Lists training samples for the first judge, with `FIRST_FEATURES`; `confidence` comes from the detector. */
    listCandidates: trackInFlight(async (photo: SizedRaster) => toPhoto(photo, await findCandidates(photo))),
    /**
     * Lists the detections that pass `first`, for fitting: with `FEATURES` if there is a classifier, else with
     * `FIRST_FEATURES`. `confidence` comes from the first judge.
     */
    scoreCandidates: trackInFlight(async (photo: SizedRaster, first: Judge) =>
      toPhoto(photo, await scoreCandidates(photo, first)),
    ),
    findPlates: trackInFlight(async (photo: SizedRaster, map: PartMap | null) =>
      plates === undefined ? null : findPlates(plates, calls, photo, map),
    ),
    // The text models load on first use.
    readFacts: trackInFlight(async (photo: SizedRaster, found: readonly Plate[], readsLines: boolean) => {
      if (found.length === 0 && !readsLines) return [];
      reader ??= openTextReader(pool, resize);
      return (await reader)?.readFacts(photo, found, readsLines) ?? null;
    }),
    readPrintedTime: trackInFlight(async ({ raster }: SizedRaster) => {
      reader ??= openTextReader(pool, resize);
      return (await reader)?.readPrintedTime(raster);
    }),
    findParts: trackInFlight(({ raster }: SizedRaster) => findParts(raster)),
    classifyAt: trackInFlight(async ({ raster, size }: SizedRaster, boxes: readonly Box[]) => {
      if (classifier === undefined) return null;
      const scale: Size = { width: raster.width / size.width, height: raster.height / size.height };
      const pending = boxes.map((box) => classify(classifier, raster, scaleBox(box, scale)));
      return (await Promise.all(pending)).map(({ damage: probability }) => probability);
    }),
    findPoints: trackInFlight(async (image: GrayImage, { labels, bestLabels, width, height }: PartMap) => {
      const allowed = bestLabels.map((label) => Number(labels[label] !== 'background'));
      return pool.findPoints(image, { width, height, allowed });
    }),
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await pool.drain();
    },
  };
}

/** Reads the manifest and verifies the model files, except those of the vehicle check, which is seldom needed. */
async function openModels({ modelDir, skipJudge = false }: VisionOptions, threads: number) {
  const manifest = await loadManifest(modelDir);
  // A copy takes memory: 90 MB of the parts model, 40 MB of the classifier. A third of the threads is enough, because the
  // former runs once per photo, and the latter, for up to 20 boxes, takes about a third of the time of all models.
  const maxThreads = Math.ceil(threads / 3);
  return {
    manifest,
    judges: skipJudge ? undefined : await loadJudge(modelDir, manifest.damage),
    damage: await verifyModel(modelDir, manifest.damage),
    plates: manifest.plates && (await verifyModel(modelDir, manifest.plates)),
    parts: { ...(await verifyModel(modelDir, manifest.parts)), maxThreads },
    classifier: manifest.classifier && {
      ...(await verifyModel(modelDir, manifest.classifier)),
      maxThreads,
    },
    vehicleCheck: manifest.vehicle && { ...locateModel(modelDir, manifest.vehicle), maxThreads: 1 },
  };
}

/** Converts detections to pixels of the upright original, dropping fields that only the judge needs. */
function toPhoto<D extends Detection>(
  { raster, size }: SizedRaster,
  { detections, parts, measured, presence, rotation }: RasterOutputs<D>,
): ModelOutputs<D> {
  const scale = { width: size.width / raster.width, height: size.height / raster.height };
  const inPhoto = detections.map((one) => ({ ...one, box: scaleBox(one.box, scale) }));
  return { detections: inPhoto, parts, measured, presence, rotation };
}
