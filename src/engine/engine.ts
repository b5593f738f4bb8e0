import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import type { InspectionEnvelope, Photo } from '../contract/inspection.ts';
import type { DrawnBox, Stated } from '../contract/review.ts';
import type { Placement, ReviewedEnvelope } from '../contract/review-answers.ts';
import type { Angle } from '../domain/photo.ts';
import type { PartMap } from '../domain/sight/detection.ts';
import { findViewAngle } from '../domain/sight/view-angle.ts';
import { VEHICLE_CLASSES } from '../domain/vehicle/vehicle.ts';
import { VehiError } from '../lib/errors.ts';
import { defined } from '../lib/objects.ts';
import type { Tables } from '../pricing/tables/load.ts';
import { findVehicleClass } from '../pricing/vehicle/vehicle-class.ts';
import { type AssessOptions, assess, type PriceDefaults } from './assess/assess.ts';
import { type CheckedShot, checkPhoto } from './check-photo.ts';
import type { Visit } from './compare/album.ts';
import { type Comparison, compareVisits } from './compare/comparison.ts';
import { inspect } from './inspect/inspect.ts';
import { createScheduler } from './inspect/schedule.ts';
import type { PhotoReader, Vision } from './ports.ts';
import { createPricer, type Pricer, type PricingFacts } from './pricer.ts';
import type { InspectHooks, InspectRequest, PhotoSource } from './request.ts';
import { applyDecisions } from './review/apply.ts';
import { parseDecisions, readReviewable } from './review/decisions.ts';
import { makeScene, placeDrawn, presentPlacement } from './review/place.ts';

/** Options of a single assessment. */
export interface AssessCall extends Partial<AssessOptions> {
  /** Time of the assessment; default: the engine's clock. */
  readonly now?: Date;
}

/** The engine shared by the command line, the server and the library. */
export interface Engine {
  /**
   * Inspects the photos of one vehicle.
   * @throws VehiError kind `input` for an unknown region or currency, kind `engine` when the models cannot run.
   */
  inspect(request: InspectRequest, hooks?: InspectHooks): Promise<InspectionEnvelope>;
  /**
   * Prices the damages of an assessment request; needs no models.
   * @throws VehiError kind `input` with the contract's code and field; every wrong field in `details.errors`.
   */
  assess(body: unknown, call?: AssessCall): AssessmentEnvelope;
  /**
   * Compares two inspections of one vehicle place by place, the earlier one first, re-reading the photos that the
   * visits can open. Without photos it needs no models and never reports new or repaired.
   */
  compare(before: Visit, after: Visit): Promise<Comparison>;
  /**
   * Segments the vehicle parts in one photo.
   * @throws VehiError kind `input` when the photo cannot be read
   */
  segmentParts(photo: PhotoSource): Promise<PartMap>;
  /**
   * Returns the view angle of one photo, recognized by the parts model; null if the parts do not reveal it.
   * @throws VehiError kind `input` when the photo cannot be read
   */
  viewOf(photo: PhotoSource): Promise<Angle | null>;
  /** Checks a photo just taken to show `wanted`; null for a close-up or the inside. */
  checkPhoto(photo: PhotoSource, wanted: Angle | null): Promise<CheckedShot>;
  /** Locates a box drawn on a photo and proposes its part, damage type, severity and price. */
  placeBox(map: PartMap, photo: Photo, box: DrawnBox, stated: Stated, of: InspectionEnvelope): Placement;
  /**
   * Validates review decisions and applies them to a result, then grades and prices it again.
   * @throws VehiError kind `input` for a failed inspection, an invalid decision, an unreadable photo, or no part or size
   */
  review(
    envelope: InspectionEnvelope,
    decisions: unknown,
    options?: ReviewOptions,
  ): Promise<ReviewedEnvelope>;
  /** Loads the models once. @throws VehiError kind `engine` */
  load(): Promise<void>;
  /** Waits for the calls in progress, then releases models and workers. */
  close(): Promise<void>;
}

interface ReviewOptions {
  /** Name of the reviewer, recorded in the review. */
  readonly reviewer?: string | undefined;
  /** Time of the review; default: the engine's clock. */
  readonly now?: Date;
  /** Returns the parts map of a photo with a drawn box, null if unavailable; default: segments the photo's file. */
  readonly mapOf?: (photo: Photo) => Promise<PartMap | null>;
  /** Name of the decision list in error messages. */
  readonly listName?: string;
}

/** Decoders and models. Loaded lazily, because only inspections need them and loading is slow. */
export interface Inspectors {
  readonly reader: PhotoReader;
  readonly vision: Vision;
}

