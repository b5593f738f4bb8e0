import type { Result } from '../../contract/result.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { type DamageRow, listDamageRows, listToCheckRows } from '../finding-rows.ts';
import { findCost } from '../repair-lines.ts';

/**
 * Renders one line per damage and place to check for grep: `photo:x,y,w,h severity part damage confidence price`. A
 * place to check has `?` after its severity; `-` marks an unknown value, `\u{20}` a space in the photo's name.
 */
export function formatConcise(input: Result): string {
  return [...listDamageRows(input), ...listToCheckRows(input)].map((row) => `${writeLine(row)}\n`).join('');
}

function writeLine(row: DamageRow): string {
  const { found, assessed, severity, part, type, subtype, toCheck, priced } = row;
  const box = found?.location.coordinates;
  const url = found && escapeName(found.image_url).replaceAll(' ', '\\u{20}');
  const place = box ? `${url}:${box.x},${box.y},${box.width},${box.height}` : '-';
  const currency = assessed?.recommended_repair.currency ?? found?.estimated_repair.currency ?? '';
  return [
    place,
    `${severity}${toCheck ? '?' : ''}`,
    part,
    subtype ?? type,
    found ? `${Math.round(found.confidence * 100)}%` : '-',
    priced ? `${Math.round(findCost(row))}${currency}` : '-',
  ].join(' ');
}
