import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/contract/review.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { useReviewBrowser } from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

/** Drags by 40 pixels down and to the right. */
async function drag(page: Page, x: number, y: number, button: 'left' | 'middle' | 'right'): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + 40, y + 40);
  await page.mouse.up({ button });
}

describe.skipIf(!hasChromium)('the photo of the page, in Chromium', () => {
  test('the left button drags a corner of a box, Space pans the photo, and Ctrl+Enter finishes meanwhile', async () => {
    const page = await car.sharedPage();
    const boxes = page.locator('.stage [data-box]');
    const before = await boxes.count();
    await page.keyboard.press('b');
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
    await page.locator('dialog').waitFor();
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
    expect((await readView()).width).toBeGreaterThan(2 * near.width);
  });
});
