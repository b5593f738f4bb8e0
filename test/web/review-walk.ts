import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { Decision } from '../../src/contract/review.ts';
import { createRandom } from '../../src/lib/random.ts';
import { type Command, SHORTCUTS } from '../../src/web/review/keys.ts';
import { waitUntilOpen } from '../helpers/browser/review-browser.ts';

/** A review page, and the decisions that its program has stored. */
export interface Walked {
  readonly page: Page;
  read(): Promise<readonly Decision[]> | readonly Decision[];
}

type Decisions = readonly Decision[];

/** What the page shows once it has settled. */
interface Shown {
  /** Mode of the stage: look, draw, merge or type. */
  readonly mode: string;
  /** Title of the open dialog; empty if there is none. */
  readonly dialog: string;
  readonly selected: string | null;
  readonly photo: number;
}

/** One thing that a person does, by key, mouse or in a dialog. */
interface Act {
  readonly words: string;
  /** The command, if a key gives one in this mode. */
  readonly command?: Command;
  run(page: Page): Promise<unknown>;
}

/** Commands that judge: they may change nothing that was said of a finding. */
const VERDICTS: ReadonlySet<string> = new Set<Command>([
  'accept',
  'acceptPhoto',
  'reject',
  'rejectPhoto',
  'nothingMore',
  'allLookedAt',
]);

const press = (words: string, ...keys: readonly string[]): Act => ({
  words,
  run: async (page) => {
    for (const key of keys) await page.keyboard.press(key);
  },
});

const KEYS: readonly Act[] = SHORTCUTS.map(({ command, keys: [key] }) => ({
  ...press(key, key.replace('Ctrl', 'Control')),
  command,
}));

/** Clicks one of the elements of a selector, the same for the same roll. */
const click = (selector: string, roll: number): Act => ({
  words: `click ${selector} ${roll}`,
  run: async (page) => {
    const all = page.locator(selector);
    const count = await all.count();
    // By an event, because a box may lie beyond the visible region.
    if (count > 0) await all.nth(roll % count).dispatchEvent('click');
  },
});

/** Drags over the stage, between two points in hundredths of its size. */
const drag = (...points: readonly [number, number, number, number]): Act => ({
  words: `drag ${points.join(',')}`,
  run: async (page) => {
    const box = await page.locator('.stage svg').first().boundingBox();
    if (!box) return;
    const [x1, y1, x2, y2] = points;
    await page.mouse.move(box.x + (box.width * x1) / 100, box.y + (box.height * y1) / 100);
    await page.mouse.down();
    await page.mouse.move(box.x + (box.width * x2) / 100, box.y + (box.height * y2) / 100, { steps: 3 });
    await page.mouse.up();
  },
});

const VERDICT_BUTTONS = '.panel .verdict button';

const STRIP_BUTTONS = '.strip button';

const WORDS = ['door', 'bumper', 'windshield', 'mirror', 'hood', 'lamp', 'wheel'];

/** Chooses what to do next. A dialog and a box are left half of the time. */
function choose({ mode, dialog }: Shown, roll: (below: number) => number): Act {
  const leave = press('Escape', 'Escape');
  if (dialog === 'Part')
    return [
      leave,
      click('dialog .parts button', roll(40)),
      {
        words: 'name a part',
        run: async (page: Page) => {
          await page.keyboard.type(WORDS[roll(WORDS.length)] ?? '');
          await page.keyboard.press('Enter');
        },
      },
    ][roll(3)] as Act;
  if (dialog === 'Repair')
    return [
      leave,
      leave,
      click('dialog .verdicts button', roll(20)),
      {
        words: 'set a price',
        run: async (page: Page) => {
          const prices = page.locator('dialog [data-line]');
          const count = await prices.count();
          if (count === 0) return;
          const price = prices.nth(roll(count));
          await price.fill(String(100 + roll(900)));
          await price.press('Tab');
        },
      },
    ][roll(4)] as Act;
  if (dialog === 'Finish')
    return [
      leave,
      click('dialog [data-command=allLookedAt]', 0),
      {
        words: 'name the reviewer',
        run: async (page: Page) => {
          await page.getByLabel('Reviewed by').fill(`Ada ${roll(9)}`);
          await page.getByLabel('Reviewed by').press('Tab');
        },
      },
    ][roll(3)] as Act;
  if (dialog === 'Vehicle')
    return [
      leave,
      click('dialog .parts button', roll(6)),
      click('dialog [data-command=oneVehicle]', 0),
      press('digit', String(1 + roll(4))),
    ][roll(4)] as Act;
  if (dialog !== '') return leave;
  const from = [20 + roll(40), 20 + roll(40)] as const;
  const key = KEYS[roll(KEYS.length)] as Act;
  if (mode === 'draw')
    return [
      drag(...from, from[0] + 3 + roll(25), from[1] + 3 + roll(25)),
      press('arrows and Enter', 'ArrowLeft', 'Shift+ArrowRight', 'ArrowDown', 'Enter'),
      leave,
      key,
    ][roll(4)] as Act;
  const mouse = [
    click('.entry', roll(60)),
    click('.stage [data-box]', roll(20)),
    click(STRIP_BUTTONS, roll(20)),
    click('.panel fieldset button', roll(12)),
    click(VERDICT_BUTTONS, roll(6)),
    drag(...from, from[0] - 10 + roll(20), from[1] - 10 + roll(20)),
  ];
  // One in four is by mouse, drawing and merging come more often than one key of many.
  if (roll(4) === 0) return mouse[roll(mouse.length)] as Act;
  if (mode === 'look' && roll(8) === 0) {
    const wanted = (['draw', 'box', 'merge', 'vehicle'] as const)[roll(4)];
    return KEYS.find(({ command }) => command === wanted) as Act;
  }
  return key;
}

