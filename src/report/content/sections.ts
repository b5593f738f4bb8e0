import type { DamageRow, ReportInput } from '../input.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Section } from './blocks.ts';
import { caveatsSection } from './caveats.ts';
import { operationsSection, totalsSection } from './estimate.ts';
import { linesSection } from './lines.ts';
import { methodSection } from './method.ts';
import { optionsSection } from './options.ts';
import { reviewSection } from './review.ts';
import { valueSection } from './value.ts';

/** Returns the sections after damages and photos, in the order of the report. */
export function closingSections(
  input: ReportInput,
  rows: readonly DamageRow[],
  pictures: Pick<ReportPictures, 'missing' | 'redaction'>,
): readonly Section[] {
  const { assessment } = input;
  const review = reviewSection(input);
  const caveats = caveatsSection(input, pictures.missing);
  return [
    ...(assessment
      ? [
          totalsSection(assessment),
          linesSection(assessment) ?? operationsSection(assessment, rows),
          optionsSection(rows, assessment),
          valueSection(assessment.data.summary),
        ]
      : []),
    ...(review ? [review] : []),
    ...(caveats ? [caveats] : []),
    methodSection(input, pictures.redaction),
  ];
}

/** Returns whether a section comes before the photos: it is short, and helps to read them. */
export function isBeforePhotos({ id }: Section): boolean {
  return id === 'caveats';
}
