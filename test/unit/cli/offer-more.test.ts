import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { offerMore } from '../../../src/cli/inspect/offer-more.ts';
import type { InspectRun, Vehicle } from '../../../src/cli/inspect/vehicle.ts';
import { runReview } from '../../../src/cli/review/review.run.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { answering } from '../../helpers/cli/answering.ts';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

vi.mock('../../../src/cli/review/review.run.ts', () => ({ runReview: vi.fn() }));

const { folder, at, read, write } = openFolder('offer-more');

/** Offers follow-ups on a result of a vehicle named `vehi`; the user gives these answers. */
async function offer(flags: object, answers: readonly string[]) {
  const inspection = exampleInspection({ damages: 1, photos: 1, rich: false, vehicleId: 'vehi' });
  const { ctx, stderr } = fakeTerminal({ cwd: folder });
  const settings = readSettings(flags, ctx);
  const redaction = { isOn: true };
  const run = { flags, ctx, settings, redaction, page: {}, now: ctx.now } as unknown as InspectRun;
  const vehicle = { gathered: { photos: [], problems: [], vehiJsonPaths: [] } } as unknown as Vehicle;
  const result = { inspection, assessment: null, photos: { folders: [], paths: {} } };
  await offerMore(result, vehicle, run, async () => answering([...answers, 'done']));
  return { ctx, stderr };
}

test('a name that would overwrite something is refused, and the result can be kept by another', async () => {
  write('vehi.json', '{"vehicle_id": "vehi"}');
  write('regions.json', 'regions');
  const answers = ['review', '', 'json', 'regions.json', 'json', 'kept.json'];
  const { stderr } = await offer({ regions: 'regions.json' }, answers);
  expect(stderr()).toContain("vehi: vehi.json would overwrite vehi.json, a file of vehi's own.");
  expect(stderr()).toContain('vehi: regions.json would overwrite regions.json, the file of --regions');
  expect(stderr()).toContain('Write to another place; nothing was changed.');
  expect([read('vehi.json'), read('regions.json')]).toEqual(['{"vehicle_id": "vehi"}', 'regions']);
  expect(existsSync(at('kept.json'))).toBe(true);
});

test('the review uses the models and the time of the inspection', async () => {
  const given = { models: 'own-models', now: '2026-01-02T03:04:05Z' };
  const { ctx } = await offer({ ...given, quiet: true }, ['review', 'own.json']);
  expect(runReview).toHaveBeenCalledExactlyOnceWith('own.json', given, ctx);
});
