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
import { writeVerdicts } from './verdicts.ts';

/** Returns the sections after damages and photos, in the order of the report. */
export function listClosingSections(
  input: Result,
  rows: readonly DamageRow[],
  pictures: Pick<ReportPictures, 'missing' | 'redaction'>,
): readonly Section[] {
  const { assessment } = input;
  const review = writeReview(input);
  const caveats = writeCaveats(input, pictures.missing);
  const verdicts = writeVerdicts(input);
  return [
    ...(assessment && showsPrices(input.inspection)
      ? [
          writeTotals(assessment),
          writeLines(assessment) ?? writeOperations(assessment, rows),
          writeOptions(rows, assessment),
          writeValue(assessment.data.summary),
        ]
      : []),
    ...(verdicts ? [verdicts] : []),
    ...(review ? [review] : []),
    ...(caveats ? [caveats] : []),
    writeMethod(input, pictures.redaction),
  ];
}

/** Returns whether a section comes before the photos: it is short, and helps to read them or says what they are for. */
export function isBeforePhotos({ id }: Section): boolean {
  return id === 'caveats' || id === 'verdicts';
}
