import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  askAngles,
  listManifests,
  rememberAngles,
  withAngles,
} from '../../../../src/cli/inspect/ask-angles.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import type { InspectRequest, PhotoInput } from '../../../../src/engine/request.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-angles-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const here = () => ['a.jpg', 'b.jpg', 'c.jpg'].map((url) => photoIn(url));
function photoIn(url: string): PhotoInput {
  return { url, source: { kind: 'file', path: join(dir, url) } };
}

function answering(answers: readonly string[], asked: string[] = []): Asker {
  const left = [...answers];
  return {
    select: async (message: string, choices: readonly { value: unknown }[]) => {
      asked.push(message);
      const answer = left.shift();
      expect(choices.map((choice) => choice.value)).toContain(answer);
      return answer;
    },
  } as unknown as Asker;
}
const manifest = () => JSON.parse(readFileSync(join(dir, 'vehi.json'), 'utf8'));

test("don't know goes on to the next photo, skip all ends the questions", async () => {
  const asked: string[] = [];
  const photos = here();
  const angles = await askAngles(photos, answering(['', 'skip_all'], asked));
  expect(asked).toEqual(['What does a.jpg show?', 'What does b.jpg show?']);
  expect(angles.size).toBe(0);
});

test('the last photo offers nothing to skip', async () => {
  await expect(askAngles(here().slice(0, 1), answering(['skip_all']))).rejects.toThrow();
});

test('the angles named are those of the request; asking writes nothing', async () => {
  const photos = here();
  const angles = await askAngles(photos, answering(['rear', '', 'top']));
  const request = { vehicleId: 'v', photos } as unknown as InspectRequest;
  expect(withAngles(request, angles).photos.map(({ angle }) => angle)).toEqual(['rear', undefined, 'top']);
  expect(listManifests(angles)).toEqual([join(dir, 'vehi.json')]);
  expect(readdirSync(dir)).toEqual([]);
});

test('photos keep their sources, by which it is known that they were seen', async () => {
  const photos = here();
  const angles = await askAngles(photos, answering(['rear', 'skip_all']));
  const request = { vehicleId: 'v', photos } as unknown as InspectRequest;
  for (const [index, { source }] of withAngles(request, angles).photos.entries())
    expect(source).toBe(photos[index]?.source);
});

test.each([
  [undefined, { photos: { 'a.jpg': { angle: 'rear' } } }],
  [
    { vehicle_id: 'x', photos: { 'b.jpg': { angle: 'top' } } },
    { vehicle_id: 'x', photos: { 'a.jpg': { angle: 'rear' }, 'b.jpg': { angle: 'top' } } },
  ],
  [
    { photos: [{ file: 'a.jpg', type: 'exterior' }] },
    { photos: [{ file: 'a.jpg', type: 'exterior', angle: 'rear' }] },
  ],
])('remembered along with what the manifest says: %j', async (before, after) => {
  if (before) writeFileSync(join(dir, 'vehi.json'), JSON.stringify(before));
  expect(await rememberAngles(new Map([[photoIn('a.jpg'), 'rear']]))).toEqual([join(dir, 'vehi.json')]);
  expect(manifest()).toEqual(after);
  expect(readdirSync(dir)).toEqual(['vehi.json']);
});
