import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../src/contract/inspection.ts';
import type { Decision } from '../../src/contract/review.ts';
import { DAMAGE_TYPES } from '../../src/domain/damage.ts';
import { fitTypeToPart } from '../../src/domain/possible-types.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  readCurrentKey,
  useReviewBrowser,
  waitUntilOpen,
  waitUntilSaved,
} from '../helpers/browser/review-browser.ts';
import { FIXTURES } from '../helpers/cli/run-cli.ts';
import { judgeByMarks, type Mark, type Verdict } from './truth.ts';

const car = useReviewBrowser();

/**
 * Decides every finding by keys alone, and finishes; what is left on a photo is decided at once where it is all the
 * same. Returns how many keys that took.
 */
async function decideAll(
  page: Page,
  { data }: InspectionEnvelope,
  verdicts: ReadonlyMap<string, Verdict>,
): Promise<number> {
  const finds = new Map(
    [...(data.results?.damages ?? []), ...(data.results?.to_check ?? [])].map((one) => [one.damage_id, one]),
  );
  const open = new Set(finds.keys());
  let keys = 0;
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
    await waitUntilSaved(page);
  };
  /** The key that says what a finding is; null where its type has to be changed. */
  const keyOf = (id: string) => {
    const verdict = verdicts.get(id) ?? null;
    if (verdict === null) return 'r';
    return verdict.type === finds.get(id)?.type ? 'a' : null;
  };
  while (open.size > 0) {
    const id = (await readCurrentKey(page)) ?? '';
    const shown = Number(await page.locator('.stage svg').getAttribute('data-shown'));
    const here = () => [...open].filter((one) => finds.get(one)?.evidence[0]?.image_index === shown);
    if (open.has(id) && keyOf(id) === null) {
      await press('t');
      await press(String(DAMAGE_TYPES.indexOf(verdicts.get(id)?.type ?? 'dent') + 1));
      open.delete(id);
    }
    const [first, ...others] = here();
    const key = first === undefined ? null : keyOf(first);
    const isAlike = key !== null && others.every((one) => keyOf(one) === key);
    if (isAlike && (open.has(id) ? others.length > 0 && here().includes(id) : true)) {
      for (const one of here()) open.delete(one);
      await press(`Shift+${key.toUpperCase()}`);
    } else if (open.has(id)) {
      open.delete(id);
      await press(keyOf(id) ?? 'a');
    } else if (open.size > 0) await press('u');
  }
  await press('Control+Enter');
  await page.locator('dialog').waitFor();
  keys++;
  await page.keyboard.press('Enter');
  await page.getByText('Finished', { exact: true }).waitFor();
  return keys;
}

/** What the decisions say of each finding. */
function readVerdicts(decisions: readonly Decision[], inspection: InspectionEnvelope): Map<string, Verdict> {
  const { damages = [], to_check: toCheck = [] } = inspection.data.results ?? {};
  return new Map(
    [...damages, ...toCheck].map(({ damage_id, type }) => {
      const said = decisions.find((one) => 'damage_id' in one && one.damage_id === damage_id);
      expect(said, damage_id).toBeDefined();
      const now = said?.decision === 'change' ? (said.type ?? type) : type;
      return [damage_id, said?.decision === 'reject' ? null : { type: now }];
    }),
  );
}

/** A find over a planted damage of another part, whose type its own part cannot have, is none of that part. */
function rejectImpossible(
  verdicts: ReadonlyMap<string, Verdict>,
  { data }: InspectionEnvelope,
): Map<string, Verdict> {
  const found = [...(data.results?.damages ?? []), ...(data.results?.to_check ?? [])];
  const parts = new Map(found.map(({ damage_id, location }) => [damage_id, location.part]));
  return new Map(
    [...verdicts].map(([id, verdict]) => {
      const part = parts.get(id);
      const fits = verdict && part && fitTypeToPart(verdict.type, part) === verdict.type;
      return [id, fits ? verdict : null];
    }),
  );
}

describe.skipIf(!hasChromium)('a vehicle decided by keys alone, in Chromium', () => {
  test('the demo in at most 11 actions', async () => {
    const truth = JSON.parse(readFileSync(join(FIXTURES, 'vehicle/truth.json'), 'utf8'));
    const photos: Readonly<Record<string, { damages: readonly Omit<Mark, 'photo'>[] }>> =
      truth.states.damaged.photos;
    const marks = Object.entries(photos).flatMap(([photo, { damages }]) =>
      damages.map(({ type, box }) => ({ photo, type, box })),
    );
    const verdicts = rejectImpossible(judgeByMarks(car.inspection, marks), car.inspection);
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const keys = await decideAll(page, car.inspection, verdicts);
    expect(readVerdicts(car.draft().decisions, car.inspection)).toEqual(verdicts);
    expect(keys).toBeLessThanOrEqual(11);
  });
});
