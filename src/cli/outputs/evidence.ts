import type { Readable } from 'node:stream';
import { openEvidenceKey } from '../../config/evidence-key.ts';
import type { Result } from '../../contract/result.ts';
import { packEvidence } from '../../evidence/pack.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { findPhoto } from './report-pictures.ts';
import type { OutputView } from './view.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'result.json': 'result of the inspection',
  'report.pdf': 'report of the inspection',
  'decisions.json': 'decisions of the reviewer',
  'comparison.json': 'comparison with the earlier inspection',
  'comparison.pdf': 'report of the comparison',
  'earlier-result.json': 'result of the earlier inspection',
};

/**
 * Packs a result as an evidence file.
 * @throws VehiError usage for an assessment alone; input if a photo is missing or has changed, because then the
 * evidence would prove nothing
 */
export async function renderEvidence(
  result: Result,
  { compared, photosFolder, ctx, now }: OutputView,
  documents: Readonly<Record<string, string | Uint8Array>>,
): Promise<Readable> {
  const { inspection } = result;
  if (!inspection) {
    const message = 'evidence is made of an inspection with its photos.';
    const hint = 'Give the JSON of vehi inspect.';
    throw new VehiError('usage', 'EVIDENCE_NEEDS_PHOTOS', message, { hint });
  }
  const review = 'review' in inspection ? inspection.review : undefined;
  const files = {
    ...documents,
    ...(review ? { 'decisions.json': toJsonText(review) } : {}),
    ...compared?.files,
  };
  return packEvidence({
    inspection,
    documents: Object.entries(files).map(([name, content]) => ({
      name,
      about: DESCRIPTIONS[name] ?? '',
      content,
    })),
    async readPhoto(photo) {
      const found = await findPhoto(photo, result, photosFolder);
      if ('bytes' in found) return found.bytes;
      throw new VehiError('input', 'PHOTO_MISSING', `no evidence without ${photo.url}: ${found.missing}`, {
        hint: 'Put the photos back where they were inspected (vehi report: or name their folder with --photos).',
      });
    },
    changes: compared?.summary,
    key: openEvidenceKey(ctx.env),
    packedAt: now(),
  });
}
