/**
 * Cost of a PDF of 12 photos of 12 megapixels and 24 damages beyond decoding, in processor milliseconds of all threads
 * (best of three, one process): bare decodes at full size, pictures with close-ups, drawing. Photos with sufficiently
 * large close-ups are decoded at half size, so pictures can cost less than the bare decodes. With `small_damages`, each
 * a twenty-fifth of the photo wide, every photo is decoded at full size. Prints one JSON document; not a test. Run with
 * `npx tsx test/bench/report.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { InspectionEnvelope } from '../../src/contract/inspection.ts';
import type { Result } from '../../src/contract/result.ts';
import { createPhotoStudio } from '../../src/images/draw/photo-studio.ts';
import { openImage } from '../../src/images/sharp.ts';
import { renderPdf } from '../../src/report/pdf/pdf-report.ts';
import { gatherPictures } from '../../src/report/pictures.ts';
import { exampleInspection } from '../helpers/results/example-inspection.ts';
import { makePhotos } from './photos.ts';

const ROUNDS = 3;
const PHOTOS = 12;

async function cpuMs<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

function withSmallDamages(inspection: InspectionEnvelope): InspectionEnvelope {
  const copy = structuredClone(inspection);
  for (const { evidence } of copy.data.results?.damages ?? [])
    for (const { coordinates } of evidence) {
      coordinates.width = Math.round(coordinates.image_width / 25);
      coordinates.height = Math.round(coordinates.image_height / 25);
    }
  return copy;
}

const folder = mkdtempSync(join(tmpdir(), 'vehi-bench-'));
const studio = createPhotoStudio();
try {
  const paths = await makePhotos(folder, PHOTOS);
  const inspection = exampleInspection({
    damages: 2 * PHOTOS,
    photos: PHOTOS,
    photoSize: { width: 4000, height: 3000 },
    photoUrl: (index) => basename(paths[index] ?? ''),
  });
  const input = { inspection, assessment: null };
  const small = { inspection: withSmallDamages(inspection), assessment: null };
  const decodeAll = async () => {
    for (const path of paths) await openImage(path).removeAlpha().raw().toBuffer();
  };
  const gather = (report: Result) =>
    gatherPictures(report, {
      load: async ({ index }, wanted) =>
        (await studio.open({ kind: 'file', path: paths[index] ?? '' })).pictures(wanted),
    });
  const best = {
    decode: Number.POSITIVE_INFINITY,
    pictures: Number.POSITIVE_INFINITY,
    small: Number.POSITIVE_INFINITY,
    first: 0,
    draw: Number.POSITIVE_INFINITY,
  };
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const pictures = await cpuMs(() => gather(input));
    const ofSmall = await cpuMs(() => gather(small));
    const pdf = await cpuMs(() =>
      renderPdf(input, pictures.result, { pageSize: 'A4', generatedAt: new Date('2026-11-20T10:00:00Z') }),
    );
    const decode = await cpuMs(decodeAll);
    if (round === 0) best.first = pdf.ms;
    best.decode = Math.min(best.decode, decode.ms);
    best.pictures = Math.min(best.pictures, pictures.ms);
    best.small = Math.min(best.small, ofSmall.ms);
    best.draw = Math.min(best.draw, pdf.ms);
    bytes = pdf.result.length;
  }
  const whole = Math.round;
  process.stdout.write(
    `${JSON.stringify({
      photos: PHOTOS,
      damages: 2 * PHOTOS,
      decode_ms: whole(best.decode),
      pictures_ms: whole(best.pictures),
      pictures_of_small_damages_ms: whole(best.small),
      draw_first_ms: whole(best.first),
      draw_warm_ms: whole(best.draw),
      pdf_beyond_decoding_ms: whole(best.pictures - best.decode + best.first),
      pdf_of_small_damages_beyond_decoding_ms: whole(best.small - best.decode + best.first),
      over_decoding: Number(((best.pictures + best.first) / best.decode).toFixed(2)),
      pdf_bytes: bytes,
    })}\n`,
  );
} finally {
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
}
