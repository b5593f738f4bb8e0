import { SCHEMA_VERSION } from '../../contract/constants.ts';
import type { InspectionEnvelope, InspectionMeta, RejectedImage } from '../../contract/inspection.ts';
import { toModelVersion } from '../../domain/model-used.ts';
import { findDuplicates } from '../../domain/sight/duplicates.ts';
import { joinPlaces } from '../../domain/sight/join-places.ts';
import { mergeAcrossPhotos } from '../../domain/sight/merge-across-photos.ts';
import { nameColor } from '../../domain/sight/paint.ts';
import { groupByVehicle } from '../../domain/sight/vehicles.ts';
import { mergeClaimFiles } from '../../domain/vehicle/claim-file.ts';
import { readPlateKey } from '../../domain/vehicle/read-facts.ts';
import { EQUIPMENT_FACTS } from '../../domain/vehicle/vehicle.ts';
import { toSeconds } from '../../lib/durations.ts';
import { makeContentId } from '../../lib/ids.ts';
import { deepFreeze, defined, pick } from '../../lib/objects.ts';
import type { Pricer, PricingFacts } from '../pricer.ts';
import type { InspectHooks, InspectOptions, InspectRequest } from '../request.ts';
import {
  type AnalysisDeps,
  type AnalyzedPhoto,
  type AnalyzedPhotos,
  analyzePhotos,
  findOwnLimits,
} from './analyze-photos.ts';
import { identify } from './finish.ts';
import { createGrounds } from './grounds.ts';
import { summarizePhotos } from './photo-coverage.ts';
import { listCoverageWarnings, listVehicleWarnings, TEXT_UNREAD } from './photo-warnings.ts';
import { presentFinding } from './present-finding.ts';
import { presentGroups, presentPhoto } from './present-photos.ts';
import { priceFindings } from './price-findings.ts';
import { createResults } from './results.ts';
import { type Findings, gradeVehicles } from './vehicle-results.ts';

export interface InspectDeps extends AnalysisDeps {
  /** Creates the pricer for a vehicle from its facts, stated or read in its photos. */
  pricerFor(vehicle: PricingFacts): Pricer;
  readonly softwareVersion: string;
  now(): Date;
}

/**
 * Inspects the photos of one vehicle: analyze → join → identify → list findings → grade → present. Invalid photos are
 * listed in `rejected_images`; if none of the others shows a vehicle, the result has status `failed`.
 * @throws VehiError kind `engine` when the models cannot run.
 */
export async function inspect(
  request: InspectRequest,
  deps: InspectDeps,
  hooks: InspectHooks = {},
): Promise<InspectionEnvelope> {
  const started = deps.now();
  const analyzed = await analyzePhotos(request, deps, hooks);
  const finished = deps.now();
  const joined = joinPhotos(analyzed.usable, request.options);
  const identified = identify(request.vehicle, joined.photos, joined.vehicleGroups, started);
  const pricer = deps.pricerFor(identified.vehicle);
  const findings = listFindings(joined, request.options, pricer);
  const graded = gradeAndPrice(joined, findings, request.options, pricer);
  const times = { started, finished };
  return presentInspection(analyzed, joined, graded, identified, times, request, { ...deps, pricer });
}

type PricedDeps = InspectDeps & { readonly pricer: Pricer };

/** Marks duplicate photos, groups photos by vehicle, and merges observations of the same damage. */
function joinPhotos(usable: readonly AnalyzedPhoto[], { oneVehicle }: InspectOptions) {
  const duplicates = findDuplicates(
    usable.map((one, index) => ({ index, ...one.facts, perceptualHash: one.perceptualHash })),
  );
  const repeats = new Set(duplicates.filter((d) => d.kind === 'duplicate').map((d) => d.index));
  const observations = usable.flatMap((one, index) =>
    repeats.has(index) ? [] : (one.findings?.observations ?? []).map((found) => ({ ...found, photo: index })),
  );
  const groups = oneVehicle
    ? [[...usable.keys()]]
    : groupByVehicle(
        usable.map(
          ({ appearance, facts: { takenAt }, read }) =>
            appearance && { ...appearance, takenAt, plate: readPlateKey(read) },
        ),
      );
  const photos = usable.map((one, index) => {
    const duplicate = duplicates.find((d) => d.index === index);
    return presentPhoto(one, index, duplicate, usable);
  });
  const colorOf = (images: readonly number[]) =>
    nameColor(images.flatMap((index) => usable[index]?.appearance?.paint ?? []));
  return {
    usable,
    photos,
    /** Photos by vehicle; empty if they show one. */
    vehicleGroups: presentGroups(groups, photos, colorOf),
    places: groups.flatMap((group) =>
      joinPlaces(mergeAcrossPhotos(observations.filter(({ photo }) => group.includes(photo)))),
    ),
  };
}

/** The usable photos, grouped by vehicle, and their observations, merged. */
type Joined = ReturnType<typeof joinPhotos>;

/** Lists the findings in wire format, each priced on its own. */
function listFindings({ places, photos }: Joined, { detailed }: InspectOptions, pricer: Pricer): Findings {
  const { damages, toCheck } = priceFindings(places, pricer);
  const presentAll = (list: typeof damages) =>
    list.map((finding) => presentFinding(finding, photos, detailed));
  return { damages: presentAll(damages), toCheck: presentAll(toCheck) };
}

/**
 * Grades and prices the vehicle by its findings and photo coverage; if there are several vehicles, each separately.
 * @returns no results if the vehicle cannot be judged, with the reason in `failure`
 */
