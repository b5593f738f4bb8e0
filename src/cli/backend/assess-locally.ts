import type { Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessCall } from '../../engine/engine.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { createLocalEngine } from './inspect-locally.ts';
import { toUsageError } from './setting-faults.ts';

/** Prices a request on this machine with the tables of the settings. @throws VehiError for an invalid request */
export async function assessLocally(
  request: unknown,
  settings: Settings,
  now: () => Date,
  call: AssessCall = {},
): Promise<AssessmentEnvelope> {
  const engine = await createLocalEngine(settings, now, 'when-needed');
  try {
    return engine.assess(request, call);
  } catch (error) {
    throw isFromSettings(error, request) ? toUsageError(error, settings) : error;
  } finally {
    await engine.close();
  }
}

const OPTION_OF_CODE: Readonly<Record<string, string>> = {
  INVALID_REGION: 'labor_rate_region',
  INVALID_CURRENCY: 'currency',
};

/** Returns true if an invalid region or currency comes from the settings, because the request has none. */
function isFromSettings(error: unknown, request: unknown): boolean {
  if (!(error instanceof VehiError)) return false;
  const options = isObject(request) && isObject(request.assessment_options) ? request.assessment_options : {};
  const option = OPTION_OF_CODE[error.code];
  return option !== undefined && options[option] === undefined;
}
