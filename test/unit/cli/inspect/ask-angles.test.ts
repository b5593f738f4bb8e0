import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askAngles } from '../../../../src/cli/inspect/ask-angles.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import type { InspectRequest } from '../../../../src/engine/request.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-angles-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const request = () =>
  ({
    vehicleId: 'v',
    photos: ['a.jpg', 'b.jpg'].map((url) => ({ url, source: { kind: 'file', path: join(dir, url) } })),
  }) as unknown as InspectRequest;
const envelope = {
  data: {
    images: [
      { url: 'a.jpg', angle_source: 'unknown' },
      { url: 'b.jpg', angle_source: 'parts_seen' },
    ],
  },
} as unknown as InspectionEnvelope;

function answering(answer: string, asked: string[] = []): Asker {
  return {
    select: async (message: string, choices: readonly { value: unknown }[]) => {
      asked.push(message);
      expect(choices.map((choice) => choice.value)).toContain(answer);
      return answer;
    },
  } as unknown as Asker;
}
const manifest = () => JSON.parse(readFileSync(join(dir, 'vehi.json'), 'utf8'));

test('only what nothing told is asked; the answer is used and remembered', async () => {
  const asked: string[] = [];
  const result = await askAngles(request(), envelope, answering('rear', asked));
  expect(asked).toEqual(['What does a.jpg show?']);
  expect(result?.request.photos.map((photo) => photo.angle)).toEqual(['rear', undefined]);
  expect(manifest()).toEqual({ photos: { 'a.jpg': { angle: 'rear' } } });
  expect(readdirSync(dir)).toEqual(['vehi.json']);
});

test.each([
  [
    { vehicle_id: 'x', photos: { 'b.jpg': { angle: 'top' } } },
    { 'a.jpg': { angle: 'rear' }, 'b.jpg': { angle: 'top' } },
  ],
  [{ photos: [{ file: 'a.jpg', type: 'exterior' }] }, [{ file: 'a.jpg', type: 'exterior', angle: 'rear' }]],
])('what a manifest says otherwise stays: %j', async (before, photos) => {
  writeFileSync(join(dir, 'vehi.json'), JSON.stringify(before));
  await askAngles(request(), envelope, answering('rear'));
  expect(manifest()).toEqual({ ...before, photos });
});

test('not known is no answer: nothing is written', async () => {
  expect(await askAngles(request(), envelope, answering(''))).toBeNull();
  expect(readdirSync(dir)).toEqual([]);
});
