import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FIXTURES } from '../cli/run-cli.ts';
import type { Serving } from '../services/serve.ts';

/** Twelve photos of the demo vehicle, as files that a browser is given. */
export function readDemoPhotos(): { name: string; mimeType: string; buffer: Buffer }[] {
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

/** Inspects the demo vehicle by the API, for the views that show one. @param more headers of the request */
export async function inspectDemo(
  { address, api_key: key, demo_photos: photos }: Serving['line'],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const images = ['front', 'rear', 'left_side', 'right_side'].map((angle) => ({
    url: photos.find((url) => url.endsWith(`/${angle}.jpg`)),
    angle,
    type: 'exterior',
  }));
  const answer = await fetch(`${address}/v1/inspections/visual`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ vehicle_id: 'demo car', images, options: { detailed_analysis: true } }),
  });
  return ((await answer.json()) as { data: { inspection_id: string } }).data.inspection_id;
}
