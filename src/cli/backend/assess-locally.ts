import type { Settings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import type { AssessCall } from '../../engine/engine.ts';
import { engineFor } from './inspect-locally.ts';

/** Prices a request on this machine, by the tables and defaults of the settings. @throws VehiError for a request that is wrong. */
export async function assessLocally(
  request: unknown,
  settings: Settings,
  now: () => Date,
  call: AssessCall = {},
): Promise<AssessmentEnvelope> {
  const engine = await engineFor(settings, now, 'when-needed');
  return engine.assess(request, call);
}
