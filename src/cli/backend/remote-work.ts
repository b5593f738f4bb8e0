import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExplicit, type Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import { ERRORS, isErrorCode } from '../../contract/errors.ts';
import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type { RawRequest } from '../../engine/assess/of-inspection.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { InspectRequest, PhotoInput } from '../../engine/request.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { readAssessmentOptions } from './assessment-options.ts';
import type { Remote } from './remote.ts';

const PATH = '/v1/inspections/visual';
const POLL_MS = 1_000;

/** Returns the region and currency set explicitly; without them, the service applies its own defaults. */
function readChosenPrices(settings: Settings): { labor_rate_region?: string; currency?: string } {
  const region = readExplicit(settings.region)?.toUpperCase();
  const currency = readExplicit(settings.currency)?.toUpperCase();
  return { ...defined({ labor_rate_region: region, currency }) };
}

function describeImage({ url, angle, type }: PhotoInput, index: number) {
  if (angle) return { url: uploadName(index), angle, type: type ?? 'exterior' };
  throw new VehiError(
    'input',
    'INVALID_REQUEST',
    `${url}: the angle of the photo is not known, and a service needs it.`,
    { field: `images[${index}].angle`, hint: 'Name it in the file name (front_left.jpg) or in vehi.json.' },
  );
}

async function buildForm(
  { vehicleId, photos, options }: InspectRequest,
  settings: Settings,
): Promise<FormData> {
  const request = {
    vehicle_id: vehicleId,
    images: photos.map(describeImage),
    options: {
      detailed_analysis: options.detailed,
      detect_hidden_damage: options.hiddenDamage,
      ...(options.oneVehicle ? { one_vehicle: true } : {}),
      // Matches local behaviour: unusable photos are reported, and the others inspected.
      skip_unusable_images: true,
      ...readChosenPrices(settings),
    },
  };
  const form = new FormData();
  form.set('request', JSON.stringify(request));
  for (const [index, { source }] of photos.entries()) {
    const bytes = source.kind === 'bytes' ? source.bytes : await readFile(source.path);
    form.append('photos', new Blob([Uint8Array.from(bytes)]), uploadName(index));
  }
  return form;
}

async function awaitFinished(
  remote: Remote,
  created: InspectionEnvelope,
  waitSeconds: number,
): Promise<InspectionEnvelope> {
  let { data } = created;
  const path = `${PATH}/${data.inspection_id}`;
  const deadlineMs = performance.now() + waitSeconds * 1000;
  while (data.status === 'processing') {
    if (performance.now() > deadlineMs) {
      throw new VehiError(
        'remote',
        'STILL_PROCESSING',
        `the service has not finished ${data.inspection_id} after ${waitSeconds} s.`,
        { hint: `Its result will be at ${remote.access.baseUrl}${path}; VEHI_WAIT=SECONDS waits longer.` },
      );
    }
    await sleep(POLL_MS);
    data = (await remote.get<{ data: VisualInspection }>(path)).data;
  }
  const { processing_time, images } = data;
  return { ...created, data, meta: { ...created.meta, processing_time, images_processed: images.length } };
}

/**
 * Verifies that an inspection did not fail on the service.
 * @throws VehiError input for a fault of a photo, remote otherwise
 */
function checkOutcome({ data }: InspectionEnvelope): void {
  // If all photos were rejected, the result lists each with its reason, as on this machine.
  if (data.status !== 'failed' || data.rejected_images.length > 0) return;
  if (data.failure?.code === 'NO_VEHICLE') return;
  const { code = 'INTERNAL_ERROR', message = '' } = data.failure ?? {};
  const isInputFault = isErrorCode(code) && ERRORS[code].type === 'validation_error';
  throw new VehiError(
    isInputFault ? 'input' : 'remote',
    code,
    `the service could not inspect the photos: ${message} (${code})`,
    {
      hint: isInputFault
        ? 'Leave out that photo, or take it again.'
        : `Try again; the inspection is ${data.inspection_id}.`,
    },
  );
}

/** Returns the name of an upload, chosen not to occur elsewhere in a response. */
const uploadName = (index: number) => `vehi-upload-${index}`;

