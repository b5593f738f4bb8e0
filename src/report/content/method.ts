import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { readRegion } from '../facts.ts';
import { formatMoneyRange, readFileName } from '../figures.ts';
import { showsPrices } from '../grade.ts';
import type { Say } from '../say.ts';
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
export function writeMethod(input: Result, redaction: string | undefined, say: Say): Section {
  const { inspection, assessment } = input;
  const region = readRegion(input);
  const tables = assessment?.meta.tables ?? [];
  const quick = inspection?.data.results?.damage_summary.total_estimated_repair;
  const rates = region
    ? [
        say`Rates: ${say.word(region.name)} (${region.code}), table version ${region.table_version}, in force from ${say.figure(region.effective_date)}.`,
        say`Source: ${say.stored(region.source)}.`,
      ].join(' ')
    : undefined;
  const scope =
    assessment || !showsPrices(inspection) ? null : describeInspectionScope(inspection?.data, say);
  const used = tables
    .map((one) => say`${one.name} ${one.version} of ${say.figure(one.effective_date)}`)
    .join('; ');
  return {
    id: 'method',
    small: true,
    title: say`Method, limits and models`,
    blocks: compact([
      ...writeMethodParagraphs(input, say),
      redaction && makeParagraph(say.stored(redaction)),
      scope && makeParagraph(`${say`Prices`}: ${scope}`),
      rates && makeParagraph(rates),
      used && makeParagraph(`${say`Tables`}: ${used}.`),
      quick &&
        assessment &&
        makeParagraph(
          `${say`Quick estimate of the inspection, before the assessment`}: ${say.figure(formatMoneyRange(quick.min, quick.max, quick.currency))}.`,
          'soft',
        ),
      ...(inspection ? writeFingerprints(inspection, say) : []),
    ]),
  };
}

function writeFingerprints({ data }: InspectionEnvelope, say: Say): Block[] {
  return [
    ...makeTitledTable(say`Models`, data.models, [
      textColumn(say`Model`, 28, ({ name, id }) => `${name} (${id})`),
      textColumn(say`Version`, 12, ({ version }) => version),
      textColumn(say`Precision`, 12, ({ precision }) => precision),
      hashColumn(say`SHA-256 of the file`, 56, ({ sha256 }) => sha256),
    ]),
    ...makeTitledTable(say`Photos examined`, data.images, [
      numberColumn(say`No.`, 6, ({ index }) => String(index + 1)),
      textColumn(say`File`, 30, ({ url }) => readFileName(url)),
      textColumn(say`Pixels`, 14, ({ width, height }) => `${width} × ${height}`),
      hashColumn('SHA-256', 56, ({ sha256 }) => sha256),
    ]),
  ];
}

function writeMethodParagraphs({ inspection, assessment }: Result, say: Say): readonly Block[] {
  const dropped = inspection?.data.results?.dropped_detections;
  const looksAgain = inspection?.data.models.some(({ id }) => id === 'classifier');
  const paragraph = (...sentences: readonly string[]) => makeParagraph(sentences.join(' '));
  const found = [
    paragraph(
      looksAgain
        ? say`Every photo was checked for sharpness, exposure and size, and searched for damage by a neural network that draws a box around what it sees; a second network says which part of the vehicle each pixel belongs to, and a third looks at each place again, close up.`
        : say`Every photo was checked for sharpness, exposure and size, and searched for damage by a neural network that draws a box around what it sees; a second network says which part of the vehicle each pixel belongs to.`,
      say`The part of a damage follows from the overlap of the two, its severity from type, size and position by fixed rules, and the same damage in several photos is counted once.`,
    ),
    paragraph(
      say`The figure "sure" is a calibrated probability: of all findings rated ${80} %, about ${80} % should be right.`,
      say`Findings below the confidence limit, and findings that touch no part of the vehicle, are left out and counted.`,
    ),
    paragraph(
      say`Left out in this inspection: ${dropped?.below_confidence ?? 0} below the confidence limit, ${dropped?.not_on_vehicle ?? 0} not on the vehicle.`,
    ),
    paragraph(
      say`Sizes come from a known reference in the photo and carry their uncertainty (half-width of the ${80} % interval); one marked ~ is only what the severity was judged by.`,
      say`A length along a panel that is photographed at a slant is corrected by the usual proportions of the panel, with a wider interval.`,
      say`A depth from one photo is an estimate.`,
      say`Reflections, dirt, shadows and seams can look like damage, and damage that no photo shows cannot be found.`,
      say`Nothing under the surface was examined.`,
    ),
  ];
  return compact([
    ...(inspection ? found : []),
    assessment &&
      paragraph(
        say`The estimate follows a table of parts, hours and rates with a source per row.`,
        say`Refinish time counts overlap of neighboring panels and caps clear coat over the whole vehicle, so that the estimate is less than the sum of single repairs.`,
      ),
    paragraph(
      say`Costs are regional averages for visible damage.`,
      say`This report supports the judgment of a qualified appraiser and does not replace it.`,
    ),
  ]);
}
