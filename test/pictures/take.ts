import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { PICTURES } from '../helpers/documents.ts';

/** Writes the picture that `take` takes of a page into the pictures of README, so many pixels wide. */
export async function takePicture(
  name: string,
  width: number,
  options: BrowserContextOptions,
  take: (page: Page, dir: string) => Promise<Buffer>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'vehi-picture-'));
  const browser = await launchChromium();
  try {
    const picture = sharp(await take(await browser.newPage(options), dir)).resize({ width });
    await picture.jpeg({ quality: 72, mozjpeg: true }).toFile(join(PICTURES, name));
  } finally {
    await browser.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
