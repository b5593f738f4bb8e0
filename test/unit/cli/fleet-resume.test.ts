import { expect, test, vi } from 'vitest';
import { computeRunKey } from '../../../src/cli/fleet/resume.ts';
import type { InspectRun } from '../../../src/cli/inspect/vehicle.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { locateTextModels } from '../../../src/vision/text/text-models.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';

vi.mock('../../../src/vision/text/text-models.ts', { spy: true });

test('a run with the models that read text, or with --all, is not that without them', async () => {
  const { ctx } = fakeTerminal({ cwd: '/', env: { VEHI_MODEL_DIR: TINY_MODELS } });
  const run = { flags: {}, ctx, settings: readSettings({}, ctx), page: {} } as unknown as InspectRun;
  const computeKey = (flags = {}) => computeRunKey({ ...run, flags }, []);
  const key = await computeKey();
  expect(await computeKey()).toBe(key);
  expect(await computeKey({ all: true })).not.toBe(key);
  vi.mocked(locateTextModels).mockResolvedValueOnce(null);
  expect(await computeKey()).not.toBe(key);
});
