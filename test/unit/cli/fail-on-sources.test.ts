import { mkdirSync, rmSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { at, run, write } = openFolder('fail-on');
write('result.json', exampleInspection({ damages: 4, photos: 2 }));
mkdirSync(at('fleet/one'), { recursive: true });

const SOURCES = ['--fail-on', 'VEHI_FAIL_ON', 'vehi.config.json', 'config/vehi/config.json'] as const;

/** Runs a command line with the conditions from one source. */
async function runWith(source: (typeof SOURCES)[number], conditions: string, line: string) {
  const isFile = source.endsWith('.json');
  if (isFile) write(source, { fail_on: conditions });
  const env = source === 'VEHI_FAIL_ON' ? { VEHI_FAIL_ON: conditions } : {};
  const words = source === '--fail-on' ? `${line} --fail-on ${conditions}` : line;
  try {
    return await run(words, { XDG_CONFIG_HOME: at('config'), ...env });
  } finally {
    if (isFile) rmSync(at(source));
  }
}

const REFUSED = {
  'inspect photos': ['chargeable', 'severe,minor'],
  'inspect --many fleet -o res': ['chargeable'],
  'assess --damage hood:dent:severe': ['chargeable', 'score<6', 'unchecked', 'new'],
  'report result.json --format junit': ['chargeable', 'cost>5000'],
  'compare result.json result.json': ['chargeable'],
};

it.each(
  Object.entries(REFUSED).flatMap(([line, refused]) =>
    refused.flatMap((conditions) => SOURCES.map((source) => ({ line, conditions, source }))),
  ),
)('$line refuses $conditions of $source', async ({ line, conditions, source }) => {
  const { code, stdout, stderr } = await runWith(source, conditions, line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(source);
  expect(stderr).toMatch(/is not a condition|second condition of severity/);
});

it.each(SOURCES)('a report and an assessment fail by %s', async (source) => {
  const { stdout } = await runWith(source, 'minor', 'report result.json --format junit');
  expect(stdout).toContain('failures="4"');
  expect((await runWith(source, 'severe', 'assess --damage hood:dent:severe')).code).toBe(1);
  expect((await runWith(source, 'critical', 'assess --damage hood:dent:severe')).code).toBe(0);
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
