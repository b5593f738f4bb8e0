import type { InspectedResult } from '../../contract/result.ts';
import { listCertain } from '../../engine/compare/carry-over.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { describeSeverityAndSize, namePartAndDamage } from '../../report/compare/comparison-words.ts';
import { documentChecklist, sayNothingKnown } from '../../report/compare/sections.ts';
import { namePhoto } from '../../report/figures.ts';
import type { CloseUp } from '../../report/pictures.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';
import type { Output } from '../outputs/parse-output.ts';
import { loadCloseUp, makeFilePictures } from '../outputs/report-pictures.ts';
import { writeOutputs } from '../outputs/write-outputs.ts';
import { countColumns } from '../terminal/output.ts';
import { type CompareRun, renderVisits } from './visits.ts';

/** Writes the checklist for a return: each known damage with the view that shows it again. */
export async function writeChecklist(result: InspectedResult, outputs: readonly Output[], run: CompareRun) {
  const { ctx, flags, redaction } = run;
  const generatedAt = run.now();
  const before = removeUncertain(result);
  let closeUps: ReturnType<typeof gatherKnown> | undefined;
  const render = async ({ kind }: Output) => {
    if (kind === 'json') return toJsonText(presentChecklist(before));
    if (kind === 'table') return renderText(before, countColumns(ctx));
    closeUps ??= gatherKnown(before, run);
    const checklist = documentChecklist(before.inspection, await closeUps, redaction.note(before));
    return renderVisits(kind, checklist, run, generatedAt);
  };
  await writeOutputs(outputs, render, { ctx, quiet: flags.quiet, redaction });
}

/** Removes the places to check, which a checklist does not show. */
function removeUncertain({ inspection, ...others }: InspectedResult): InspectedResult {
  const { data } = inspection;
  const results = data.results && { ...data.results, to_check: [] };
  return { ...others, inspection: { ...inspection, data: { ...data, results } } };
}

const presentChecklist = ({ inspection }: InspectedResult) => ({
  status: 'success' as const,
  data: {
    vehicle_id: inspection.data.vehicle_id,
    inspection_id: inspection.data.inspection_id,
    known: listCertain(inspection).map(({ damage_id, number, location, type, image_url }) => ({
      damage_id,
      number,
      part: location.part,
      type,
      photo_to_repeat: image_url,
    })),
  },
});

function renderText({ inspection }: InspectedResult, columns: number): string {
  const known = listCertain(inspection);
  const vehicle = inspection.data.vehicle_id;
  if (known.length === 0) return `${wrapText(`${vehicle}  ${sayNothingKnown()}`, columns)}\n`;
  const head = `${vehicle}  ${formatCount(known.length, 'damage')} known before: repeat the photo of each`;
  const lines = known.map((damage) =>
    wrapText(
      `${damage.number}  ${namePartAndDamage(damage)}, ${describeSeverityAndSize(damage)}: repeat ${namePhoto(damage.image_url, inspection.data.images)}`,
      columns,
      0,
      3,
    ),
  );
  return [wrapText(head, columns), ...lines, ''].join('\n');
}

const MAX_SIDE_PX = 420;

/** Loads the close-up of every known damage, keyed by its id. */
async function gatherKnown(before: InspectedResult, { flags, redaction }: CompareRun) {
  const files = makeFilePictures(before, flags.photosBefore, redaction);
  const closeUps = new Map<string, CloseUp>();
  try {
    for (const damage of listCertain(before.inspection)) {
      const closeUp = await loadCloseUp(damage, before, files, MAX_SIDE_PX);
      if (closeUp) closeUps.set(damage.damage_id, closeUp);
    }
  } finally {
    await files.close();
  }
  return closeUps;
}
