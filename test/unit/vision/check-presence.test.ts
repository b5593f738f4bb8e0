import { expect, it } from 'vitest';
import { checkPresence } from '../../../src/vision/check-presence.ts';
import type { RunnableModel } from '../../../src/vision/run/protocol.ts';

const CLASSIFIER = {} as RunnableModel<'classifier'>;
const CHECK = { model: { threshold: 0.5 } } as RunnableModel<'vehicle'>;
const RASTER = { data: new Uint8Array(3), width: 1, height: 1 };

it.each([
  ['the classifier is sure, the check sees none', 5, 0, true],
  ['both are in doubt', 1, 0.2, false],
  ['the classifier is in doubt, the check is sure', 1, 0.9, true],
  ['the classifier denies it, the check is sure', -2, 0.9, false],
])('%s', async (_, logOdds, score, isVehicle) => {
  const calls = { readVehicleLogOdds: async () => logOdds, readVehicleConfidence: async () => score };
  const presence = await checkPresence(CLASSIFIER, CHECK, calls, RASTER);
  expect(presence && presence.score >= presence.limit).toBe(isVehicle);
});