function gradeAndPrice(
  { usable, photos, vehicleGroups }: Joined,
  findings: Findings,
  { hiddenDamage }: InspectOptions,
  pricer: Pricer,
) {
  const summary = summarizePhotos(photos);
  const failure = explainFailure(usable);
  if (failure) return { results: null, failure, missingViews: summary.missingViews };
  const results = gradeVehicles(vehicleGroups, findings, ({ damages, toCheck }, vehicles, group) => {
    const { coverage, notAssessed, dropped } = group
      ? summarizePhotos(photos.filter(({ index }) => group.images.includes(index)))
      : summary;
    return createResults(damages, toCheck, {
      ...createGrounds(coverage, toCheck, photos),
      notAssessed,
      dropped,
      pricer,
      hiddenDamage,
      vehicles,
    });
  });
  return { results, failure, missingViews: summary.missingViews };
}

/** Builds the finished result, frozen. */
function presentInspection(
  { rejected, partial }: AnalyzedPhotos,
  { usable, photos, vehicleGroups }: Joined,
  { results, failure, missingViews }: ReturnType<typeof gradeAndPrice>,
  identified: ReturnType<typeof identify>,
  { started, finished }: { started: Date; finished: Date },
  request: InspectRequest,
  deps: PricedDeps,
): InspectionEnvelope {
  const { vehicleId, id, createdAt, options, claim } = request;
  const ownLimits = findOwnLimits(deps.vision, options);
  const seconds = toSeconds(finished.getTime() - started.getTime());
  return deepFreeze<InspectionEnvelope>({
    status: 'success',
    data: {
      inspection_id: id ?? makeContentId('vis', listIdParts(request, usable, identified.vehicle, deps)),
      vehicle_id: vehicleId,
      status: failure ? 'failed' : 'completed',
      created_at: createdAt ?? started.toISOString(),
      completed_at: finished.toISOString(),
      processing_time: seconds,
      results,
      reports: { pdf_url: null, json_url: null },
      images: [...photos],
      rejected_images: listRejected(request, rejected),
      missing_views: [...missingViews],
      warnings: [
        ...listCoverageWarnings(photos.length),
        ...listVehicleWarnings(vehicleGroups),
        ...identified.warnings,
        ...(usable.some(({ read }) => read === null) ? [TEXT_UNREAD] : []),
      ],
      vehicle_groups: [...vehicleGroups],
      settings: {
        sensitivity: options.sensitivity,
        min_confidence: options.minConfidence,
        ...(ownLimits ? { certain_from: ownLimits.certain, to_check_from: ownLimits.toCheck } : {}),
        ...(options.detailed ? { detailed: true as const } : {}),
      },
      models: deps.vision.models.map((model) => ({ ...model })),
      region: { ...deps.pricer.region },
      partial,
      ...(failure ? { failure } : {}),
      ...mergeClaimFiles({}, defined({ claim, vehicle: identified.vehicle })),
    },
    meta: presentMeta(usable.length, seconds, request, deps),
  });
}

function presentMeta(
  photoCount: number,
  seconds: number,
  { requestId, ignored, vehicleId, photos }: InspectRequest,
  { pricer, vision, ...deps }: PricedDeps,
): InspectionMeta {
  return {
    request_id:
      requestId ?? makeContentId('req', [vehicleId, deps.now().toISOString(), String(photos.length)]),
    processing_time: seconds,
    images_processed: photoCount,
    ai_model_version: toModelVersion(vision.models),
    schema_version: SCHEMA_VERSION,
    software_version: deps.softwareVersion,
    region: pricer.region.code,
    labor_rate_used: pricer.laborRate,
    currency: pricer.currency,
    ...defined({ fx: pricer.fx, parts_fx: pricer.partsFx, warnings: ignored }),
  };
}

/** Explains a missing result: no usable photo, or no exterior photo of a vehicle. */
function explainFailure(usable: readonly AnalyzedPhoto[]): { code: string; message: string } | null {
  if (usable.length === 0) return { code: 'NO_USABLE_PHOTOS', message: 'None of the photos can be used.' };
  if (usable.some((one) => one.findings?.vehicle.passed)) return null;
  const analyzed = usable.flatMap(({ findings }) => findings ?? []);
  const areRotated = analyzed.length > 0 && analyzed.every(({ isRotated }) => isRotated);
  const message = areRotated
    ? 'The photos look turned on their side or upside down: turn them upright and inspect them again.'
    : 'No photo shows the outside of a vehicle.';
  return { code: 'NO_VEHICLE', message };
}

/** Lists what an id is derived from: version, photos, models with limits, region table, vehicle and options. */
function listIdParts(
  request: InspectRequest,
  analyzed: readonly AnalyzedPhoto[],
  vehicle: PricingFacts,
  deps: PricedDeps,
): readonly string[] {
  return [
    deps.softwareVersion,
    request.vehicleId,
    JSON.stringify(request.options),
    deps.pricer.region.table_version,
    deps.pricer.vehicleClass,
    ...Object.entries(pick(vehicle, ['year', 'paint', ...EQUIPMENT_FACTS])).map((fact) => fact.join(' ')),
    ...deps.vision.models.map(({ sha256, rules_sha256: rules }) => `${sha256} ${rules ?? ''}`),
    ...analyzed.map((one) => `${one.facts.sha256} ${one.input.angle ?? ''} ${one.input.type ?? ''}`),
  ];
}

/** Lists the photos excluded before the inspection and those rejected by it, in the order of the request. */
function listRejected(
  { rejected = [], photos, order }: InspectRequest,
  newlyRejected: readonly RejectedImage[],
): RejectedImage[] {
  const urls = order ?? [...rejected, ...photos].map(({ url }) => url);
  return [...rejected, ...newlyRejected].sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url));
}
