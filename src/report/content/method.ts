import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { formatMoneyRange, readFileName } from '../figures.ts';
import { showsPrices } from '../finding-rows.ts';
import { describeInspectionScope } from '../headline.ts';
import { type Block, makeHeading, makeParagraph, makeTable, type Section } from './blocks.ts';

/** Builds the section on methods and limits: redaction, models and tables with versions and hashes, photo hashes. */
export function writeMethod(input: Result, redaction?: string): Section {
  const { inspection, assessment } = input;
  const region = inspection?.data.region ?? assessment?.data.region;
  const tables = assessment?.meta.tables ?? [];
  const quick = inspection?.data.results?.damage_summary.total_estimated_repair;
  const rates = region
    ? `Rates: ${region.name} (${region.code}), table version ${region.table_version}, in force from ${region.effective_date}. Source: ${region.source}.`
    : undefined;
  const scope = assessment || !showsPrices(inspection) ? null : describeInspectionScope(inspection?.data);
  const used = tables.map((one) => `${one.name} ${one.version} of ${one.effective_date}`).join('; ');
  return {
    id: 'method',
    small: true,
    title: 'Method, limits and models',
    blocks: [
      ...writeMethodParagraphs(input).map((text) => makeParagraph(text)),
      ...(redaction ? [makeParagraph(redaction)] : []),
      ...(scope === null ? [] : [makeParagraph(`Prices: ${scope}`)]),
      ...(rates ? [makeParagraph(rates)] : []),
      ...(used ? [makeParagraph(`Tables: ${used}.`)] : []),
      ...(quick && assessment && showsPrices(inspection)
        ? [
            makeParagraph(
              `Quick estimate of the inspection, before the assessment: ${formatMoneyRange(quick.min, quick.max, quick.currency)}.`,
              'soft',
            ),
          ]
        : []),
      ...(inspection ? writeFingerprints(inspection) : []),
    ],
  };
}

function writeFingerprints({ data }: InspectionEnvelope): Block[] {
  const models = makeTable(
    [
      { title: 'Model', share: 28 },
      { title: 'Version', share: 12 },
      { title: 'Precision', share: 12 },
      { title: 'SHA-256 of the file', share: 56, small: true },
    ],
    data.models.map((model) => ({
      cells: [`${model.name} (${model.id})`, model.version, model.precision, model.sha256],
    })),
  );
  const photos = makeTable(
    [
      { title: 'No.', share: 6, align: 'right' },
      { title: 'File', share: 30 },
      { title: 'Pixels', share: 14 },
      { title: 'SHA-256', share: 56, small: true },
    ],
    data.images.map((photo) => ({
      cells: [
        String(photo.index + 1),
        readFileName(photo.url),
        `${photo.width} × ${photo.height}`,
        photo.sha256,
      ],
    })),
  );
  return [
    ...(data.models.length > 0 ? [makeHeading('Models'), models] : []),
    ...(data.images.length > 0 ? [makeHeading('Photos examined'), photos] : []),
  ];
}

/** Lists the paragraphs on methods and limits that apply to the result. */
function writeMethodParagraphs({ inspection, assessment }: Result): readonly string[] {
  const dropped = inspection?.data.results?.dropped_detections;
  const closer = inspection?.data.models.some(({ id }) => id === 'classifier')
    ? ', and a third looks at each place again, close up'
    : '';
  return [
    ...(inspection
      ? [
          `Every photo was checked for sharpness, exposure and size, and searched for damage by a neural network that draws a box around what it sees; a second network says which part of the vehicle each pixel belongs to${closer}. The part of a damage follows from the overlap of the two, its severity from type, size and position by fixed rules, and the same damage in several photos is counted once.`,
          'The figure "sure" is a calibrated probability: of all findings rated 80 %, about 80 % should be right. Findings below the confidence limit, and findings that touch no part of the vehicle, are left out and counted.',
          `Left out in this inspection: ${dropped?.below_confidence ?? 0} below the confidence limit, ${dropped?.not_on_vehicle ?? 0} not on the vehicle.`,
          'Sizes come from a known reference in the photo and carry their uncertainty (half-width of the 80 % interval); one marked ~ is only what the severity was judged by. A length along a panel that is photographed at a slant is corrected by the usual proportions of the panel, with a wider interval. A depth from one photo is an estimate. Reflections, dirt, shadows and seams can look like damage, and damage that no photo shows cannot be found. Nothing under the surface was examined.',
        ]
      : []),
    ...(assessment
      ? [
          'The estimate follows a table of parts, hours and rates with a source per row. Refinish time counts overlap of neighbouring panels and caps clear coat over the whole vehicle, so that the estimate is less than the sum of single repairs.',
        ]
      : []),
    'Costs are regional averages for visible damage. This report supports the judgement of a qualified appraiser and does not replace it.',
  ];
}