interface EngineParts {
  /** Loads decoders and models; called once, and again after a failure. */
  readonly openInspectors: () => Promise<Inspectors>;
  readonly tables: Tables;
  readonly defaults: PriceDefaults;
  readonly concurrency: number;
  readonly softwareVersion: string;
  readonly now: () => Date;
}

/** Creates an engine from its dependencies. Ids derive from content and clock: equal input at one time, equal output. */
export function assembleEngine(parts: EngineParts): Engine {
  const { tables, softwareVersion } = parts;
  const schedule = createScheduler(parts.concurrency);
  let opening: Promise<Inspectors> | undefined;
  const open = (): Promise<Inspectors> => {
    opening ??= parts.openInspectors().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const running = new Set<Promise<unknown>>();
  /** Wraps a call so that the engine is closed only after it. */
  function track<Args extends unknown[], T>(call: (...args: Args) => Promise<T>) {
    return (...args: Args): Promise<T> => {
      const result = call(...args);
      running.add(result);
      const remove = () => void running.delete(result);
      result.then(remove, remove);
      return result;
    };
  }
  const segmentParts = async (source: PhotoSource): Promise<PartMap> => {
    const { reader, vision } = await open();
    const reading = await reader.read(source);
    if (!reading.ok) {
      const { code, message, found, needed } = reading.rejection;
      throw new VehiError('input', code, message, { details: { found, needed } });
    }
    const { raster, facts } = reading.photo;
    return vision.findParts({ raster, size: facts.size });
  };
  const mapOfFile = ({ url }: Photo) => segmentParts({ kind: 'file', path: url });
  return {
    inspect: track(async (request, hooks) => {
      const { region, currency } = request.options;
      const pricerFor = (vehicle?: PricingFacts) => createPricer(tables, region, currency, vehicle);
      // Refuses an unknown region or currency before the models run.
      pricerFor();
      return inspect(
        request,
        {
          ...(await open()),
          pricerFor,
          concurrency: parts.concurrency,
          schedule,
          softwareVersion,
          now: parts.now,
        },
        hooks,
      );
    }),
    assess(body, { now, ...call } = {}) {
      return assess(body, {
        tables,
        softwareVersion,
        defaults: parts.defaults,
        ...call,
        now: now === undefined ? parts.now : () => now,
      });
    },
    compare: track((before, after) =>
      compareVisits(before, after, before.openPhoto && after.openPhoto ? open : null),
    ),
    segmentParts: track(segmentParts),
    viewOf: track(async (photo) => findViewAngle(await segmentParts(photo))),
    checkPhoto: track(async (photo, wanted) => checkPhoto(photo, wanted, await open())),
    placeBox(map, photo, box, stated, envelope) {
      const placed = placeDrawn(makeScene(map, photo), photo.index, box, stated);
      return presentPlacement(placed, stated, makeResultPricer(tables, envelope));
    },
    review: track(
      async (envelope, given, { reviewer, now, mapOf = mapOfFile, listName = 'decisions' } = {}) => {
        const decisions = parseDecisions(given, readReviewable(envelope), listName);
        const photos = envelope.data.images.filter(({ index }) =>
          decisions.some((one) => one.decision === 'add' && one.image_index === index),
        );
        const scenes = await Promise.all(
          photos.map(async (photo) => {
            const map = await mapOf(photo);
            return map ? ([[photo.index, makeScene(map, photo)]] as const) : [];
          }),
        );
        return applyDecisions(envelope, decisions, {
          pricer: makeResultPricer(tables, envelope),
          scenes: new Map(scenes.flat()),
          reviewedAt: now ?? parts.now(),
          reviewer,
        });
      },
    ),
    async load() {
      await open();
    },
    async close() {
      await Promise.allSettled(running);
      const opened = await opening?.catch(() => undefined);
      await Promise.all([opened?.vision.close(), opened?.reader.close?.()]);
    },
  };
}

/**
 * Creates a pricer with the inspection's region, currency, vehicle and class. An assumed class is standard and does not
 * narrow the price range.
 */
function makeResultPricer(tables: Tables, { data, meta }: InspectionEnvelope): Pricer {
  const settled = VEHICLE_CLASSES.find((one) => one === data.results?.repair_cost.vehicle_class);
  const { class: stated, ...facts } = data.vehicle ?? {};
  const isKnown =
    settled !== 'standard' || findVehicleClass({ ...facts, class: stated }, tables) !== undefined;
  const known = defined({ class: isKnown ? settled : undefined });
  return createPricer(tables, meta.region, meta.currency, { ...facts, ...known });
}
