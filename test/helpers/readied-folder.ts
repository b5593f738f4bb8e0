import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const findMark = (folder: string) => `${folder}.ready`;

/** Fills a folder while other files are tested. Returns the function that removes the folder once that has ended. */
export function fillMeanwhile(folder: string, fill: () => Promise<unknown>): () => Promise<void> {
  const mark = findMark(folder);
  const ended = fill()
    .then(() => '', String)
    .then((failure) => {
      writeFileSync(`${mark}.part`, failure);
      renameSync(`${mark}.part`, mark);
    });
  return async () => {
    await ended;
    for (const path of [folder, mark]) rmSync(path, { recursive: true, force: true });
  };
}

/** Waits in another process for `fillMeanwhile`. @throws Error with its reason if the folder could not be filled */
export async function waitUntilFilled(folder: string): Promise<void> {
  const mark = findMark(folder);
  while (!existsSync(mark)) await sleep(50);
  const failure = readFileSync(mark, 'utf8');
  if (failure !== '') throw new Error(failure);
}
