import type { InspectionEnvelope, RejectedImage } from '../../contract/inspection.ts';
import { SCHEMA_VERSION } from '../../contract/schema-version.ts';
import { mergeFiles } from '../../domain/claim-file.ts';
import { coverVehicle } from '../../domain/judge/vehicle-coverage.ts';
import { findSide } from '../../domain/parts.ts';
import { findContinuations } from '../../domain/sight/continuation.ts';
import { listMissingViews } from '../../domain/sight/coverage.ts';
import { toModelVersion } from '../../domain/sight/detection.ts';
import { findDuplicates } from '../../domain/sight/duplicates.ts';
import { mergeAcrossPhotos } from '../../domain/sight/merge.ts';
import { groupByPaint } from '../../domain/sight/paint.ts';
import { joinPlaces } from '../../domain/sight/places.ts';
import { deepFreeze } from '../../lib/deep-freeze.ts';
import { defined } from '../../lib/defined.ts';
import type { Pricer } from '../ports.ts';
import type { InspectHooks, InspectOptions, InspectRequest } from '../request.ts';
import { createGrounds } from './grounds.ts';
import { type LookDeps, lookAtAll } from './look.ts';
import type { PhotoFindings } from './observe.ts';
import { presentFind } from './present-find.ts';
import {
  groupWarnings,
  type Looked,
  listCoverageWarnings,
  listNotAssessed,
  presentGroups,
  presentPhoto,
} from './present-photos.ts';
import { priceFinds } from './price-finds.ts';
import { createResults } from './results.ts';

/** What an inspection works with; every door passes its own. */
export interface InspectDeps extends LookDeps {
  readonly pricer: Pricer;
  readonly softwareVersion: string;
  now(): Date;
  /** `digest` identifies version, photos, models with their limits, tables and options, for ids that repeat. */
  inspectionId(digest: readonly string[]): string;
  requestId(): string;
}

/**
 * Inspects the photos of one vehicle: read → see → understand → merge → price. Photos that break a rule are listed in
 * `rejected_images`; with none left the result has status `failed`.
 * @throws VehiError kind `engine` when the models cannot run.
 */
