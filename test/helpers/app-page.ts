import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FIXTURES } from './run-cli.ts';

/** Twelve photos of the demo vehicle, as files that a browser is given. */
export function demoPhotos(): { name: string; mimeType: string; buffer: Buffer }[] {
  const names = [
    'front',
    'rear',
    'left_side',
    'right_side',
    'front_left',
    'front_right',
    'rear_left',
    'rear_right',
    'top',
    'front_closeup',
    'left_side_closeup',
    'rear_left_closeup',
  ];
  return names.map((name) => ({
    name: `${name}.jpg`,
    mimeType: 'image/jpeg',
    buffer: readFileSync(join(FIXTURES, 'vehicle', `${name}.jpg`)),
  }));
}

/** Signs in on the page of a service. */
export async function signIn(page: Page, address: string, key: string): Promise<void> {
  await page.goto(`${address}/app/`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inspections' }).waitFor();
}

/** Drops files and folders of this machine on the page, as from a window of files. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await devtools.detach();
}
