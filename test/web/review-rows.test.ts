import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { readCurrentKey, useReviewBrowser, waitUntilSaved } from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

/** Drags by 40 pixels down and to the right. */
async function drag(page: Page, x: number, y: number, button: 'left' | 'middle' | 'right'): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + 40, y + 40);
  await page.mouse.up({ button });
}

describe.skipIf(!hasChromium)('the findings and the photo of the page, in Chromium', () => {
  test('it opens on the first, in rows of 44 px, and counts what is to check', async () => {
    const page = await car.sharedPage();
    const { damages = [], to_check: toCheck = [] } = car.inspection.data.results ?? {};
    await expect(readCurrentKey(page)).resolves.toBe(
      await page.locator('.entry').first().getAttribute('data-key'),
    );
    for (const entry of (await page.locator('.entry').all()).slice(0, 5)) {
      expect((await entry.boundingBox())?.height).toBe(44);
      expect(await entry.locator('.crop image').count()).toBe(1);
    }
    expect(toCheck.length).toBeGreaterThan(0);
    const all = damages.length + toCheck.length;
    const figures = page.locator('.figures');
    expect(await figures.textContent()).toContain(`, ${toCheck.length} to check, ${all} undecided`);
    await page.keyboard.press('a');
    await expect.poll(() => figures.textContent()).toContain(`, ${all - 1} undecided`);
  });

  test('the strip shows the photo that is looked at, and the page stays where it is', async () => {
    const page = await car.sharedPage({ viewport: { width: 1280, height: 600 } });
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(600);
    const strip = page.getByRole('list', { name: 'Photos' });
    const isCurrentInView = async () => {
      const [outer, inner] = [
        await strip.boundingBox(),
        await strip.locator('[aria-current=true]').boundingBox(),
      ];
      if (!outer || !inner) return false;
      return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
    };
    // From the first photo to the last ones, and back.
    for (const key of ['p', 'p', 'n', 'n', 'n']) {
      await expect.poll(isCurrentInView).toBe(true);
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.keyboard.press(key);
    }
    // A window that becomes narrow, as a phone that is turned, shows the same photo.
    await strip.getByRole('button').last().click();
    await page.setViewportSize({ width: 390, height: 1200 });
    await expect.poll(isCurrentInView).toBe(true);
  });

  test('each verdict has its mark; one ends the percentage, and a rejected damage leaves the plan', async () => {
    const page = await car.sharedPage();
    const id = await readCurrentKey(page);
    const own = page.locator(`.entry[data-key=${id}]`);
    const number = car.inspection.data.results?.damages.find((one) => one.damage_id === id)?.number;
    for (const [key, mark] of [
      ['', '○'],
      ['a', '✓'],
      ['4', '✎'],
      ['r', '✕'],
    ] as const) {
      if (key) await page.keyboard.press(key);
      await own.click();
      await waitUntilSaved(page);
      expect(await own.locator('.mark').textContent()).toBe(mark);
      expect((await own.textContent())?.includes('%')).toBe(key === '');
      const plan = (await page.locator('.panel .plan').getAttribute('aria-label')) ?? '';
      expect(new RegExp(`\\b${number}\\b`).test(plan)).toBe(key !== 'r');
    }
  });

  test('Enter on a row accepts that row and goes on with the focus', async () => {
    const page = await car.sharedPage();
    const row = page.locator('.entry').nth(1);
    const key = await row.getAttribute('data-key');
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => readCurrentKey(page)).not.toBe(key);
    const next = await readCurrentKey(page);
    await expect.poll(() => page.evaluate('document.activeElement.dataset.key')).toBe(next);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => car.draft().decisions)
      .toEqual([key, next].map((damage_id) => ({ decision: 'accept', damage_id })));
  });

  test('on a phone the verdict is under the thumb, and Next goes to the next place', async () => {
    const look = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await car.sharedPage(look);
    for (const name of ['Accept', 'Reject', 'Next']) {
      const box = await page.locator('.verdict button', { hasText: name }).boundingBox();
      expect([name, (box?.y ?? 0) > 844 * 0.8, (box?.height ?? 0) >= 44]).toEqual([name, true, true]);
    }
    const first = await readCurrentKey(page);
    await page.locator('[data-command=nextFinding]').tap();
    await expect.poll(() => readCurrentKey(page)).not.toBe(first);
  });

  test('the two photos of one place stand next to each other; F shows the place closer', async () => {
    const page = await car.sharedPage();
    const found = car.inspection.data.results?.damages.find(
      ({ evidence }) =>
        new Set(evidence.map((one) => one.image_index)).size > 1 &&
        evidence.every(({ coordinates: { width, image_width } }) => width < image_width / 3),
    );
    await page.locator(`.entry[data-key=${found?.damage_id}]`).click();
    const shown = page.locator('.loupe button');
    expect(await shown.count()).toBe(2);
    const [one, other] = await Promise.all([shown.first().boundingBox(), shown.last().boundingBox()]);
    expect(one?.y).toBe(other?.y);
    await shown.last().click();
    await expect.poll(() => shown.last().getAttribute('aria-pressed')).toBe('true');
    expect(await readCurrentKey(page)).toBe(found?.damage_id);
    await page.setViewportSize({ width: 1024, height: 768 });
    const tooWide =
      "document.querySelector('.panel').scrollWidth - document.querySelector('.panel').clientWidth";
    expect(await page.evaluate<number>(tooWide)).toBe(0);
    const readWidth = async () =>
      Number((await page.locator('.stage svg').getAttribute('viewBox'))?.split(' ')[2]);
    await page.keyboard.press('0');
    const whole = await readWidth();
    await page.keyboard.press('f');
    await expect.poll(readWidth).toBeLessThan(whole);
  });

  test('the left button drags a corner of a box, Space pans the photo, and Ctrl+Enter finishes meanwhile, naming photos not looked through', async () => {
    const page = await car.sharedPage();
    const boxes = page.locator('.stage [data-box]');
    const before = await boxes.count();
    // One photo is marked as looked through; this one is in view again.
    for (const key of ['x', 'p', 'b']) await page.keyboard.press(key);
    const edge = page.locator('.editor .edge');
    await edge.waitFor();
    // The other boxes stay.
    expect(await boxes.count()).toBe(before - 1);
    const readWidth = async () => Number(await edge.getAttribute('width'));
    const width = await readWidth();
    const stage = page.locator('.stage svg').first();
    const readView = () => stage.getAttribute('viewBox');
    const view = await readView();
    for (const button of ['right', 'middle', 'left'] as const) {
      const handle = await page.locator('.editor .handle.se').boundingBox();
      await drag(page, (handle?.x ?? 0) + 4, (handle?.y ?? 0) + 4, button);
      expect([button, (await readWidth()) > width]).toEqual([button, button === 'left']);
    }
    // The middle button pans, and so does any while Space is held.
    const panned = await readView();
    expect(panned).not.toBe(view);
    await page.locator('.editor').focus();
    await page.keyboard.down('Space');
    const { x, y, width: wide, height } = (await stage.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await drag(page, x + wide / 2, y + height / 2, 'left');
    await page.keyboard.up('Space');
    expect(await readView()).not.toBe(panned);
    await page.keyboard.press('Control+Enter');
    const { length } = car.inspection.data.images;
    await page.getByText(`${length - 1} of ${length} photos are not marked as looked through`).waitFor();
  });

  test('the page opens near the selected finding, and another size of the window keeps what is looked at', async () => {
    // Every finding is decided, so the first is selected, and each is too small to be seen in the whole photo.
    const box = { x: 40, y: 40, width: 20, height: 10 };
    const { damages = [], to_check: places = [] } = car.inspection.data.results ?? {};
    const page = await car.sharedPage(undefined, [
      ...damages.map(({ damage_id }) => ({ decision: 'change' as const, damage_id, box })),
      ...places.map(({ damage_id }) => ({ decision: 'reject' as const, damage_id })),
    ]);
    const readView = async () => {
      const [x = 0, y = 0, width = 0, height = 0] =
        (await page.locator('.stage svg').getAttribute('viewBox'))?.split(' ').map(Number) ?? [];
      return { x: x + width / 2, y: y + height / 2, width };
    };
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
    expect((await readView()).width).toBeGreaterThan(2 * near.width);
  });
});
