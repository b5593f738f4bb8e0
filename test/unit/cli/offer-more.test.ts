import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { offerMore } from '../../../src/cli/inspect/offer-more.ts';
import type { InspectRun, Vehicle } from '../../../src/cli/inspect/vehicle.ts';
import { runReview } from '../../../src/cli/review/review.run.ts';
import type { Asker } from '../../../src/cli/terminal/asker.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

vi.mock('../../../src/cli/review/review.run.ts', () => ({ runReview: vi.fn() }));

const dir = makeOwnFolder('offer-more');

/** Offers follow-ups on a result; the user chooses these and types these answers. */
async function offer(flags: InspectRun['flags'], chosen: string[], typed: string[]) {
  const inspection = exampleInspection({ damages: 1, photos: 1, rich: false });
  inspection.data.vehicle_id = 'vehi';
  const terminal = fakeTerminal({ cwd: dir });
  const settings = readSettings(flags, terminal.ctx);
  const vehicle = { gathered: { photos: [], problems: [], vehiJsonPaths: [] } } as unknown as Vehicle;
  const run = {
    flags,
    settings,
    redaction: { isOn: true },
    page: {},
    now: terminal.ctx.now,
  } as unknown as InspectRun;
  const asker = {
    select: async () => chosen.shift(),
    input: async (_: string, _check: unknown, fallback: string) => typed.shift() || fallback,
  } as unknown as Asker;
  const result = { inspection, assessment: null, photos: { folders: [], paths: {} } };
  await offerMore(result, vehicle, run, terminal.ctx, async () => asker);
  expect(chosen).toEqual([]);
  return terminal;
}

test('a name that would overwrite something is refused, and the result can be kept by another', async () => {
  const facts = '{"vehicle_id": "vehi"}';
  writeFileSync(join(dir, 'vehi.json'), facts);
  writeFileSync(join(dir, 'regions.json'), 'regions');
  const terminal = await offer(
    { regions: 'regions.json' } as InspectRun['flags'],
    ['review', 'json', 'json', 'done'],
    ['', 'regions.json', 'kept.json'],
  );
  expect(terminal.stderr()).toContain("vehi: vehi.json would overwrite vehi.json, a file of vehi's own.");
  expect(terminal.stderr()).toContain(
    'vehi: regions.json would overwrite regions.json, the file of --regions',
  );
  expect(terminal.stderr()).toContain('Write to another place; nothing was changed.');
  expect(readFileSync(join(dir, 'vehi.json'), 'utf8')).toBe(facts);
  expect(readFileSync(join(dir, 'regions.json'), 'utf8')).toBe('regions');
  expect(existsSync(join(dir, 'kept.json'))).toBe(true);
});

test('the review uses the models and the time of the inspection', async () => {
  const given = { models: 'own-models', now: '2026-01-02T03:04:05Z' };
  const { ctx } = await offer(
    { ...given, quiet: true } as InspectRun['flags'],
    ['review', 'done'],
    ['own.json'],
  );
  expect(runReview).toHaveBeenCalledExactlyOnceWith('own.json', given, ctx);
});
