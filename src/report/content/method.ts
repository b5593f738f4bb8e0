import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { readRegion } from '../facts.ts';
import { formatMoneyRange, namePhoto } from '../figures.ts';
import { showsPrices } from '../grade.ts';
import { joinItems, type Translator } from '../translator.ts';
import {
  type Block,
  hashColumn,
  makeParagraph,
  makeTitledTable,
  numberColumn,
  type Section,
  textColumn,
} from './blocks.ts';
import { describeInspectionScope } from './price-scope.ts';

/** Builds the section on methods and limits: redaction, models and tables with versions and hashes, photo hashes. */
export function writeMethod(input: Result, redaction: string | undefined, t: Translator): Section {
  const { inspection, assessment } = input;
  const region = readRegion(input);
  const tables = assessment?.meta.tables ?? [];
  const quick = inspection?.data.results?.damage_summary.total_estimated_repair;
  const rates = region
    ? [
        t`Rates: ${t.word(region.name)} (${region.code}), table version ${region.table_version}, in force from ${t.figure(region.effective_date)}.`,
        t`Source: ${t.stored(region.source)}.`,
      ].join(' ')
    : undefined;
  const scope = assessment || !showsPrices(inspection) ? null : describeInspectionScope(inspection?.data, t);
  const used = tables.map((one) => t`${one.name} ${one.version} of ${t.figure(one.effective_date)}`);
  return {
    id: 'method',
    small: true,
    title: t`Method, limits and models`,
    blocks: compact([
      ...writeMethodParagraphs(input, t),
      redaction && makeParagraph(t.stored(redaction)),
      scope && makeParagraph(t`${t`Prices`}: ${scope}`),
      rates && makeParagraph(rates),
      used.length > 0 && makeParagraph(t`${t`Tables`}: ${joinItems(used, t)}.`),
      quick &&
        assessment &&
        makeParagraph(
          t`${t`Quick estimate of the inspection, before the assessment`}: ${t.figure(formatMoneyRange(quick.min, quick.max, quick.currency))}.`,
          'soft',
        ),
      ...(inspection ? writeFingerprints(inspection, t) : []),
    ]),
  };
}

function writeFingerprints({ data }: InspectionEnvelope, t: Translator): Block[] {
  return [
    ...makeTitledTable(t`Models`, data.models, [
      textColumn(t`Model`, 28, ({ name, id }) => `${name} (${id})`),
      textColumn(t`Version`, 12, ({ version }) => version),
      textColumn(t`Precision`, 12, ({ precision }) => precision),
      hashColumn(t`SHA-256 of the file`, 56, ({ sha256 }) => sha256),
    ]),
    ...makeTitledTable(t`Photos examined`, data.images, [
      numberColumn(t`No.`, 6, ({ index }) => String(index + 1)),
      textColumn(t`File`, 30, ({ url }) => namePhoto(url, data.images)),
      textColumn(t`Pixels`, 14, ({ width, height }) => `${width} × ${height}`),
      hashColumn('SHA-256', 56, ({ sha256 }) => sha256),
    ]),
  ];
}

function writeMethodParagraphs({ inspection, assessment }: Result, t: Translator): readonly Block[] {
  const dropped = inspection?.data.results?.dropped_detections;
  const looksAgain = inspection?.data.models.some(({ id }) => id === 'classifier');
  const paragraph = (...sentences: readonly string[]) => makeParagraph(sentences.join(' '));
  const found = [
    paragraph(
      looksAgain
        ? t`Every photo was checked for sharpness, exposure and size, and searched for damage by a neural network that draws a box around what it sees; a second network says which part of the vehicle each pixel belongs to, and a third looks at each place again, close up.`
        : t`Every photo was checked for sharpness, exposure and size, and searched for damage by a neural network that draws a box around what it sees; a second network says which part of the vehicle each pixel belongs to.`,
      t`The part of a damage follows from the overlap of the two, its severity from type, size and position by fixed rules, and the same damage in several photos is counted once.`,
    ),
    paragraph(
      t`The figure "sure" is a calibrated probability: of all findings rated ${80} %, about ${80} % should be right.`,
      t`Findings that are below the confidence limit, touch no part of the vehicle, or are impossible on their part are left out and counted.`,
    ),
    paragraph(
      t`Left out in this inspection: ${dropped?.below_confidence ?? 0} below the confidence limit, ${dropped?.not_on_vehicle ?? 0} not on the vehicle, ${dropped?.implausible ?? 0} impossible on their part.`,
    ),
    paragraph(
      t`Sizes come from a known reference in the photo and carry their uncertainty (half-width of the ${80} % interval); one marked ~ is only what the severity was judged by.`,
      t`A length along a panel that is photographed at a slant is corrected by the usual proportions of the panel, with a wider interval.`,
      t`A depth from one photo is an estimate.`,
      t`Reflections, dirt, shadows and seams can look like damage, and damage that no photo shows cannot be found.`,
      t`Nothing under the surface was examined.`,
    ),
  ];
  return compact([
    ...(inspection ? found : []),
    assessment &&
      paragraph(
        t`The estimate follows a table of parts, hours and rates with a source per row.`,
        t`Refinish time counts overlap of neighboring panels and caps clear coat over the whole vehicle, so that the estimate is less than the sum of single repairs.`,
      ),
    paragraph(
      t`Costs are regional averages for visible damage.`,
      t`This report supports the judgment of a qualified appraiser and does not replace it.`,
    ),
  ]);
}
