import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { listHeadFacts } from '../facts.ts';
import { listDamageRows } from '../finding-rows.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Say } from '../say.ts';
import { type SingleVehicle, splitVehicles } from '../split-vehicles.ts';
import type { Section } from './blocks.ts';
import { writeCaveats } from './caveats.ts';
import { writeDamages, writeNextPhotos } from './damages.ts';
import { writeTotals } from './estimate.ts';
import { writeDecision, writeFirstPage } from './first-page.ts';
import { writeLines } from './lines.ts';
import { writeMethod } from './method.ts';
import { writeOptions } from './options.ts';
import { writePhotos } from './photos.ts';
import { writeReview } from './review.ts';
import { writeValue } from './value.ts';
import { titleVehicle } from './vehicles.ts';

/** Lists the sections of an illustrated report in reading order. */
export function listReportSections(
  input: Result,
  pictures: ReportPictures,
  generatedAt: Date,
  say: Say,
): readonly Section[] {
  const { assessment } = input;
  const rows = listDamageRows(input);
  const vehicles = splitVehicles(input);
  return compact<Section>([
    writeFirstPage(input, pictures, say),
    writeDecision(input, say),
    {
      id: 'facts',
      title: '',
      blocks: [{ kind: 'facts' as const, facts: listHeadFacts(input, generatedAt, say) }],
    },
    ...(vehicles.length > 0
      ? vehicles.flatMap((part) => writeVehicle(part, vehicles.length, pictures, say))
      : writeFindings(input, pictures, say)),
    vehicles.length > 0 ? writeSharedCaveats(input, say) : null,
    ...(assessment
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
  ]);
}

function writeFindings(input: Result, pictures: ReportPictures, say: Say): readonly (Section | null)[] {
  const [shots, without] = writePhotos(input, pictures, say);
  return [
    writeDamages(input, listDamageRows(input), say),
    shots,
    writeNextPhotos(input, say),
    writeCaveats(input, pictures.missing, say),
    without,
  ];
}

/** Lists the sections of one of several vehicles: its own first page, then its findings and photos. */
function writeVehicle(
  part: SingleVehicle,
  count: number,
  pictures: ReportPictures,
  say: Say,
): readonly (Section | null)[] {
  const missing = new Map([...pictures.missing].filter(([index]) => part.about.images.includes(index)));
  const first = { ...writeFirstPage(part, pictures, say), title: titleVehicle(part, count, say) };
  return [first, ...writeFindings(part, { ...pictures, missing }, say)].map(
    (section) => section && { ...section, vehicle: part.vehicle },
  );
}

/** Builds the section of facts that belong to none of several vehicles: rejected photos and warnings. */
function writeSharedCaveats(input: Result, say: Say): Section | null {
  const { inspection } = input;
  if (!inspection) return null;
  const { results } = inspection.data;
  const data = {
    ...inspection.data,
    images: [],
    missing_views: [],
    results: results && { ...results, not_assessed: [] },
  };
  const section = writeCaveats({ inspection: { ...inspection, data }, assessment: null }, new Map(), say);
  return section && { ...section, id: 'shared-caveats' };
}
