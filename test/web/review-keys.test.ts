import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/contract/review.ts';
import { DAMAGE_TYPES, keepBestOfPhoto } from '../../src/domain/damage.ts';
import { OUTSIDE_PARTS } from '../../src/domain/parts.ts';
import { canPartHave } from '../../src/domain/possible-types.ts';
import { UNLISTED_PARTS } from '../../src/domain/unlisted-parts.ts';
import { describePart } from '../../src/report/words.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { useReviewBrowser, waitUntilSaved } from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

/** Opens a review with a damage of a panel selected, which can be of every type. */
async function openOnPanel() {
  const page = await car.sharedPage();
  const damages = car.inspection.data.results?.damages ?? [];
  const found = damages.find(({ location }) =>
    DAMAGE_TYPES.every((type) => canPartHave(location.part, type)),
  );
  const id = found?.damage_id ?? '';
  await page.locator(`.entry[data-key=${id}]`).click();
  return { page, id, number: found?.number };
}

const said = (page: Page) => page.locator('.notice').textContent();

async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key);
  await waitUntilSaved(page);
}

describe.skipIf(!hasChromium)('the keys of the page, in Chromium', () => {
  test('a digit sets the type, from every mode, and ends the mode', async () => {
    const { page, id } = await openOnPanel();
    const stage = page.locator('.stage svg');
    for (const begun of ['', 'd ', 'b ', 'm '])
      for (const [index, type] of DAMAGE_TYPES.entries()) {
        // The first and the last from no mode, the first from each mode.
        if (index > 0 && (begun !== '' || index < DAMAGE_TYPES.length - 1)) continue;
        await press(page, `${begun}t ${index + 1}`);
        await expect
          .poll(() => car.draft().decisions)
          .toMatchObject([{ decision: 'change', damage_id: id, type }]);
        expect(await stage.getAttribute('data-mode')).toBe('look');
      }
    for (const [digit, subtype] of [
      [8, 'missing_part'],
      [9, 'misaligned_part'],
    ] as const) {
      await press(page, `t ${digit}`);
      await expect.poll(() => car.draft().decisions).toMatchObject([{ type: 'panel_damage', subtype }]);
    }
    await press(page, 't 7');
    await expect.poll(() => car.draft().decisions[0]).not.toHaveProperty('subtype');
    await press(page, '3');
    const decided = [{ damage_id: id, type: 'panel_damage', severity: 'severe' }];
    await expect.poll(() => car.draft().decisions).toMatchObject(decided);
  });

  test('whatever goes on ends what was begun, without a word', async () => {
    const { page, id } = await openOnPanel();
    const rows = {
      Escape: 't Escape',
      'the next finding': 't j',
      'the next photo': 't n',
      'the next undecided': 't u',
      'a verdict': 't a',
      'a photo that is ticked': 't x',
      'leaving a photo under drawing': 'd n',
      'leaving a finding under its box': 'b j',
    };
    for (const [what, keys] of Object.entries(rows)) {
      await page.locator(`.entry[data-key=${id}]`).click();
      await press(page, keys);
      expect([what, await page.locator('.stage svg').getAttribute('data-mode')]).toEqual([what, 'look']);
      expect([what, await said(page)]).toEqual([what, '']);
    }
  });

  test('every part, and what is next to one, is named by keys alone', async () => {
    const { page, id } = await openOnPanel();
    await page.keyboard.press('l');
    await page.locator('dialog .parts button').first().waitFor();
    const names = await page.locator('dialog .parts button').allTextContents();
    await page.keyboard.press('Escape');
    const places = [...OUTSIDE_PARTS.map((part) => ({ part })), ...UNLISTED_PARTS];
    expect(names).toHaveLength(places.length);
    const spell = (name: string) => (name.split(' ·')[0] ?? '').replace(/[(),]/g, ' ');
    await page.keyboard.press('l');
    await page.locator('dialog .parts button').first().waitFor();
    for (const name of names) {
      await page.locator('dialog input').fill(spell(name));
      const [first = ''] = await page.locator('dialog .parts button').allTextContents();
      expect(spell(first)).toBe(spell(name));
    }
    await page.keyboard.press('Escape');
    // Enter takes the first: a part, and what is next to one.
    const panels = places.filter(({ part }) => canPartHave(part, 'panel_damage'));
    for (const place of [...panels.slice(0, 1), ...panels.slice(-1)]) {
      const subtype = 'subtype' in place ? place.subtype : undefined;
      const button = page.locator(`[data-part=${subtype ?? place.part}]`);
      await page.keyboard.press('l');
      await button.first().waitFor();
      const all = await button.allTextContents();
      const words = all.find((one) => !subtype || one.includes(describePart(place.part).toLowerCase())) ?? '';
      await page.keyboard.insertText(spell(words));
      await page.keyboard.press('Enter');
      await expect
        .poll(() => car.draft().decisions)
        .toMatchObject([{ damage_id: id, part: place.part, ...(subtype ? { subtype } : {}) }]);
    }
  });

  test('a find on a panel moves to a pane by keys alone, as broken glass', async () => {
    const { page, id } = await openOnPanel();
    const panes = OUTSIDE_PARTS.filter((part) => !canPartHave(part, 'panel_damage'));
    expect(panes).toHaveLength(6);
    for (const part of [...panes.slice(0, 1), ...panes.slice(-1)]) {
      await page.keyboard.press('l');
      await page.locator(`[data-part=${part}]`).first().waitFor();
      await page.keyboard.type(describePart(part).replaceAll(',', ' '));
      await page.keyboard.press('Enter');
      await waitUntilSaved(page);
      await expect.poll(() => car.draft().decisions).toMatchObject([{ damage_id: id, part }]);
    }
    expect(car.draft().decisions).toMatchObject([{ type: 'glass_damage' }]);
  });

  test('only the left button drags a corner of a box, and Ctrl+Enter finishes while one is open', async () => {
    const { page } = await openOnPanel();
    await press(page, 'b');
    const edge = page.locator('.editor .edge');
    const readWidth = async () => Number(await edge.getAttribute('width'));
    const width = await readWidth();
    for (const button of ['right', 'middle', 'left'] as const) {
      const handle = await page.locator('.editor .handle.se').boundingBox();
      const { x, y } = { x: (handle?.x ?? 0) + 4, y: (handle?.y ?? 0) + 4 };
      await page.mouse.move(x, y);
      await page.mouse.down({ button });
      await page.mouse.move(x + 40, y + 40);
      await page.mouse.up({ button });
      expect([button, (await readWidth()) > width]).toEqual([button, button === 'left']);
    }
    await page.keyboard.press('Control+Enter');
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
  });

  test('the page opens near the selected finding, and another size of the window keeps what is looked at', async () => {
    const { address, secret, review } = await car.session();
    const page = await car.sharedPage();
    const readView = async () => {
      const [x = 0, y = 0, width = 0, height = 0] =
        (await page.locator('.stage svg').getAttribute('viewBox'))?.split(' ').map(Number) ?? [];
      return { x: x + width / 2, y: y + height / 2, width };
    };
    // Every finding is decided, so the first is selected, and each is too small to be seen in the whole photo.
    const box = { x: 40, y: 40, width: 20, height: 10 };
    const { damages = [], to_check: places = [] } = car.inspection.data.results ?? {};
    const decisions: readonly Decision[] = [
      ...damages.map(({ damage_id }) => ({ decision: 'change' as const, damage_id, box })),
      ...places.map(({ damage_id }) => ({ decision: 'reject' as const, damage_id })),
    ];
    const url = new URL(review, address);
    const headers = { 'X-Vehi-Session': secret, 'Content-Type': 'application/json' };
    const stored = (await (await fetch(url, { headers })).json()) as { data: { revision: number } };
    const body = JSON.stringify({ revision: stored.data.revision, reviewer: '', decisions });
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
    await page.reload();
    const at = { x: expect.closeTo(50, 1), y: expect.closeTo(45, 1) };
    await expect.poll(readView).toMatchObject(at);
    // The stage is measured once more after it is drawn.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const near = await readView();
    expect(near).toMatchObject(at);
    await page.setViewportSize({ width: 900, height: 700 });
    await expect.poll(readView).not.toEqual(near);
    expect(await readView()).toMatchObject(at);
    await page.keyboard.press('0');
    const whole = await readView();
    expect(whole.width).toBeGreaterThan(2 * near.width);
  });

  test('dragging with Space held pans the photo while a box has the focus', async () => {
    const { page } = await openOnPanel();
    await press(page, 'b + +');
    const stage = page.locator('.stage svg').first();
    const view = await stage.getAttribute('viewBox');
    const box = await stage.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.locator('.editor').focus();
    await page.keyboard.down('Space');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 40);
    await page.mouse.up();
    await page.keyboard.up('Space');
    expect(await stage.getAttribute('viewBox')).not.toBe(view);
    await press(page, 'Escape');
  });

  test.each([
    ['accepted', 'a', 'accepted'],
    ['of another severity', '3', 'changed'],
    ['of another type', 't 1', 'changed'],
  ])('a rejected finding that is %s is said', async (_, keys, fate) => {
    const { page, id, number } = await openOnPanel();
    await press(page, 'r');
    await page.locator(`.entry[data-key=${id}]`).click();
    await press(page, keys);
    expect(await said(page)).toContain(`No. ${number} was rejected and is ${fate} now.`);
  });

  test('a key that is held decides one finding; one that is as found again is named once', async () => {
    const { page, id, number } = await openOnPanel();
    for (let turn = 0; turn < 3; turn++) await page.keyboard.down('r');
    await page.keyboard.up('r');
    await waitUntilSaved(page);
    await expect.poll(() => car.draft().decisions).toEqual([{ decision: 'reject', damage_id: id }]);
    await page.locator(`.entry[data-key=${id}]`).click();
    await page.getByRole('button', { name: 'As found' }).click();
    expect(await said(page)).toBe(`No. ${number} was rejected and is undecided again now.`);
  });

  test.each([
    ['Shift+A', 'accept', 'accepted'],
    ['Shift+R', 'reject', 'rejected'],
  ] as const)('%s decides what is left on the photo, and nothing else', async (keys, verdict, words) => {
    const page = await car.sharedPage();
    // The photo in which most is found.
    const { damages = [], to_check: toCheck = [] } = car.inspection.data.results ?? {};
    const finds = [...damages, ...toCheck];
    const [{ photo, ids } = { photo: 0, ids: [] }] = car.inspection.data.images
      .map(({ index }) => ({
        photo: index,
        ids: finds
          .filter((one) => keepBestOfPhoto(one.evidence)[0]?.image_index === index)
          .map(({ damage_id }) => damage_id),
      }))
      .sort((a, b) => b.ids.length - a.ids.length);
    const size = ids.length;
    expect(size).toBeGreaterThan(1);
    const first = page.locator(`.entry[data-key=${ids[0]}]`);
    const other = verdict === 'accept' ? 'reject' : 'accept';
    for (const key of [verdict === 'accept' ? 'r' : 'a', keys]) {
      await first.click();
      // Another photo may show the same find.
      await page.locator(`[data-photo="${photo}"]`).click();
      await press(page, key);
    }
    await expect.poll(() => car.draft().decisions.length).toBe(size);
    const decided = ids?.map((damage_id, at) => ({ decision: at === 0 ? other : verdict, damage_id }));
    expect(new Set(car.draft().decisions)).toEqual(new Set(decided));
    expect(await said(page)).toContain(`${size - 1} ${words} on this photo.`);
  });

  test('a key that means nothing here says so', async () => {
    const { page } = await openOnPanel();
    for (const [key, words] of [
      ['7', '7 does nothing here: 1 to 4 set the severity, T and a digit the type.'],
      ['h', 'H does nothing here: ? lists the keys.'],
      ['Shift+H', 'Shift+H does nothing here: ? lists the keys.'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await said(page)).toBe(words);
      for (const quiet of ['F2', 'Shift', 'Tab', 'PageDown', 'Control+L']) await page.keyboard.press(quiet);
      expect(await said(page)).toBe(words);
    }
  });
});
