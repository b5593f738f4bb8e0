import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FIXTURES } from './run-cli.ts';

/** Photos of the demo vehicle, as files that a browser is given. */
export function demoPhotos(): { name: string; mimeType: string; buffer: Buffer }[] {
  const names = ['front', 'rear', 'left_side', 'right_side', 'front_left', 'rear_right'];
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
