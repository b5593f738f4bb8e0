import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import sharp from 'sharp';
import { main } from '../../../src/cli/main.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { hashBytes } from '../../../src/lib/ids.ts';
import { TINY_MODELS } from '../photos/drawn-car.ts';
import { exampleAssessment } from '../results/example-assessment.ts';
import { exampleInspection } from '../results/example-inspection.ts';
import { makeOwnFolder } from '../temporary-folder.ts';
import { runMain } from './run-inside.ts';

/** The time given to runs in the folder. */
export const NOW = ['--now', '2026-11-20T12:00:00Z'];

/** A folder with two photos, the inspection of them (`result.json`) and its assessment (`estimate.json`). */
export interface ClaimFolder {
  readonly folder: string;
  readonly inspection: InspectionEnvelope;
  /** Runs a command line in this process, in the folder, with its own data directory. */
  readonly run: (args: readonly string[], stdin?: string, env?: NodeJS.ProcessEnv) => Promise<Run>;
}

interface Run {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Makes the folder; the photos are noise, and carry a GPS position. */
export async function makeClaimFolder(): Promise<ClaimFolder> {
  const folder = makeOwnFolder('report');
  mkdirSync(join(folder, 'photos'));
  const inspection = exampleInspection({
    damages: 4,
    photos: 2,
    rich: false,
    photoSize: { width: 1600, height: 1200 },
  });
  for (const photo of inspection.data.images) {
    const bytes = await sharp({
      create: {
        width: 1600,
        height: 1200,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 120, sigma: 40 },
      },
    })
      .withExif({
        IFD0: { Make: 'Phone', Copyright: 'A. Person' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .jpeg()
      .toBuffer();
    writeFileSync(join(folder, photo.url), bytes);
    photo.plates = [];
    photo.sha256 = hashBytes(bytes);
  }
  writeFileSync(join(folder, 'result.json'), JSON.stringify(inspection));
  writeFileSync(join(folder, 'estimate.json'), JSON.stringify(exampleAssessment(inspection)));
  return {
    folder,
    inspection,
    run: (args, stdin, env) => runIn(folder, args, stdin, env),
  };
}

/** Runs a command line in this process, in a folder, with the tiny models. */
export async function runIn(
  folder: string,
  args: readonly string[],
  stdin = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const { code, bytes, stderr } = await runMain(main, args, {
    stdin: stdin === '' ? new PassThrough() : Readable.from([stdin]),
    env: {
      VEHI_DATA_DIR: join(folder, 'data'),
      VEHI_MODEL_DIR: TINY_MODELS,
      XDG_CONFIG_HOME: '/nonexistent',
      ...env,
    },
    cwd: folder,
    now: () => new Date('2026-11-20T12:00:00Z'),
  });
  return { code: code ?? 0, stdout: bytes, stderr };
}

/** The JPEG streams inside a PDF or an HTML file. */
export function listJpegs(bytes: Buffer): Buffer[] {
  const inHtml = [...bytes.toString('latin1').matchAll(/data:image\/jpeg;base64,([^"]+)/g)].map(([, text]) =>
    Buffer.from(text ?? '', 'base64'),
  );
  if (inHtml.length > 0) return inHtml;
  const found: Buffer[] = [];
  for (let at = bytes.indexOf('/DCTDecode'); at >= 0; at = bytes.indexOf('/DCTDecode', at + 1)) {
    const start = bytes.indexOf('stream\n', at) + 7;
    found.push(bytes.subarray(start, bytes.indexOf('endstream', start)));
  }
  return found;
}
