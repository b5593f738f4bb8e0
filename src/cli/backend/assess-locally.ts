import { type Settings, text } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import { assess } from '../../engine/assess/assess.ts';
import { tablesWith } from '../../engine/pricer.ts';
import { contentId } from '../../lib/ids.ts';
import { packageVersion } from '../../lib/version.ts';

/**
 * Prices a request on this machine, by the tables and defaults of the settings. `callOf` tells one call from another:
 * the request's id is made of it. @throws VehiError for a request that is wrong.
 */
export async function assessLocally(
  request: unknown,
  settings: Settings,
  now: () => Date,
  callOf: () => readonly string[],
): Promise<AssessmentEnvelope> {
  return assess(request, {
    tables: await tablesWith(text(settings.regions) ?? undefined),
    defaults: { region: text(settings.region) ?? '', currency: text(settings.currency) ?? '' },
    softwareVersion: packageVersion(),
    now,
    assessmentId: (digest) => contentId('asmt', digest),
    requestId: () => contentId('req', callOf()),
  });
}
