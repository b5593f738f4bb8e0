import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CODES, type ErrorCode, isErrorCode } from '../../contract/errors.ts';
import { MIN_IMAGE_SIZE } from '../../domain/photo-limits.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { ApiError, makeRequestError } from './api-error.ts';

/** Behavior requested by a sandbox client (`X-Vehi-Simulate: slow:2s, failed`). */
export interface Simulation {
  readonly outcome?: 'processing' | 'failed';
  readonly error?: ErrorCode;
  readonly delayMs?: number;
}

const MAX_DELAY_MS = MINUTE_MS;

function parseWord(word: string): Simulation | undefined {
  if (word === 'processing' || word === 'failed') return { outcome: word };
  if (isErrorCode(word)) return { error: word };
  const [, amount, unit] = /^slow:(\d+(?:\.\d+)?)(ms|s)$/.exec(word) ?? [];
  const delayMs = Number(amount) * (unit === 's' ? 1000 : 1);
  return delayMs <= MAX_DELAY_MS ? { delayMs } : undefined;
}

/**
 * Parses the header.
 * @throws ApiError INVALID_REQUEST for an unknown word, listing the known ones
 */
export function parseSimulation(header: string | undefined): Simulation {
  const words = (header ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const simulation: Simulation = {};
  for (const word of words) {
    const parsed = parseWord(word);
    if (!parsed) {
      throw makeRequestError(
        `X-Vehi-Simulate: unknown word "${word.slice(0, 40)}"; known are processing, failed, slow:2s, slow:200ms (up to 60s), ${ERROR_CODES.join(', ')}.`,
        'X-Vehi-Simulate',
      );
    }
    Object.assign(simulation, parsed);
  }
  return simulation;
}

const RETRY = { headers: { 'retry-after': '1' } };
const FIRST_PHOTO = {
  field: 'images[0].url',
  details: { image_index: 0, found: 'a simulated fault', needed: 'another photo' },
};

/** Fields, details and headers of simulated errors that have any, as of their most common cause. */
const ERROR_OPTIONS: Partial<Record<ErrorCode, ConstructorParameters<typeof ApiError>[2]>> = {
  MISSING_API_KEY: { headers: { 'www-authenticate': 'Bearer' } },
  INVALID_API_KEY: { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  RATE_LIMIT_EXCEEDED: RETRY,
  CONCURRENCY_LIMIT_EXCEEDED: RETRY,
  SERVICE_UNAVAILABLE: RETRY,
  INSUFFICIENT_IMAGES: { field: 'images' },
  TOO_MANY_IMAGES: { field: 'images' },
  IMAGE_QUALITY_TOO_LOW: {
    field: 'images[0].url',
    details: { image_index: 0, current_resolution: '640x480', minimum_resolution: MIN_IMAGE_SIZE },
  },
  IMAGE_TOO_LARGE: FIRST_PHOTO,
  UNSUPPORTED_IMAGE_FORMAT: FIRST_PHOTO,
  IMAGE_UNREADABLE: FIRST_PHOTO,
  IMAGE_FETCH_FAILED: { field: 'images[0].url', details: { image_index: 0, reason: 'http_404' } },
  INVALID_DAMAGE_DATA: { field: 'damages[0].location' },
  NOTHING_TO_REVIEW: { field: 'inspection_id' },
  REVIEW_CONFLICT: { field: 'revision', details: { revision: 1 } },
  IDEMPOTENCY_CONFLICT: { field: 'Idempotency-Key' },
  INVALID_REGION: { field: 'assessment_options.labor_rate_region' },
  INVALID_CURRENCY: { field: 'assessment_options.currency' },
  INSUFFICIENT_PERMISSIONS: { details: { reason: 'permission' } },
};

function makeSimulatedError(code: ErrorCode): ApiError {
  const missing = /^(\w+)_NOT_FOUND$/.exec(code)?.[1];
  const options = missing === undefined ? ERROR_OPTIONS[code] : { field: `${missing.toLowerCase()}_id` };
  return new ApiError(code, `Simulated ${code}.`, options);
}

/** Applies the simulated delay and error of a sandbox request. */
export async function applySimulation({ delayMs, error }: Simulation): Promise<void> {
  if (delayMs !== undefined) await sleep(delayMs);
  if (error !== undefined) throw makeSimulatedError(error);
}
