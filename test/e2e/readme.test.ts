import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PICTURES, README, readmeWith, shownOutput } from '../helpers/readme.ts';

describe('README', () => {
  test('shows what the demo photos give (npm run readme)', async () => {
    expect(readFileSync(README, 'utf8')).toBe(readmeWith(await shownOutput()));
  });

  test('its pictures are there and small', () => {
    const text = readFileSync(README, 'utf8');
    const names = readdirSync(PICTURES);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(text).toContain(`(fixtures/readme/${name})`);
    const bytes = names.reduce((sum, name) => sum + statSync(join(PICTURES, name)).size, 0);
    expect(bytes).toBeLessThan(300_000);
  });
});
