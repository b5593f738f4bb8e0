import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Damage, InspectionEnvelope } from '../../src/contract/inspection.ts';
import { CHANGES } from '../../src/domain/compare/changes.ts';
import type { presentComparison } from '../../src/engine/compare/present-comparison.ts';
import { type CliRun, FIXTURES, runCli } from '../helpers/cli/run-cli.ts';
import { readPdf } from '../helpers/reports/read-pdf.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

/** A view that the demo vehicle has in both states; what the models find on it is for other tests to say. */
const VIEW = 'front_right.jpg';
const NOW = ['--now', '2026-11-20T12:00:00Z'];

type Compared = ReturnType<typeof presentComparison>['data'];

const dir = makeOwnFolder('compare');
const found: Record<string, readonly Damage[]> = {};
/** Both visits compared, with every file that one run writes. */
let run: CliRun;
let compared: Compared;

const inspect = (state: string, ...flags: readonly string[]) =>
  runCli(['inspect', state, '--sensitivity', 'high', '--detailed', '--quiet', ...flags, ...NOW], {
    cwd: dir,
  });

beforeAll(async () => {
  for (const [state, folder] of [
    ['before', '.'],
    ['after', 'after'],
  ] as const) {
    mkdirSync(join(dir, state));
    copyFileSync(join(FIXTURES, 'vehicle', folder, VIEW), join(dir, state, VIEW));
  }
  const first = await inspect('before', '--vehicle-id', 'demo-417', '-o', 'before.json');
  expect(first.code, first.stderr).toBe(0);
  const second = await inspect('after', '--vehicle-id', 'demo-417', '-o', 'after.json');
  expect(second.code, second.stderr).toBe(0);
  for (const state of ['before', 'after']) {
    const { data } = JSON.parse(readFileSync(join(dir, `${state}.json`), 'utf8')) as InspectionEnvelope;
    found[state] = [...(data.results?.damages ?? []), ...(data.results?.to_check ?? [])];
  }
  const files = ['-o', 'json=change.json', '-o', 'pdf=change.pdf', '-o', 'change.html'];
  run = await runCli(['compare', 'before.json', 'after.json', ...files, '--fail-on', 'new', ...NOW], {
    cwd: dir,
  });
  compared = JSON.parse(readFileSync(join(dir, 'change.json'), 'utf8')).data;
}, 300_000);

const ids = (damages: readonly (Damage | null)[]) =>
  damages.flatMap((damage) => (damage ? [damage.damage_id] : [])).sort();

describe('vehi compare on the demo vehicle', () => {
  test('every damage of both inspections stands in it once, and a photo of the same view is no copy', () => {
    const { counts, changes, copied_photos: copied } = compared;
    expect(copied).toEqual([]);
    expect(ids(changes.map(({ before }) => before))).toEqual(ids(found.before ?? []));
    expect(ids(changes.map(({ after }) => after))).toEqual(ids(found.after ?? []));
    for (const change of CHANGES)
      expect(counts[change]).toBe(changes.filter((one) => one.change === change).length);
    for (const { change, before, after } of changes) {
      if (change === 'new') expect(after).not.toBeNull();
      else if (change === 'repaired') expect(before).not.toBeNull();
      else if (change === 'changed') expect([before, after]).not.toContain(null);
      else expect([before, after].filter((side) => side === null).length).toBeLessThan(2);
    }
  });

  test('table, exit code and PDF say the same', async () => {
    const { counts } = compared;
    expect(run.code).toBe(counts.new > 0 ? 1 : 0);
    for (const change of ['new', 'changed', 'repaired'] as const)
      expect(run.stdout.replace(/\s+/g, ' ')).toContain(`${counts[change]} ${change}`);
    const { text } = await readPdf(readFileSync(join(dir, 'change.pdf')));
    expect(text).toContain('demo-417');
    expect(text).toContain(`${counts.new} new`);
    const page = readFileSync(join(dir, 'change.html'), 'utf8');
    expect(page).toContain(`${counts.new} new`);
    expect(page.match(/<img /g)).toHaveLength(2 * (page.match(/class="pair"/g)?.length ?? 0));
    expect(run.stderr).not.toContain('is not shown');
  });
});
