import { PassThrough, Readable } from 'node:stream';
import sharp from 'sharp';
import { main } from '../../../src/cli/main.ts';
import { hashBytes } from '../../../src/lib/ids.ts';
import { TINY_MODELS } from '../photos/drawn-car.ts';
import { exampleAssessment } from '../results/example-assessment.ts';
import { exampleInspection } from '../results/example-inspection.ts';
import { makeOwnFolder, openFiles } from '../temporary-folder.ts';
import { runMain } from './run-inside.ts';

/** Size of the photos in pixels, the least that vehi takes. */
export const PHOTO_SIZE = { width: 1280, height: 720 };

/**
 * Makes a folder with two photos, the inspection of them (`result.json`) and its assessment (`estimate.json`). The photos
 * are noise, and carry a GPS position.
 */
export async function makeClaimFolder() {
  const claim = openFolder('claim');
  const inspection = exampleInspection({ damages: 4, photos: 2, rich: false, photoSize: PHOTO_SIZE });
  for (const photo of inspection.data.images) {
    const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
    const bytes = await sharp({ create: { ...PHOTO_SIZE, channels: 3, background: '#888', noise } })
      .withExif({
        IFD0: { Make: 'Phone', Copyright: 'A. Person' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .jpeg()
      .toBuffer();
    claim.write(photo.url, bytes);
    photo.plates = [];
    photo.sha256 = hashBytes(bytes);
  }
  claim.write('result.json', inspection);
  claim.write('estimate.json', exampleAssessment(inspection));
  return { ...claim, inspection };
}

/** Makes a folder of this name for the files of a test, and runs command lines in it. */
export function openFolder(name: string) {
  const files = openFiles(makeOwnFolder(name));
  return {
    ...files,
    /** Runs a command line in this process at a fixed time, with the tiny models and a data directory of the folder. */
    run: (line: string | readonly string[], env: NodeJS.ProcessEnv = {}, stdin: string | Uint8Array = '') =>
      runMain(main, line, {
        stdin: stdin === '' ? new PassThrough() : Readable.from([stdin]),
        env: {
          VEHI_DATA_DIR: files.at('data'),
          VEHI_MODEL_DIR: TINY_MODELS,
          VEHI_THREADS: '1',
          XDG_CONFIG_HOME: '/nonexistent',
          ...env,
        },
        cwd: files.folder,
        now: () => new Date('2026-11-20T12:00:00Z'),
      }),
  };
}
