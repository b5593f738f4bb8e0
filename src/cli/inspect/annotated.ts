import { extname, join } from 'node:path';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import { findsOf } from '../../report/input.ts';
import { marksOf } from '../../report/marks.ts';
import type { Redaction } from '../outputs/redaction.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole } from '../terminal/output.ts';
import { tell } from '../terminal/progress.ts';

/**
 * Writes every analysed photo into `folder` as JPEG with the numbered boxes of its damages and places to check, and puts the paths into
 * the result (`annotated_url`). Two photos of one name in different folders get a number behind the name.
 * @returns the paths written, as given (relative ones stay relative).
 * @throws VehiError usage when the folder cannot be written to.
 */
export async function annotateInspection(
  envelope: InspectionEnvelope,
  photos: readonly PhotoInput[],
  folder: string,
  cwd: string,
  redaction: Redaction,
): Promise<readonly string[]> {
  const finds = findsOf(envelope.data);
  const taken = new Set<string>();
  const written: string[] = [];
  const studio = createPhotoStudio();
  try {
    for (const image of envelope.data.images) {
      const input = photos.find((photo) => photo.url === image.url);
      if (!input || !image.analysed) continue;
      const photo = await studio.open(input.source);
      const hidden = await redaction.regionsOf(image, photo);
      if (hidden === null) continue;
      const path = join(folder, freeName(image.url, taken));
      const marks = marksOf(image, envelope.data);
      await writeFileWhole(path, await photo.annotate(marks, hidden), cwd);
      image.annotated_url = path;
      for (const find of finds) if (find.image_url === image.url) find.annotated_url = path;
      written.push(path);
    }
  } finally {
    await studio.close();
  }
  return written;
}

/** Says how many photos were written where. */
export function tellAnnotated(written: readonly string[], folder: string, ctx: CliContext): Promise<void> {
  const photos = `${written.length} annotated photo${written.length === 1 ? '' : 's'}`;
  return tell(ctx, `${photos} written to ${folder}`);
}

function freeName(url: string, taken: Set<string>): string {
  const base = url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('\\')) + 1);
  const stem = base.slice(0, base.length - extname(base).length) || 'photo';
  let name = `${stem}.jpg`;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem}-${n}.jpg`;
  taken.add(name.toLowerCase());
  return name;
}
