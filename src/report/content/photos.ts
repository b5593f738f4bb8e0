import type { Damage, Photo } from '../../contract/inspection.ts';
import { keepBestOfPhoto } from '../../domain/damage.ts';
import { formatMoneyRange, formatPercent, formatSize, readFileName } from '../figures.ts';
import type { DamageRow, Sighted } from '../input.ts';
import { findMainEvidence } from '../pictures.ts';
import { describeDamage, describeRepair, humanise, SEVERITY_WORDS } from '../words.ts';

/** Returns the caption of a photo: `Photo 3: IMG_0003.jpg, left side`. */
export function writePhotoCaption(photo: Photo): string {
  const angle = photo.angle ? `, ${humanise(photo.angle).toLowerCase()}` : '';
  return `Photo ${photo.index + 1}: ${shortenName(readFileName(photo.url))}${angle}`;
}

/** Longest file name of a caption, in characters; the list of the photos examined has them whole. */
const LONGEST_NAME = 44;

/** Returns the name with its middle left out where it is long: names of one series differ at their ends. */
function shortenName(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LONGEST_NAME) return name;
  const half = (LONGEST_NAME - 1) / 2;
  return `${characters.slice(0, Math.floor(half)).join('')}…${characters.slice(-Math.ceil(half)).join('')}`;
}

/** Returns the repair and its price, the assessment's where there is one, as in the table of damages. */
function repairFacts({ assessed }: DamageRow, { estimated_repair: quick }: Damage): readonly string[] {
  if (!assessed)
    return [
      describeRepair(quick.repair_category ?? quick.repair_type),
      formatMoneyRange(quick.min, quick.max, quick.currency),
    ];
  const { option, min_cost, max_cost, currency } = assessed.recommended_repair;
  return [humanise(option), formatMoneyRange(min_cost, max_cost, currency)];
}

/** Returns the sentence about finds that are seen in a photo and described at another one; null where there is none. */
export function describeAlsoInView(sighted: readonly Sighted[], photo: Pick<Photo, 'index'>): string | null {
  const others = sighted.flatMap(({ damage, toCheck }) => {
    const main = findMainEvidence(damage)?.image_index;
    if (main === undefined || main === photo.index) return [];
    return [`no. ${damage.number}${toCheck ? '?' : ''} (photo ${main + 1})`];
  });
  return others.length === 0 ? null : `Also in view: ${others.join(', ')}.`;
}

/** Returns the facts next to the close-up of a damage, one per line. */
export function listCardFacts(row: DamageRow): readonly string[] {
  const { found } = row;
  if (!found) return [];
  const size = formatSize(found);
  const seenIn = keepBestOfPhoto(found.evidence).length;
  return [
    `${row.toCheck ? `${SEVERITY_WORDS[row.severity]} ${describeDamage(row.type, row.subtype).toLowerCase()}` : describeDamage(row.type, row.subtype)}, score ${row.score.toFixed(1)} of 10`,
    `${formatPercent(found.confidence)} sure${seenIn > 1 ? `, in ${seenIn} photos` : ''}${size ? `, ${size}` : ''}`,
    ...(row.priced ? [repairFacts(row, found).join(' ')] : []),
  ];
}
