import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, test } from 'vitest';
import { makeClaimFolder, NOW, runIn } from '../../helpers/cli/claim-folder.ts';

const { folder } = await makeClaimFolder();
mkdirSync(join(folder, 'fleet/one'), { recursive: true });

const SOURCES = ['--fail-on', 'VEHI_FAIL_ON', 'vehi.config.json', 'config/vehi/config.json'] as const;
type Source = (typeof SOURCES)[number];

/** Runs a command line with the conditions from one source. */
async function runWith(source: Source, conditions: string, line: string) {
  const words = [...line.split(' '), ...(source === '--fail-on' ? [source, conditions] : [])];
  const file = source.endsWith('.json') ? join(folder, source) : null;
  if (file !== null) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ fail_on: conditions }));
  }
  const env = source === 'VEHI_FAIL_ON' ? { VEHI_FAIL_ON: conditions } : {};
  try {
    return await runIn(folder, words, '', { XDG_CONFIG_HOME: join(folder, 'config'), ...env });
  } finally {
    if (file !== null) rmSync(file);
  }
}

const REFUSED = [
  ['inspect photos', 'chargeable'],
  ['inspect photos', 'severe,minor'],
  ['inspect --many fleet -o res', 'chargeable'],
  ['assess --damage hood:dent:severe', 'chargeable'],
  ['assess --damage hood:dent:severe', 'score<6'],
  ['assess --damage hood:dent:severe', 'unchecked'],
  ['assess --damage hood:dent:severe', 'new'],
  ['report result.json --format junit', 'chargeable'],
  ['report result.json --format junit', 'cost>5000'],
  ['compare result.json result.json', 'chargeable'],
] as const;

it.each(REFUSED.flatMap(([line, conditions]) => SOURCES.map((source) => ({ line, conditions, source }))))(
  '$line refuses $conditions of $source',
  async ({ line, conditions, source }) => {
    const { code, stdout, stderr } = await runWith(source, conditions, line);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(source);
    expect(stderr).toMatch(/is not a condition|second condition of severity/);
  },
);

it.each(SOURCES)('a report fails the same damages by %s', async (source) => {
  const line = `report result.json --format junit ${NOW.join(' ')}`;
  const [byFlag, by] = [await runWith('--fail-on', 'minor', line), await runWith(source, 'minor', line)];
  expect(by.stdout.toString()).toBe(byFlag.stdout.toString());
  expect(by.stdout.toString()).toMatch(/failures="[1-9]/);
});

it.each(SOURCES)('an assessment fails by %s', async (source) => {
  expect((await runWith(source, 'minor', 'assess --damage hood:dent:severe')).code).toBe(1);
});

test('a comparison says that conditions of inspections do not count', async () => {
  const line = 'compare result.json result.json';
  for (const source of ['VEHI_FAIL_ON', 'vehi.config.json'] as const) {
    const { code, stderr } = await runWith(source, 'severe', line);
    expect(code).toBe(0);
    expect(stderr).toContain(`${source}: fail_on is for inspections; here it is --fail-on new or changed`);
    expect((await runWith(source, 'severe', `${line} --fail-on new`)).stderr).not.toContain('fail_on is for');
  }
});
