import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askAngles } from '../../../../src/cli/inspect/ask-angles.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import type { PhotoInput } from '../../../../src/engine/request.ts';

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

test('the angles named are those of the photos asked for; asking writes nothing', async () => {
  const photos = here();
  const angles = await askAngles(photos, answering(['rear', '', 'top']));
  expect(photos.map((photo) => angles.get(photo))).toEqual(['rear', undefined, 'top']);
  expect(readdirSync(dir)).toEqual([]);
});
