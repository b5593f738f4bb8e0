import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { offerMore } from '../../../src/cli/inspect/offer-more.ts';
import type { InspectRun, Vehicle } from '../../../src/cli/inspect/vehicle.ts';
import type { Asker } from '../../../src/cli/terminal/asker.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const dir = makeOwnFolder('offer-more');

test('a name that would overwrite something is refused, and the result can be kept by another', async () => {
  const facts = '{"vehicle_id": "vehi"}';
  writeFileSync(join(dir, 'vehi.json'), facts);
  writeFileSync(join(dir, 'regions.json'), 'regions');
  const inspection = exampleInspection({ damages: 1, photos: 1, rich: false });
  inspection.data.vehicle_id = 'vehi';
  const terminal = fakeTerminal({ cwd: dir });
  const flags = { regions: 'regions.json' };
  const settings = readSettings(flags, terminal.ctx);
  const vehicle = { gathered: { photos: [], problems: [], manifests: [] } } as unknown as Vehicle;
  const run = {
    flags,
    settings,
    redaction: { isOn: true },
    page: {},
    now: terminal.ctx.now,
  } as unknown as InspectRun;
  const chosen = ['review', 'json', 'json', 'done'];
  const typed = ['', 'regions.json', 'kept.json'];
  const asker = {
    select: async () => chosen.shift(),
    input: async (_: string, _check: unknown, fallback: string) => typed.shift() || fallback,
  } as unknown as Asker;
  const result = { inspection, assessment: null, photos: { folders: [], paths: {} } };
  await offerMore(result, vehicle, run, terminal.ctx, async () => asker);
  expect(terminal.stderr()).toContain("vehi: vehi.json would overwrite vehi.json, a file of vehi's own.");
  expect(terminal.stderr()).toContain(
    'vehi: regions.json would overwrite regions.json, the file of --regions',
  );
  expect(readFileSync(join(dir, 'vehi.json'), 'utf8')).toBe(facts);
  expect(readFileSync(join(dir, 'regions.json'), 'utf8')).toBe('regions');
  expect(existsSync(join(dir, 'kept.json'))).toBe(true);
  expect(chosen).toEqual([]);
});
