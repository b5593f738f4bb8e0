import type { Photo } from '../../contract/inspection.ts';
import { fileName, moneyRange, percent, plain, sizeText } from '../figures.ts';
import type { DamageRow } from '../input.ts';
import { damageWords, humanise, repairWords } from '../words.ts';

/** `Photo 3: IMG_0003.jpg, left side`. */
export function photoCaption(photo: Photo): string {
  const angle = photo.angle ? `, ${humanise(photo.angle).toLowerCase()}` : '';
  return `Photo ${photo.index + 1}: ${fileName(photo.url)}${angle}`;
}

/** The facts beside the close-up of a damage, one per line. */
export function cardFacts(row: DamageRow): readonly string[] {
  const { found } = row;
  if (!found) return [];
  const size = sizeText(found.measurements);
  const cost = found.estimated_repair;
  return [
    `${damageWords(row.type, row.subtype)}, score ${plain(row.score)} of 10`,
    `${percent(found.confidence)} sure${found.evidence.length > 1 ? `, seen in ${found.evidence.length} photos` : ''}`,
    size ? `Size ${size}` : 'Size not measured',
    repairWords(cost.repair_type),
    moneyRange(cost.min, cost.max, cost.currency),
    ...(found.detail ? [found.detail] : []),
  ];
}