/** What was said of each subject: corrections and notes of findings, boxes drawn, prices, operations, photos ticked. */
function readSaid(decisions: Decisions): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  let additions = 0;
  return new Map(
    decisions.map((one): [string, Readonly<Record<string, unknown>>] => {
      if (one.decision === 'add') {
        const { into: _, ...said } = one;
        return [`add:${additions++}`, said];
      }
      if ('damage_id' in one) {
        const { decision: _, damage_id: id, into: __, ...said } = one as typeof one & { into?: string };
        return [id, said];
      }
      if ('line' in one) return [`price ${one.line}`, one];
      if ('line_id' in one) return [`operation ${one.line_id}`, one];
      if (one.decision === 'one_vehicle') return [one.decision, one];
      return [`${one.decision === 'vehicle' ? 'vehicle of ' : ''}photo ${one.image_index}`, one];
    }),
  );
}

const countAdditions = (decisions: Decisions) =>
  decisions.filter(({ decision }) => decision === 'add').length;

/** Decision on each finding. */
const readVerdicts = (decisions: Decisions): ReadonlyMap<string, string> =>
  new Map(decisions.flatMap((one) => ('damage_id' in one ? [[one.damage_id, one.decision]] : [])));

/**
 * Returns a finding, other than the selected one, whose decision changed. One that is merged may become undecided, as what
 * it is part of may be rejected, and any may be merged into another.
 */
function findLostVerdict(selected: string | null, before: Decisions, after: Decisions): string | undefined {
  const now = readVerdicts(after);
  return [...readVerdicts(before)].find(
    ([id, verdict]) =>
      id !== selected && verdict !== 'merge' && now.get(id) !== verdict && now.get(id) !== 'merge',
  )?.[0];
}

/** Decisions on which vehicle photos show. */
const isOfVehicles = ({ decision }: Decision) => decision === 'vehicle' || decision === 'one_vehicle';

/** Returns true if an act may group the photos by vehicle again; then it changes nothing else. */
const groupsAgain = ({ command, words }: Act, { dialog }: Shown) =>
  dialog === 'Vehicle' ||
  (dialog === '' && (command === 'oneVehicle' || words.startsWith(`click ${STRIP_BUTTONS}`)));

