import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, type AccessOptions, findAccess } from '../config/credentials.ts';
import { loadSettings, text } from '../config/settings.ts';
import type { AssessmentEnvelope } from '../contract/assessment.ts';
import type { InspectionEnvelope, VisualInspection } from '../contract/inspection.ts';
import { VehiError } from '../domain/errors.ts';
import type { PhotoInput } from '../engine/request.ts';
import type { CliContext } from './context.ts';

/** A service under /v1, spoken to with a key. */
export interface Remote {
  readonly access: Access;
  get<T>(path: string): Promise<T>;
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
}

const TIMEOUT_MS = 120_000;

/** What to do about the errors of a service, by code. */
const HINTS: Readonly<Record<string, string>> = {
  MISSING_API_KEY: 'Run vehi auth login, or set VEHI_API_KEY.',
  INVALID_API_KEY:
    'Check that the key is for this environment (dev_ for the sandbox, prod_ for production) and has not been revoked; then run vehi auth login.',
  INSUFFICIENT_PERMISSIONS: 'Use a key with this permission, or ask the account holder (plan, suspension).',
  RATE_LIMIT_EXCEEDED: 'Wait, or ask for a plan with a higher limit.',
  CONCURRENCY_LIMIT_EXCEEDED: 'Send fewer requests at the same time.',
  SERVICE_UNAVAILABLE: 'The service is busy; try again in a minute.',
  NOT_FOUND: 'Check the address of the service (--base-url): it must be the part before /v1.',
};

/** Service failures as errors of the command line: rejected input (exit 3) or remote (exit 5). */
function failure(status: number, body: unknown, baseUrl: string): VehiError {
  const error = (
    body as
      | {
          error?: {
            code?: string;
            message?: string;
            type?: string;
            field?: string;
            details?: Record<string, unknown>;
          };
        }
      | undefined
  )?.error;
  if (!error?.code) {
    return new VehiError('remote', 'NOT_A_SERVICE', `${baseUrl} answered ${status} and is no vehi service`, {
      hint: 'Check --base-url.',
    });
  }
  const { code, message = '', type, field, details } = error;
  const hint = HINTS[code];
  return new VehiError(
    type === 'validation_error' ? 'input' : 'remote',
    code,
    `the service says: ${message} (${code})`,
    {
      ...(hint === undefined ? {} : { hint }),
      ...(field === undefined ? {} : { field }),
      ...(details === undefined ? {} : { details }),
    },
  );
}

function unreachable(baseUrl: string, error: unknown): VehiError {
  const { cause, name } = error as { cause?: { code?: string; message?: string }; name?: string };
  const why =
    name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? cause?.message ?? 'no connection');
  return new VehiError('remote', 'UNREACHABLE', `cannot reach ${baseUrl} (${why})`, {
    hint: 'Check the address (--base-url), the network, and that the service runs.',
    cause: error,
  });
}

/** The client of one service. */
export function createRemote(access: Access): Remote {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const form = body instanceof FormData;
    let answer: Response;
    let content: string;
    try {
      answer = await fetch(`${access.baseUrl}${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${access.apiKey}`,
          accept: 'application/json',
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      });
      content = await answer.text();
    } catch (error) {
      throw unreachable(access.baseUrl, error);
    }
    let parsed: unknown;
    try {
      parsed = content === '' ? undefined : JSON.parse(content);
    } catch {
      parsed = undefined;
    }
    if (!answer.ok) throw failure(answer.status, parsed, access.baseUrl);
    if (answer.status !== 204 && (parsed as { status?: unknown } | undefined)?.status !== 'success') {
      throw failure(answer.status, undefined, access.baseUrl);
    }
    return parsed as T;
  }
  return { access, get: (path) => call('GET', path), send: (method, path, body) => call(method, path, body) };
}

