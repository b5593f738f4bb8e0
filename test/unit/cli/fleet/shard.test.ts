import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInShard, isSummary, nameSummary, parseShard } from '../../../../src/cli/fleet/shard.ts';
import { ROOT } from '../../../helpers/cli/run-cli.ts';

describe('a shard of a fleet', () => {
  test.each([
    ['1/1', { index: 1, of: 1 }],
    [' 3/16 ', { index: 3, of: 16 }],
    ['16/16', { index: 16, of: 16 }],
  ])('%s is read', (value, shard) => {
    expect(parseShard(value)).toEqual(shard);
  });

  test.each([
    ['', 'for example 3/16'],
    ['/16', 'for example 3/16'],
    ['3', 'for example 3/16'],
    ['3-of-16', 'for example 3/16'],
    ['-1/16', 'for example 3/16'],
    ['1.5/2', 'for example 3/16'],
    ['0/16', '1/16 to 16/16'],
    ['17/16', '1/16 to 16/16'],
    ['1/0', '1 to 100000 shards'],
    ['1/1000000', '1 to 100000 shards'],
  ])('"%s" is refused', (value, words) => {
    expect(() => parseShard(value)).toThrow(words);
  });

  test('every name falls to exactly one shard', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 40 }), (name, of) => {
        const shards = Array.from({ length: of }, (_, i) => ({ index: i + 1, of }));
        expect(shards.filter((shard) => isInShard(shard, name))).toHaveLength(1);
      }),
    );
  });

  // printf %s car_1 | sha256sum ends in 330, which is 0 modulo 16.
  test.each([
    ['car_1', { index: 1, of: 16 }],
    ['Zo\u00eb', 'Zoe\u0308'],
  ] as const)('%s falls where any other machine sees it fall', (name, other) => {
    const shardOf = (one: string) =>
      Array.from({ length: 16 }, (_, i) => ({ index: i + 1, of: 16 })).find((shard) => isInShard(shard, one));
    expect(shardOf(name)).toEqual(typeof other === 'string' ? shardOf(other) : other);
  });

  test('each shard has a summary of its own, whose name no result takes', () => {
    expect(nameSummary(undefined)).toBe('summary.csv');
    expect(nameSummary({ index: 3, of: 16 })).toBe('summary-3-of-16.csv');
    expect(['summary', 'Summary-3-of-16', 'summary-3'].map(isSummary)).toEqual([true, true, false]);
  });

  test('every scheduler in the documents names the last shard as this command reads it', () => {
    const documented = readFileSync(join(ROOT, 'docs/using/fleets.md'), 'utf8');
    const given = [...documented.matchAll(/--shard (\$.+)$/gm)].map(([, value = '']) => value);
    expect(given).toHaveLength(2);
    const env = { SLURM_ARRAY_TASK_ID: '16', JOB_COMPLETION_INDEX: '15' };
    for (const value of given) {
      const shown = execFileSync('sh', ['-c', `printf %s ${value}`], { env, encoding: 'utf8' });
      expect(parseShard(shown)).toEqual({ index: 16, of: 16 });
    }
  });
});