export async function inspect(
  request: InspectRequest,
  deps: InspectDeps,
  hooks: InspectHooks = {},
): Promise<InspectionEnvelope> {
  const started = deps.now();
  hooks.onEvent?.({ kind: 'started', photos: request.photos.length });
  const rejected: RejectedImage[] = [];
  const looked = await lookAtAll(request, deps, hooks, rejected);
  const finished = deps.now();

  const usable = looked.filter((one) => one !== null);
  const duplicates = findDuplicates(
    usable.map((one, index) => ({ index, ...one.facts, perceptualHash: one.perceptualHash })),
  );
  const photos = usable.map((one, index) =>
    presentPhoto(
      one,
      index,
      duplicates.find((d) => d.index === index),
      usable,
    ),
  );
  const partial =
    Boolean(hooks.signal?.aborted) &&
    looked.length > 0 &&
    usable.length + rejected.length < request.photos.length;

  const repeats = new Set(duplicates.filter((d) => d.kind === 'duplicate').map((d) => d.index));
  const observations = usable.flatMap((one, index) =>
    repeats.has(index) ? [] : (one.findings?.observations ?? []).map((found) => ({ ...found, photo: index })),
  );
  const groups = request.options.oneVehicle
    ? [[...usable.keys()]]
    : groupByPaint(usable.map((one) => one.paint));
  const vehicles = presentGroups(groups, usable);
  const places = groups.flatMap((group) =>
    joinPlaces(mergeAcrossPhotos(observations.filter(({ photo }) => group.includes(photo)))),
  );
  const finds = priceFinds(places, deps.pricer);
  const pictures = usable.map((one) => ({ url: one.input.url, size: one.facts.size }));
  const all = [...finds.damages, ...finds.toCheck];
  const continued = findContinuations(all.map(({ cluster }) => cluster));
  const present = (list: typeof finds.damages) =>
    list.map((find) =>
      presentFind(find, pictures, request.options.detailed, continued[all.indexOf(find)] ?? []),
    );
  const [damages, toCheck] = [present(finds.damages), present(finds.toCheck)];
  const shown = usable.flatMap((one, photo) =>
    (one.findings?.views ?? []).map((view) => ({ ...view, photo })),
  );
  const views = listMissingViews(
    photos.filter((photo) => photo.analysed).map((photo) => photo.angle),
    shown.flatMap(({ part, reason }) =>
      /^(front_door|rear_door|quarter)/.test(part) && reason !== 'mostly_hidden' ? [findSide(part)] : [],
    ),
  );
  const covered = coverVehicle(shown);
  const failure = explainFailure(usable);
  const results = failure
    ? null
    : createResults(damages, toCheck, {
        ...createGrounds(covered, toCheck, photos),
        pricer: deps.pricer,
        hiddenDamage: request.options.hiddenDamage,
        vehicles: groups.length,
        notAssessed: listNotAssessed(photos, views, covered),
        dropped: {
          not_on_vehicle: countAll(usable, (findings) => findings.notOnVehicle),
          implausible: countAll(usable, (findings) => findings.implausible),
          below_confidence: countAll(usable, (findings) => findings.belowConfidence),
        },
      });
  const seconds = Math.round((finished.getTime() - started.getTime()) / 10) / 100;
  return deepFreeze<InspectionEnvelope>({
    status: 'success',
    data: {
      inspection_id: request.id ?? deps.inspectionId(listContent(request, usable, deps)),
      vehicle_id: request.vehicleId,
      status: failure ? 'failed' : 'completed',
      created_at: request.createdAt ?? started.toISOString(),
      completed_at: finished.toISOString(),
      processing_time: seconds,
      results,
      reports: { pdf_url: null, json_url: null },
      images: photos,
      rejected_images: listRejected(request, rejected),
      missing_views: [...views],
      warnings: [...listCoverageWarnings(photos.length), ...groupWarnings(vehicles)],
      vehicle_groups: vehicles,
      settings: {
        sensitivity: request.options.sensitivity,
        min_confidence: request.options.minConfidence,
        ...ownLimitsUsed(request.options),
      },
      models: deps.vision.models.map((model) => ({ ...model })),
      region: { ...deps.pricer.region },
      partial,
      ...(failure ? { failure } : {}),
      ...mergeFiles({}, defined({ claim: request.claim, vehicle: request.identity })),
    },
    meta: {
      request_id: request.requestId ?? deps.requestId(),
      processing_time: seconds,
      images_processed: usable.length,
      ai_model_version: toModelVersion(deps.vision.models),
      schema_version: SCHEMA_VERSION,
      software_version: deps.softwareVersion,
      region: deps.pricer.region.code,
      labor_rate_used: deps.pricer.laborRate,
      currency: deps.pricer.currency,
      ...(deps.pricer.fx ? { fx: { ...deps.pricer.fx } } : {}),
      ...(deps.pricer.partsFx ? { parts_fx: { ...deps.pricer.partsFx } } : {}),
      ...defined({ warnings: request.ignored }),
    },
  });
}

function ownLimitsUsed({ sensitivity, ownLimits = {} }: InspectOptions) {
  const { certain, toCheck } = sensitivity === 'default' ? ownLimits : {};
  return {
    ...defined({ certain_from: certain, to_check_from: toCheck }),
  };
}

/** Returns why there is no result: no photo could be used, or none shows a vehicle from outside. */
function explainFailure(usable: readonly Looked[]): { code: string; message: string } | null {
  if (usable.length === 0) return { code: 'NO_USABLE_PHOTOS', message: 'None of the photos can be used.' };
  if (usable.some((one) => one.findings?.vehicle.seen)) return null;
  return { code: 'NO_VEHICLE', message: 'No photo shows the outside of a vehicle.' };
}

function listContent(
  request: InspectRequest,
  looked: readonly Looked[],
  deps: InspectDeps,
): readonly string[] {
  return [
    deps.softwareVersion,
    request.vehicleId,
    JSON.stringify(request.options),
    deps.pricer.region.table_version,
    deps.pricer.vehicleClass,
    ...deps.vision.models.map(({ sha256, rules_sha256: rules }) => `${sha256} ${rules ?? ''}`),
    ...looked.map((one) => `${one.facts.sha256} ${one.input.angle ?? ''} ${one.input.type ?? ''}`),
  ];
}

function countAll(looked: readonly Looked[], count: (findings: PhotoFindings) => number): number {
  return looked.reduce((all, one) => all + (one.findings ? count(one.findings) : 0), 0);
}

/** Returns what was left out before and what was rejected now. */
function listRejected(
  { rejected = [], photos, order }: InspectRequest,
  now: readonly RejectedImage[],
): RejectedImage[] {
  const places = order ?? photos.map(({ url }) => url);
  const inOrder = (list: readonly RejectedImage[]) =>
    [...list].sort((a, b) => places.indexOf(a.url) - places.indexOf(b.url));
  return order ? inOrder([...rejected, ...now]) : [...rejected, ...inOrder(now)];
}
