import type { Result } from '../../contract/result.ts';
import { listHeadFacts } from '../facts.ts';
import { listDamageRows, listToCheckRows, showsPrices } from '../finding-rows.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Say } from '../say.ts';
import type { Section } from './blocks.ts';
import { writeCaveats } from './caveats.ts';
import { writeDamages, writeNextPhotos, writeToCheckCards } from './damages.ts';
import { writeDecision } from './decision-form.ts';
import { writeTotals } from './estimate.ts';
import { writeFirstPage } from './first-page.ts';
import { writeLines } from './lines.ts';
import { writeMethod } from './method.ts';
import { writeOptions } from './options.ts';
import { writePhotos } from './photos.ts';
import { writeReview } from './review.ts';
import { writeValue } from './value.ts';

/** Lists the sections of an illustrated report in reading order. */
export function listReportSections(
  input: Result,
  pictures: ReportPictures,
  generatedAt: Date,
  say: Say,
): readonly Section[] {
  const { assessment } = input;
  const [rows, checks] = [listDamageRows(input), listToCheckRows(input)];
  const sections = [
    writeFirstPage(input, pictures, say),
    writeDecision(input, say),
    {
      id: 'facts',
      title: '',
      blocks: [{ kind: 'facts' as const, facts: listHeadFacts(input, generatedAt, say) }],
    },
    writeDamages(input, rows, say),
    writeToCheckCards(input, checks, say),
    writeNextPhotos(input, say),
    writeCaveats(input, pictures.missing, say),
    ...writePhotos(input, pictures, say),
    ...(assessment && showsPrices(input.inspection)
      ? [
          writeTotals(assessment, false, say),
          ...[
            writeLines(assessment, input.inspection, { isCustomary: say.code !== 'en' }, say),
            writeOptions(rows, assessment, {}, say),
            writeValue(assessment.data.summary, false, say),
          ].map((section) => ({ ...section, small: true })),
        ]
      : []),
    writeReview(input, say),
    writeMethod(input, pictures.redaction, say),
  ];
  return sections.filter((one) => one !== null);
}
