import type { Result } from '../../contract/result.ts';
import { listHeadFacts } from '../facts.ts';
import { listDamageRows, listToCheckRows, showsPrices } from '../finding-rows.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Section } from './blocks.ts';
import { writeCaveats } from './caveats.ts';
import { writeDamages, writeNextPhotos, writeToCheckCards } from './damages.ts';
import { writeDecision } from './decision-form.ts';
import { writeTotals } from './estimate.ts';
import { writeFirstPage } from './first-page.ts';
import { chooseLanguage } from './language.ts';
import { writeLines } from './lines.ts';
import { writeMethod } from './method.ts';
import { writeOptions } from './options.ts';
import { writePhotos } from './photos.ts';
import { writeReview } from './review.ts';
import { translateSection } from './translate.ts';
import { writeValue } from './value.ts';

/** Lists the sections of an illustrated report in reading order and in the region's language. */
export function listReportSections(
  input: Result,
  pictures: ReportPictures,
  generatedAt: Date,
): readonly Section[] {
  const { assessment } = input;
  const language = chooseLanguage(input);
  const [rows, checks] = [listDamageRows(input), listToCheckRows(input)];
  const sections = [
    writeFirstPage(input, pictures),
    writeDecision(input),
    {
      id: 'facts',
      title: '',
      blocks: [{ kind: 'facts' as const, facts: listHeadFacts(input, generatedAt) }],
    },
    writeDamages(input, rows),
    writeToCheckCards(input, checks),
    writeNextPhotos(input),
    writeCaveats(input, pictures.missing),
    ...writePhotos(input, pictures),
    ...(assessment && showsPrices(input.inspection)
      ? [
          writeTotals(assessment, false),
          ...[
            writeLines(assessment, input.inspection, { isCustomary: language.code !== 'en' }),
            writeOptions(rows, assessment),
            writeValue(assessment.data.summary),
          ].map((section) => ({ ...section, small: true })),
        ]
      : []),
    writeReview(input),
    writeMethod(input, pictures.redaction),
  ];
  return sections.filter((one) => one !== null).map((one) => translateSection(one, language));
}
