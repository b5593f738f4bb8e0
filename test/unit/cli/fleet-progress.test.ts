import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTimeLeft, renderBar } from '../../../src/cli/fleet/fleet-progress.ts';

describe('time left', () => {
  test.each([
    ['nothing worked yet', 5000, 0, 10, ''],
    ['nothing left', 5000, 3, 0, ''],
    ['seconds', 10_000, 2, 3, ', about 15 s left'],
    ['a part of a second is one', 10, 10, 1, ', about 1 s left'],
    ['89 seconds are seconds', 89_000, 1, 1, ', about 89 s left'],
    ['90 seconds are minutes', 90_000, 1, 1, ', about 2 min left'],
    ['minutes', 60_000, 1, 30, ', about 30 min left'],
    ['hours', 60_000, 1, 150, ', about 2.5 h left'],
  ])('%s', (_, elapsed, worked, left, words) => {
    expect(describeTimeLeft(elapsed, worked, left)).toBe(words);
  });
});

describe('the bar', () => {
  test.each([
    [0, 4, '[        ]'],
    [1, 4, '[==      ]'],
    [3, 4, '[======  ]'],
    [4, 4, '[========]'],
    [0, 0, '[========]'],
  ])('%i of %i', (done, all, drawn) => {
    expect(renderBar(done, all, 8)).toBe(drawn);
  });

  test('keeps its width, never shrinks, and is full only at the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.nat(), (all, some) => {
        const done = some % all;
        expect(renderBar(done, all, 24)).toHaveLength(26);
        expect(renderBar(done, all, 24)).toContain(' ');
        const filled = (text: string) => text.split('=').length - 1;
        expect(filled(renderBar(done + 1, all, 24))).toBeGreaterThanOrEqual(filled(renderBar(done, all, 24)));
      }),
    );
  });
});
