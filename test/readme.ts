/** `npm run readme`: puts the output of real runs into README and docs, and the README's pictures. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import type { InspectionEnvelope } from '../src/contract/inspection.ts';
import { ROOT, runCli } from './helpers/cli/run-cli.ts';
import { DOCUMENTS, PICTURES, renewOutput, showsOutput } from './helpers/documents.ts';
import { makeOwnFolder } from './helpers/temporary-folder.ts';

const WIDTH = 900;

async function firstPage(pdf: string): Promise<Buffer> {
  const document = await getDocument({ data: new Uint8Array(readFileSync(pdf)) }).promise;
  const page = await document.getPage(1);
  const scale = WIDTH / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(viewport.width, viewport.height);
  // The package's types know the canvas of browsers only.
  await page.render({ canvas: canvas as never, viewport }).promise;
  return canvas.toBuffer('image/png');
}

/** The photo that shows most damages; the first of several. */
function telling({ data }: InspectionEnvelope): string {
  const count = (index: number) =>
    (data.results?.damages ?? []).filter(({ evidence }) => evidence.some((one) => one.image_index === index))
      .length;
  const [best] = [...data.images].sort((a, b) => count(b.index) - count(a.index));
  if (!best?.annotated_url) throw new Error('the demo run drew no photo');
  return best.annotated_url;
}

const folder = makeOwnFolder('readme');
// What the commands below leave is removed with it.
process.env.TMPDIR = folder;
try {
  const files = { json: join(folder, 'result.json'), pdf: join(folder, 'report.pdf') };
  for (const name of DOCUMENTS.filter(showsOutput)) writeFileSync(join(ROOT, name), await renewOutput(name));
  symlinkSync(join(ROOT, 'fixtures/vehicle'), join(folder, 'photos'));
  const outputs = ['-o', `json=${files.json}`, '-o', `pdf=${files.pdf}`];
  const inspect = ['inspect', 'photos', '-q', '--annotated', join(folder, 'marked'), ...outputs];
  const run = await runCli([...inspect, '--now', '2026-01-31T12:00:00Z'], { cwd: folder });
  if (run.code !== 0) throw new Error(`vehi inspect ended with ${run.code}:\n${run.stderr}`);
  const result = JSON.parse(readFileSync(files.json, 'utf8')) as InspectionEnvelope;
  mkdirSync(PICTURES, { recursive: true });
  const save = (picture: string | Buffer, name: string, quality: number) =>
    sharp(picture).resize({ width: WIDTH }).jpeg({ quality, mozjpeg: true }).toFile(join(PICTURES, name));
  await save(telling(result), 'annotated.jpg', 72);
  await save(await firstPage(files.pdf), 'report.jpg', 70);
  process.stdout.write(
    `README.md, docs and ${PICTURES.slice(ROOT.length + 1)} are as the demo photos give them\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
