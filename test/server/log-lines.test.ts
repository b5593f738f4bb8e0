import { expect, it } from 'vitest';
import { gatherLines } from '../../src/server/log-lines.ts';

function start(flushMs: number) {
  const pieces: string[] = [];
  let flushed = 0;
  const lines = gatherLines(
    {
      write: (bytes) => pieces.push(bytes.toString()),
      flush: (done) => {
        flushed++;
        done?.();
      },
    },
    flushMs,
  );
  return { lines, pieces, flushes: () => flushed };
}

it('hands lines on in pieces, whole, in order and once', () => {
  const { lines, pieces } = start(1_000_000);
  const all = Array.from({ length: 1_000 }, (_, i) => `line ${i} – é\n`);
  for (const line of all) lines.write(line);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.length).toBeLessThan(100);
  lines.end();
  expect(pieces.join('')).toBe(all.join(''));
});

it('hands on what waits when asked to, and by time', async () => {
  const { lines, pieces, flushes } = start(1);
  lines.write('a\n');
  await new Promise<void>((done) => lines.flush(() => done()));
  expect([pieces, flushes()]).toEqual([['a\n'], 1]);
  lines.write('b\n');
  await expect.poll(() => pieces).toEqual(['a\n', 'b\n']);
  lines.end();
});