/** Returns what an act lost or changed that it may not; null if nothing. */
function findLoss(act: Act, shown: Shown, before: Decisions, after: Decisions): string | null {
  const { mode, dialog, selected, photo } = shown;
  const [ofVehicles, ofOthers] = [true, false].map((is) =>
    [before, after].map((list) => list.filter((one) => isOfVehicles(one) === is)),
  );
  if (!isDeepStrictEqual(ofVehicles?.[0], ofVehicles?.[1])) {
    if (!groupsAgain(act, shown)) return 'the vehicles of photos';
    return isDeepStrictEqual(ofOthers?.[0], ofOthers?.[1]) ? null : 'decisions on other things than vehicles';
  }
  const [old, now] = [readSaid(before), readSaid(after)];
  const lostVerdict = findLostVerdict(selected, before, after);
  if (lostVerdict !== undefined) return `the decision on ${lostVerdict}, which is not selected`;
  const isVerdict = mode === 'look' && dialog === '' && VERDICTS.has(act.command ?? '');
  const takesAway = act.command === 'reject' && selected?.startsWith('add:') && dialog === '';
  if (takesAway)
    return countAdditions(after) === countAdditions(before) - 1 ? null : 'a drawn box that was not rejected';
  const taken = countAdditions(before) - countAdditions(after);
  // Among the buttons of a drawn one is that which takes it away.
  if (taken === 1 && act.words.startsWith(`click ${VERDICT_BUTTONS}`) && selected?.startsWith('add:'))
    return null;
  if (taken > 0) return 'a drawn box';
  for (const [subject, said] of old) {
    const next = now.get(subject);
    if (isDeepStrictEqual(next ?? {}, said)) continue;
    // Its tick is taken back by the same key, and an operation's choice by the same button.
    if (subject === `photo ${photo}` && act.command === 'nothingMore') continue;
    if (dialog === 'Repair' && /^(operation|price) /.test(subject)) continue;
    if (next === undefined && Object.keys(said).length === 0) continue;
    if (isVerdict) return `what was said of ${subject}: ${JSON.stringify(said)}`;
    if (subject !== selected) return `what was said of ${subject}, which is not selected`;
    const gone = Object.keys(said).filter((field) => next === undefined || !(field in next));
    // Another type or part has its own subtype; one box of several is stated as the box.
    const lost = gone.filter((field) => field !== 'subtype' && field !== 'boxes');
    if (lost.length > 0) return `${lost.join(', ')} of ${subject}`;
  }
  return null;
}

/** Waits until the page has drawn, placed a drawn box and stored everything. */
const SETTLED = `new Promise((done) => {
  const look = () => {
    const notice = document.querySelector('.notice')?.textContent ?? '';
    if (!document.querySelector('.saving.saved') || notice.startsWith('Checking')) return requestAnimationFrame(look);
    done({
      mode: document.querySelector('.stage svg')?.dataset.mode ?? '',
      dialog: document.querySelector('dialog')?.getAttribute('aria-label') ?? '',
      selected: document.querySelector('.entry[aria-current=true]')?.dataset.key ?? null,
      photo: Number(document.querySelector('.stage svg')?.dataset.shown),
    });
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

/**
 * Does things in random order on a review page without decisions, and holds after each that nothing is lost; undo and redo
 * lead to what was, to the beginning and the end; another page and a reload show the same.
 * @throws Error naming seed, step, act and what was lost
 */
export async function walk({ page, read }: Walked, seed: number, steps: number): Promise<void> {
  const random = createRandom(seed + 1);
  const roll = (below: number) => Math.floor(random() * below);
  const acts: string[] = [];
  const fail = (what: string) => new Error(`seed ${seed}: ${acts.join(' | ')}: ${what}`);
  const settle = () => page.evaluate<Shown>(SETTLED);
  let shown = await settle();
  let before = await read();
  const past: Decisions[] = [];
  const future: Decisions[] = [];
  for (let step = 0; step < steps; step++) {
    const act = choose(shown, roll);
    acts.push(`${step} ${act.words}`);
    await act.run(page);
    const next = await settle();
    const after = await read();
    const isHistory = shown.dialog === '' && (act.command === 'undo' || act.command === 'redo');
    if (isHistory) {
      const [from, to] = act.command === 'undo' ? [past, future] : [future, past];
      const expected = from.pop() ?? before;
      if (!isDeepStrictEqual(after, expected))
        throw fail(`${act.command} leads to ${JSON.stringify(after)}, not ${JSON.stringify(expected)}`);
      if (after !== before && !isDeepStrictEqual(after, before)) to.push(before);
    } else if (!isDeepStrictEqual(after, before)) {
      past.push(before);
      future.length = 0;
      const loss = findLoss(act, shown, before, after);
      if (loss !== null)
        throw fail(`lost ${loss}; before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
    }
    [before, shown] = [after, next];
  }
  while (shown.dialog !== '' || shown.mode !== 'look') {
    await page.keyboard.press('Escape');
    shown = await settle();
  }
  const ends = { undo: past[0] ?? before, redo: future[0] ?? before };
  for (const command of ['undo', 'redo'] as const) {
    const button = page.locator(`[data-command=${command}]`);
    while (await button.isEnabled()) {
      await button.click();
      shown = await settle();
      if (shown.dialog !== '') await page.keyboard.press('Escape');
    }
    if (!isDeepStrictEqual(await read(), ends[command]))
      throw fail(`${command} again and again leads to ${JSON.stringify(await read())}`);
  }
  await page.reload();
  await waitUntilOpen(page);
  await settle();
  if (!isDeepStrictEqual(await read(), ends.redo)) throw fail('a reload changes the decisions');
}