/** Replaces upload names in a text with the caller's photo names. */
function restoreNamesInText(text: string, photos: readonly PhotoInput[]): string {
  return text.replaceAll(
    /\bvehi-upload-(\d+)\b|\bImage (\d+)\b/g,
    (name, upload, index) => photos[Number(upload ?? index)]?.url ?? name,
  );
}

/** Replaces upload names with the caller's photo names in all strings of a value. */
function restoreNames<T>(value: T, photos: readonly PhotoInput[]): T {
  if (typeof value === 'string') return restoreNamesInText(value, photos) as T;
  if (Array.isArray(value)) return value.map((one) => restoreNames(one, photos)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, restoreNames(inner, photos)]),
  ) as T;
}

/**
 * Converts the service's response to the result of the local engine: with the caller's photo names, the source of each
 * angle (a service treats every angle as stated), the photos rejected beforehand, and the claim and vehicle references.
 */
function convertResponse(response: InspectionEnvelope, request: InspectRequest): InspectionEnvelope {
  const { photos, rejected = [], claim, identity } = request;
  const renamed = restoreNames(response, photos);
  const sources = new Map(photos.map(({ url, angleSource }) => [url, angleSource] as const));
  const images = renamed.data.images.map((image) => ({
    ...image,
    angle_source: sources.get(image.url) ?? image.angle_source,
  }));
  const rejected_images = [...rejected, ...renamed.data.rejected_images];
  const result = { ...renamed, data: { ...renamed.data, images, rejected_images } };
  return endInspection(result, { file: { ...defined({ claim, vehicle: identity }) } });
}

/** Replaces `images[2]` in an error of the service with the photo's name. */
function renameInError(error: unknown, photos: readonly PhotoInput[]): unknown {
  if (!(error instanceof VehiError)) return error;
  const photo = photos[Number(/^images\[(\d+)\]/.exec(error.field ?? '')?.[1] ?? -1)];
  if (photo === undefined) return error;
  const { kind, code, message, hint, field, details } = error;
  return new VehiError(kind, code, `${photo.url}: ${restoreNamesInText(message, photos)}`, {
    hint: hint ?? 'Leave out that photo, or take it again.',
    field,
    details,
    cause: error,
  });
}

/**
 * Uploads photos to a service, waits for the inspection and returns the equivalent of `engine.inspect`.
 * @throws VehiError input if a photo has no known angle (required by the service) or is rejected; remote if the service
 * is unreachable, rejects the key, fails, or exceeds `waitSeconds`
 */
export async function inspectRemotely(
  remote: Remote,
  request: InspectRequest,
  settings: Settings,
  waitSeconds: number,
): Promise<InspectionEnvelope> {
  const { photos } = request;
  try {
    const created = await remote.send<InspectionEnvelope>('POST', PATH, await buildForm(request, settings));
    const done = await awaitFinished(remote, created, waitSeconds);
    checkOutcome(done);
    return convertResponse(done, request);
  } catch (error) {
    throw renameInError(error, photos);
  }
}

/**
 * Prices damages on a service. If the service does not know the inspection, the damages are priced without the link to
 * it, and `unlinked` is its id.
 */
export async function assessRemotely(
  remote: Remote,
  request: RawRequest,
  settings: Settings,
): Promise<{ envelope: AssessmentEnvelope; unlinked?: string }> {
  const post = (body: RawRequest) =>
    remote.send<AssessmentEnvelope>('POST', '/v1/inspections/damage-assessment', body);
  const options = readAssessmentOptions(request);
  const body =
    options === null
      ? request
      : { ...request, assessment_options: { ...readChosenPrices(settings), ...options } };
  try {
    return { envelope: await post(body) };
  } catch (error) {
    const isUnknownInspection = error instanceof VehiError && error.code === 'INSPECTION_NOT_FOUND';
    const { inspection_id: unlinked, ...unlinkedBody } = body;
    if (!isUnknownInspection || typeof unlinked !== 'string') throw error;
    return { envelope: await post(unlinkedBody), unlinked };
  }
}
