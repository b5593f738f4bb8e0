/**
 * Evaluates several photos of one vehicle: whether a finding in several photos is more reliable than one in a single
 * photo.
 *
 *     npx tsx test/bench/walk-arounds.ts LABELS.json      (photos with `folder` and `car`, damages by eye)
 */

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeAny } from '../../models/evaluate/decode-any.ts';
import { type LabelledPhoto, parseLabelledPhotos } from '../../models/evaluate/finds/labelled-photos.ts';
import { judgeFind } from '../../models/evaluate/finds/touch.ts';
import { type Cluster, mergeAcrossPhotos } from '../../src/domain/sight/merge-across-photos.ts';
import { observe, type PhotoFindings } from '../../src/engine/inspect/observe.ts';
import { resizeRgb } from '../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../src/index.ts';
import { createVision } from '../../src/vision/vision.ts';

interface Seen {
  readonly photo: LabelledPhoto;
  readonly vehicle: string;
  readonly findings: Readonly<Record<'default' | 'high', PhotoFindings>>;
}

const [labels = ''] = process.argv.slice(2);
const photos = parseLabelledPhotos(await readFile(labels, 'utf8'), labels);
const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb });
const seen: Seen[] = [];
for (const photo of photos) {
  const picture = await decodeAny(join(dirname(labels), photo.file));
  const sighting = await vision.detect(picture);
  const about = { index: seen.length, size: picture.size, angle: null, issues: [] };
  const at = (name: 'default' | 'high') =>
    observe(sighting, about, {
      limits: vision.limits[name],
      minConfidence: null,
      widest: vision.limits.high,
    });
  const findings = { default: at('default'), high: at('high') };
  seen.push({ photo, vehicle: photo.vehicle ?? photo.file, findings });
}
await vision.close();
const vehicles = new Set(seen.map(({ vehicle }) => vehicle));
process.stdout.write(`${seen.length} photos of ${vehicles.size} vehicles\n`);

for (const level of ['default', 'high'] as const) {
  const clusters = [...vehicles].flatMap((name) => {
    const own = seen.filter(({ vehicle }) => vehicle === name);
    return mergeAcrossPhotos(own.flatMap((one) => one.findings[level].observations)).map((cluster) => ({
      cluster,
      own,
    }));
  });
  const several = clusters.filter(({ cluster }) => cluster.length > 1);
  const alone = clusters.filter(({ cluster }) => cluster.length === 1);
  const missed = alone.filter(({ cluster, own }) => isShownElsewhere(cluster, own, level));
  const closer = missed.filter(({ cluster, own }) => isShownElsewhere(cluster, own, level, true));
  process.stdout.write(
    `${[
      `finds at ${level}: seen in several photos ${rightOf(several)}`,
      `in one photo alone ${rightOf(alone)}`,
      `in one of several that show the part ${rightOf(missed)}`,
      `where a closer one does not show it ${rightOf(closer)}`,
    ].join('; ')}\n`,
  );
}

/** Returns true if another photo shows the finding's part well enough to judge it, at a larger scale if required. */
function isShownElsewhere(
  [find]: Cluster,
  own: readonly Seen[],
  level: 'default' | 'high',
  isCloser = false,
): boolean {
  /** Centimeters per pixel at which a photo shows the part well; undefined if it does not. */
  const scaleIn = (one: Seen | undefined) => {
    const shown = one?.findings[level].shown;
    const isSeen = shown?.parts.find(({ part }) => part === find.part)?.reason === null;
    return isSeen ? shown?.cmPerPixel : undefined;
  };
  const here = scaleIn(seen[find.photo]) ?? 0;
  return own.some((one) => {
    const scale = one === seen[find.photo] ? undefined : scaleIn(one);
    return scale !== undefined && (!isCloser || scale < here);
  });
}

function rightOf(found: readonly { readonly cluster: Cluster }[]): string {
  const verdicts = found.map(({ cluster }) =>
    cluster.map(({ photo, box }) => judgeFind(box, seen[photo]?.photo.damages ?? []).verdict),
  );
  const judged = verdicts.filter((views) => views.some((one) => one === 'right' || one === 'wrong'));
  return `${judged.filter((views) => views.includes('right')).length} of ${judged.length} right`;
}
