import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { VisualInspection } from '../../../src/contract/inspection.ts';
import type { UploadAnswer } from '../../../src/contract/uploads.ts';
import { writeDrawnCar } from '../photos/drawn-car.ts';
import type { Serving } from '../services/serve.ts';
import { makeOwnFolder } from '../temporary-folder.ts';

/** Four drawn photos in which the tiny models see a vehicle and its damage, as files that a browser is given. */
export async function drawPhotos(): Promise<{ name: string; mimeType: string; buffer: Buffer }[]> {
  const path = join(makeOwnFolder('drawn'), 'drawn.jpg');
  const files = [];
  for (const [at, angle] of ['front', 'left_side', 'right_side', 'rear_right'].entries()) {
    await writeDrawnCar(path, at);
    files.push({ name: `${angle}.jpg`, mimeType: 'image/jpeg', buffer: readFileSync(path) });
  }
  return files;
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

/** Inspects the drawn photos by the API, for the views that show an inspection. @param more headers of the request */
export async function inspectDrawn(
  { address, api_key: key }: Serving['line'],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const post = async <T>(path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type, ...more };
    const answer = await fetch(`${address}/v1/${path}`, { method: 'POST', headers, body });
    return ((await answer.json()) as { data: T }).data;
  };
  const images = [];
  for (const { name, buffer } of await drawPhotos()) {
    const path = `uploads?name=${name}`;
    const { url, angle } = await post<UploadAnswer>(path, 'application/octet-stream', new Uint8Array(buffer));
    images.push({ url, angle, type: 'exterior' });
  }
  const body = { vehicle_id: 'demo car', images, options: { detailed_analysis: true } };
  const json = JSON.stringify(body);
  return (await post<VisualInspection>('inspections/visual', 'application/json', json)).inspection_id;
}
