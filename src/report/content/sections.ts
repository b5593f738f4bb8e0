import type { Result } from '../../contract/result.ts';
import { type DamageRow, showsPrices } from '../input.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Section } from './blocks.ts';
import { writeCaveats } from './caveats.ts';
import { writeOperations, writeTotals } from './estimate.ts';
import { writeLines } from './lines.ts';
import { writeMethod } from './method.ts';
import { writeOptions } from './options.ts';
import { writeReview } from './review.ts';
import { writeValue } from './value.ts';

/** Returns the sections after damages and photos, in the order of the report. */
export function listClosingSections(
  input: Result,
  rows: readonly DamageRow[],
  pictures: Pick<ReportPictures, 'missing' | 'redaction'>,
): readonly Section[] {
  const { assessment } = input;
  const review = writeReview(input);
  const caveats = writeCaveats(input, pictures.missing);
  return [
    ...(assessment && showsPrices(input.inspection)
      ? [
          writeTotals(assessment),
          writeLines(assessment) ?? writeOperations(assessment, rows),
          writeOptions(rows, assessment),
          writeValue(assessment.data.summary),
        ]
      : []),
    ...(review ? [review] : []),
    ...(caveats ? [caveats] : []),
    writeMethod(input, pictures.redaction),
  ];
}

/** Returns whether a section comes before the photos: it is short, and helps to read them. */
export function isBeforePhotos({ id }: Section): boolean {
  return id === 'caveats';
}