/** The service that flags, environment and stored profiles name. @throws VehiError kind `remote` when they name none. */
export function openRemote(options: AccessOptions, ctx: CliContext): Remote {
  const baseUrl = text(loadSettings({ base_url: options.baseUrl }, ctx.env, ctx.cwd).base_url) ?? undefined;
  if (baseUrl !== undefined && !/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new VehiError(
      'usage',
      'INVALID_OPTION',
      `--base-url is "${baseUrl}"; an http or https address is needed.`,
    );
  }
  return createRemote(findAccess({ ...options, baseUrl }, ctx.env));
}

/** An inspection to be done by a service. */
export interface RemoteInspection {
  readonly vehicleId: string;
  readonly photos: readonly PhotoInput[];
  readonly detailed: boolean;
  readonly hiddenDamage: boolean;
  readonly region: string | undefined;
  readonly currency: string | undefined;
}

const POLL_MS = 1_000;

async function waitFor(
  remote: Remote,
  first: InspectionEnvelope,
  signal: AbortSignal | undefined,
): Promise<InspectionEnvelope> {
  let { data } = first;
  while (data.status === 'processing') {
    await sleep(POLL_MS, undefined, signal ? { signal } : {});
    data = (await remote.get<{ data: VisualInspection }>(`/v1/inspections/visual/${data.inspection_id}`))
      .data;
  }
  const { processing_time } = data;
  return { ...first, data, meta: { ...first.meta, processing_time, images_processed: data.images.length } };
}

/**
 * Uploads photos to a service, waits until they are inspected and returns what `engine.inspect` would.
 * @throws VehiError input when a photo has no known angle (the service needs one) or the service refuses it; remote
 * when the service cannot be reached or refuses the key.
 */
export async function inspectRemotely(
  remote: Remote,
  inspection: RemoteInspection,
  signal?: AbortSignal,
): Promise<InspectionEnvelope> {
  const form = new FormData();
  const images = inspection.photos.map(({ url, angle, type }, index) => {
    if (!angle) {
      throw new VehiError(
        'input',
        'INVALID_REQUEST',
        `${url}: the angle of the photo is not known, and a service needs it`,
        {
          field: `images[${index}].angle`,
          hint: 'Name it in the file name (front_left.jpg) or in vehi.json.',
        },
      );
    }
    return { url: `photo-${index}`, angle, type: type ?? 'exterior' };
  });
  const options = {
    detailed_analysis: inspection.detailed,
    detect_hidden_damage: inspection.hiddenDamage,
    ...(inspection.region === undefined ? {} : { labor_rate_region: inspection.region }),
    ...(inspection.currency === undefined ? {} : { currency: inspection.currency }),
  };
  form.set('request', JSON.stringify({ vehicle_id: inspection.vehicleId, images, options }));
  for (const [index, { source }] of inspection.photos.entries()) {
    const bytes = source.kind === 'bytes' ? source.bytes : await readFile(source.path);
    form.append('photos', new Blob([Uint8Array.from(bytes)]), `photo-${index}`);
  }
  const done = await waitFor(
    remote,
    await remote.send<InspectionEnvelope>('POST', '/v1/inspections/visual', form),
    signal,
  );
  return withOwnNames(done, inspection.photos);
}

/** The service knows the uploads by number; the caller knows them by path. */
function withOwnNames(envelope: InspectionEnvelope, photos: readonly PhotoInput[]): InspectionEnvelope {
  const own = (url: string) => photos[Number(/^photo-(\d+)$/.exec(url)?.[1] ?? -1)]?.url ?? url;
  const { data } = envelope;
  const results = data.results && {
    ...data.results,
    damages: data.results.damages.map((damage) => ({
      ...damage,
      image_url: own(damage.image_url),
      evidence: damage.evidence.map((one) => ({ ...one, image_url: own(one.image_url) })),
    })),
  };
  return {
    ...envelope,
    data: { ...data, results, images: data.images.map((image) => ({ ...image, url: own(image.url) })) },
  };
}

/** Sends an assessment request, as it came from a file, to a service. */
export function assessRemotely(remote: Remote, request: unknown): Promise<AssessmentEnvelope> {
  return remote.send('POST', '/v1/inspections/damage-assessment', request);
}
