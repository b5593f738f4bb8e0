import type { Damage, Photo } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { keepBestOfPhoto } from '../../domain/damage.ts';
import { formatMoneyRange, formatSize, readFileName, shortenMiddle } from '../figures.ts';
import {
  type DamageRow,
  describeCertainty,
  formatFindingNumber,
  listDamageRows,
  listPhotoFindings,
  listToCheckRows,
  type PhotoFinding,
} from '../finding-rows.ts';
import { findMainEvidence, type ReportPictures } from '../pictures.ts';
import {
  describeDamage,
  describeFindingPart,
  describeRepair,
  humanise,
  LOOK_WORDS,
  SEVERITY_WORDS,
} from '../words.ts';
import type { FindingRef, Section, Shot, ShownPicture } from './blocks.ts';

/** Formats the caption of a photo: `Photo 3: IMG_0003.jpg, left side`. */
export function writePhotoCaption(photo: Photo): string {
  const angle = photo.angle ? `, ${humanise(photo.angle).toLowerCase()}` : '';
  return `Photo ${photo.index + 1}: ${shortenMiddle(readFileName(photo.url), MAX_NAME_LENGTH)}${angle}`;
}

/** Maximum characters of a file name in a caption; the list of examined photos shows it in full. */
const MAX_NAME_LENGTH = 44;

/** Returns the repair and its price, from the assessment if there is one, as in the damage table. */
function listRepairFacts({ assessed }: DamageRow, { estimated_repair: quick }: Damage): readonly string[] {
  if (!assessed)
    return [
      describeRepair(quick.repair_category ?? quick.repair_type),
      formatMoneyRange(quick.min, quick.max, quick.currency),
    ];
  const { option, min_cost, max_cost, currency } = assessed.recommended_repair;
  return [humanise(option), formatMoneyRange(min_cost, max_cost, currency)];
}

/** Builds the close-up of a finding with the finding marked. */
export function showCloseUp(row: DamageRow, { closeUps }: ReportPictures, caption = ''): ShownPicture {
  const { found, toCheck, severity } = row;
  const closeUp = closeUps.get(row.id);
  const box = found ? findMainEvidence(found)?.coordinates : undefined;
  return {
    picture: closeUp?.picture,
    alt: `Close-up of no. ${row.number}`,
    caption,
    missing: 'no picture',
    ...(closeUp ? { mark: { region: closeUp.region, box, look: toCheck ? 'to_check' : severity } } : {}),
  };
}

/** Builds the sections of photos with findings and photos without. */
export function writePhotos(input: Result, pictures: ReportPictures): readonly Section[] {
  const data = input.inspection?.data;
  const rows = [...listDamageRows(input), ...listToCheckRows(input)];
  const seen = (data?.images ?? []).map((photo) => ({
    photo,
    findings: data ? listPhotoFindings(photo, data) : [],
  }));
  const shots = seen
    .filter(({ findings }) => findings.length > 0)
    .map(({ photo, findings }) => makeShot(photo, findings, rows, pictures));
  const without = seen
    .filter(({ findings }) => findings.length === 0)
    .map(({ photo }): ShownPicture => {
      const caption = `${writePhotoCaption(photo)}${photo.analysed ? '' : ' (not analysed)'}`;
      return { picture: pictures.photos.get(photo.index), alt: caption, caption, missing: 'no picture' };
    });
  return [
    ...(shots.length > 0
      ? [{ id: 'photos', title: 'Photos with findings', blocks: [{ kind: 'shots' as const, shots }] }]
      : []),
    ...(without.length > 0
      ? [
          {
            id: 'clean',
            title: 'Photos without findings',
            blocks: [{ kind: 'pictures' as const, size: 'photos' as const, pictures: without }],
          },
        ]
      : []),
  ];
}

function makeShot(
  photo: Photo,
  findings: readonly PhotoFinding[],
  rows: readonly DamageRow[],
  pictures: ReportPictures,
): Shot {
  const picture = pictures.photos.get(photo.index);
  const caption = writePhotoCaption(photo);
  const numbers = findings.map(({ damage }) => damage.number).join(', ');
  const also = describeAlsoInView(findings, photo);
  return {
    photo,
    picture,
    alt: `${caption}, with boxes around no. ${numbers}`,
    caption,
    continuation: `${caption}, further findings`,
    findings,
    notes: [
      ...(picture ? [] : [`No picture: ${pictures.missing.get(photo.index) ?? 'the photo was not found'}`]),
      ...(also === null ? [] : [also]),
    ],
    cards: rows
      .filter(({ found }) => found && findMainEvidence(found)?.image_index === photo.index)
      .map((row) => ({
        finding: makeFindingRef(row),
        title: `${row.number}${row.toCheck ? '?' : '.'} ${describeFindingPart(row)}`,
        closeUp: showCloseUp(row, pictures),
        facts: listCardFacts(row),
      })),
  };
}

/** Creates the reference to the finding of a row. */
export function makeFindingRef({ id, number, severity, toCheck, found }: DamageRow): FindingRef {
  const look = toCheck ? 'to_check' : severity;
  return { id, number, look, label: LOOK_WORDS[look], hasPhoto: found !== null };
}

/** Lists findings visible in a photo but described at another one, as a sentence; null if there are none. */
export function describeAlsoInView(
  findings: readonly PhotoFinding[],
  photo: Pick<Photo, 'index'>,
): string | null {
  const others = findings.flatMap(({ damage, toCheck }) => {
    const main = findMainEvidence(damage)?.image_index;
    if (main === undefined || main === photo.index) return [];
    return [`no. ${formatFindingNumber({ number: damage.number, toCheck })} (photo ${main + 1})`];
  });
  return others.length === 0 ? null : `Also in view: ${others.join(', ')}.`;
}

/** Lists the facts next to a damage's close-up, one per line. */
function listCardFacts(row: DamageRow): readonly string[] {
  const { found } = row;
  if (!found) return [];
  const size = formatSize(found);
  const seenIn = keepBestOfPhoto(found.evidence).length;
  return [
    `${row.toCheck ? `${SEVERITY_WORDS[row.severity]} ${describeDamage(row.type, row.subtype, row.part).toLowerCase()}` : describeDamage(row.type, row.subtype, row.part)}, score ${row.score.toFixed(1)} of 10`,
    `${describeCertainty(row)}${seenIn > 1 ? `, in ${seenIn} photos` : ''}${size ? `, ${size}` : ''}`,
    ...(row.priced ? [listRepairFacts(row, found).join(' ')] : []),
  ];
}
