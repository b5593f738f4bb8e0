import type { GradeBasis, NextPhoto as WireNextPhoto } from '../../contract/inspection-grounds.ts';
import type { NextPhoto, OutsideAngle } from '../../domain/grading/next-photos.ts';
import { namePartInText, splitPosition } from '../../domain/parts.ts';
import { formatCount } from '../../lib/format-count.ts';

/** Words for a viewpoint; that above is never a view of its own, because it shows the roof alone. */
const AREA_WORDS: Readonly<Record<OutsideAngle, string>> = {
  front: 'the front',
  rear: 'the rear',
  left_side: 'the left side',
  right_side: 'the right side',
  front_left: 'the front left corner',
  front_right: 'the front right corner',
  rear_left: 'the rear left corner',
  rear_right: 'the rear right corner',
  top: 'above',
};

const LIGHT_WORDS = { any: '', shade: ', in the shade', more_light: ', in more light' } as const;

const REASON_WORDS = {
  not_seen: 'no photo shows it',
  far: 'too far away in the photos',
  blur: 'blurred in the photos',
  dark: 'too dark in the photos',
  bright: 'too bright in the photos',
  mostly_hidden: 'hardly visible in the photos',
  unsure: 'a possible damage that a closer photo decides',
} as const satisfies Record<WireNextPhoto['reason'], string>;

/**
 * Describes a requested photo: the subject (`place`), and the instruction with distance, light and reason (`message`).
 * If the photos leave the side open, the number of the place to check replaces it.
 */
export function describeNextPhoto(
  { code, area, parts, distanceM, light, reason }: NextPhoto,
  openPlace?: number,
): { place: string; message: string } {
  const ofParts =
    openPlace === undefined ? describeParts(parts) : `${describeWithoutPosition(parts)} of no. ${openPlace}`;
  const subject = code !== 'view' || area === null ? ofParts : AREA_WORDS[area];
  const why =
    code === 'view' && reason === 'mostly_hidden' ? 'the photos show little of it' : REASON_WORDS[reason];
  const from = code === 'part' && area !== null ? ` from ${AREA_WORDS[area]}` : '';
  const place = `${subject}${from}`;
  return { message: `${place}, ${distanceM} m${LIGHT_WORDS[light]}: ${why}`, place };
}

/** Lists parts in words: `front_door_left` → "the left front door". */
export const describeParts = (parts: readonly string[]): string =>
  parts.map((part) => `the ${namePartInText(part)}`).join(' and ');

/** Lists parts whose position the photos leave open: `front_door_left` → "the front door". */
const describeWithoutPosition = (parts: readonly string[]): string =>
  parts.map((part) => `the ${splitPosition(part).name}`).join(' and ');

/** Describes in one sentence what the grade is based on and what is missing. */
export function describeGradeBasis(
  {
    code,
    parts_seen: seen,
    parts,
    sides_missing: missing,
    to_check: toCheck = 0,
    vehicles = 1,
  }: Omit<GradeBasis, 'message' | 'capped'>,
  damages: number,
): string {
  const damagesFound = damages > 0 ? `${formatCount(damages, 'damage')} found` : 'no damage found';
  const found = damages === 0 && toCheck > 0 ? 'no damage is certain' : damagesFound;
  const [places, weigh, their] =
    toCheck === 1 ? ['1 place', 'weighs', 'its'] : [`${toCheck} places`, 'weigh', 'their'];
  const check = toCheck > 0 ? `; ${places} to check ${weigh} in the grade by ${their} likelihood` : '';
  const mixed = vehicles > 1 ? `${vehicles} vehicles, each with its own grade and price: ` : '';
  if (code === 'too_little_seen') {
    const open = toCheck > 0 ? `, ${places} to check` : '';
    return `too little seen for a grade: ${found} on the parts seen (${seen} of ${parts})${open}`;
  }
  if (code === 'every_side_seen')
    return `${mixed}${found} on the parts seen (${seen} of ${parts}, every side)${check}`;
  return `${mixed}${found} on the parts seen (${seen} of ${parts})${check}; not seen well enough: ${missing.map(describeSide).join(', ')}`;
}

/** Describes a side of the vehicle: `left` → "left side", `rear` → "rear". */
export const describeSide = (side: string): string =>
  side === 'left' || side === 'right' ? `${side} side` : side;
