import type { Damage, Photo } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { keepBestOfPhoto } from '../../domain/damage.ts';
import { chooseLook } from '../../domain/looks.ts';
import { compact } from '../../lib/lists.ts';
import { formatFindingNumber, formatSize, nameInCaption } from '../figures.ts';
import {
  type DamageRow,
  describeCertainty,
  listFindingRows,
  listPhotoFindings,
  type PhotoFinding,
} from '../finding-rows.ts';
import { findMainEvidence, type ReportPictures } from '../pictures.ts';
import { capitalize, english, type Translator } from '../translator.ts';
import {
  describeDamage,
  describeFindingPart,
  describeRepair,
  describeSevereDamage,
  humanize,
} from '../words.ts';
import { type FindingRef, makeSection, type Section, type Shot, type ShownPicture } from './blocks.ts';
import { describeListedCost, findPricedLine, nameListedRepair } from './repair.ts';

/** Formats the caption of a photo: `Photo 3: IMG_0003.jpg, left side`. */
export function writePhotoCaption(photo: Photo, photos: readonly Pick<Photo, 'url'>[], t = english): string {
  const name = nameInCaption(photo.url, photos);
  const caption = t`Photo ${photo.index + 1}: ${name}`;
  return photo.angle ? `${caption}, ${t.word(humanize(photo.angle).toLowerCase())}` : caption;
}

/** Builds the close-up of a finding with the finding marked. */
export function showCloseUp(
  row: DamageRow,
  { closeUps }: ReportPictures,
  t: Translator,
  caption = '',
): ShownPicture {
  const closeUp = closeUps.get(row.id);
  const box = row.found ? findMainEvidence(row.found)?.coordinates : undefined;
  return {
    picture: closeUp?.picture,
    alt: t`Close-up of no. ${row.number}`,
    caption,
    missing: t`no picture`,
    ...(closeUp ? { mark: { region: closeUp.region, box, look: chooseLook(row) } } : {}),
  };
}

/** Builds the sections of photos with findings, each with a card per finding, and of photos without. */
export function writePhotos(
  input: Result,
  pictures: ReportPictures,
  t: Translator,
): readonly [shots: Section | null, without: Section | null] {
  if (input.inspection === null) return [null, null];
  const { data } = input.inspection;
  const rows = listFindingRows(input);
  const seen = data.images.map((photo) => ({ photo, findings: listPhotoFindings(photo, data) }));
  const shots = seen
    .filter(({ findings }) => findings.length > 0)
    .map(({ photo, findings }) => makeShot(input, photo, findings, rows, pictures, t));
  const without = seen
    .filter(({ findings }) => findings.length === 0)
    .map(({ photo }): ShownPicture => {
      const name = writePhotoCaption(photo, data.images, t);
      const caption = photo.analyzed ? name : `${name} (${t`not analyzed`})`;
      return { picture: pictures.photos.get(photo.index), alt: caption, caption, missing: t`no picture` };
    });
  const blocks = without.length > 0 ? [{ kind: 'pictures', size: 'photos', pictures: without } as const] : [];
  return [
    makeSection('findings', t`Photos with findings`, shots.length > 0 ? [{ kind: 'shots', shots }] : []),
    makeSection('clean', t`Photos without findings`, blocks),
  ];
}

function makeShot(
  input: Result,
  photo: Photo,
  findings: readonly PhotoFinding[],
  rows: readonly DamageRow[],
  pictures: ReportPictures,
  t: Translator,
): Shot {
  const picture = pictures.photos.get(photo.index);
  const caption = writePhotoCaption(photo, input.inspection?.data.images ?? [], t);
  const numbers = findings.map(({ damage }) => damage.number).join(', ');
  const also = describeAlsoInView(findings, photo, t);
  const missing = pictures.missing.get(photo.index);
  return {
    photo,
    picture,
    alt: t`${caption}, with boxes around no. ${numbers}`,
    caption,
    findings,
    notes: compact([
      !picture && t`No picture: ${missing === undefined ? t`the photo was not found` : t.stored(missing)}`,
      also,
    ]),
    cards: rows.flatMap((row) =>
      row.found && findMainEvidence(row.found)?.image_index === photo.index
        ? {
            finding: makeFindingRef(row, t),
            title: `${row.number}${row.toCheck ? '?' : '.'} ${describeFindingPart(row, t)}`,
            closeUp: showCloseUp(row, pictures, t),
            facts: listCardFacts(input, row, row.found, t),
          }
        : [],
    ),
  };
}

export function makeFindingRef(row: DamageRow, t: Translator): FindingRef {
  const look = chooseLook(row);
  return { id: row.id, number: row.number, look, label: t.word(humanize(look)) };
}

/** Lists findings visible in a photo but described at another one, as a sentence; null if there are none. */
export function describeAlsoInView(
  findings: readonly PhotoFinding[],
  photo: Pick<Photo, 'index'>,
  t = english,
): string | null {
  const others = findings.flatMap(({ damage, toCheck }) => {
    const main = findMainEvidence(damage)?.image_index;
    if (main === undefined || main === photo.index) return [];
    return [t`no. ${formatFindingNumber({ number: damage.number, toCheck })} (photo ${main + 1})`];
  });
  return others.length === 0 ? null : t`Also in view: ${others.join(', ')}.`;
}

/** Lists the facts next to a finding's close-up, one per line; its repair is that of the part, with whose price it stands. */
function listCardFacts(input: Result, row: DamageRow, found: Damage, t: Translator): readonly string[] {
  const { repair_category: category, repair_type: type } = found.estimated_repair;
  const repair =
    nameListedRepair(input, row, t) ??
    capitalize(findPricedLine(input, row.id, t)?.action ?? describeRepair(category ?? type, t));
  const size = formatSize(found);
  const seenIn = keepBestOfPhoto(found.evidence).length;
  const what = row.toCheck
    ? capitalize(describeSevereDamage(row, t))
    : describeDamage(row.type, row.subtype, row.part, t);
  return compact([
    `${what}, ${t`score ${t.figure(row.score.toFixed(1))} of 10`}`,
    compact([describeCertainty(row, t), seenIn > 1 && t`in ${seenIn} photos`, size && t.figure(size)]).join(
      ', ',
    ),
    compact([repair, describeListedCost(input, row.id, t)]).join(' '),
    row.remark && capitalize(t.stored(row.remark)),
  ]);
}
