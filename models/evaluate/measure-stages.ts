import type { Box } from '../../src/domain/geometry.ts';
import type { Limits } from '../../src/domain/sensitivity.ts';
import type { Judge } from '../../src/vision/judge/judge.ts';
import type { PhotoVision } from '../../src/vision/vision.ts';
import { lookAtLabelled } from './finds/measure-finds.ts';
import { touches } from './finds/touch.ts';
import type { LabelledFolder } from './labelled.ts';
import { understand } from './labelled.ts';
import type { EvaluationPorts, PhotoFailure } from './photo-run.ts';

/** Stages of the detection, in order; each keeps a part of the boxes of the one before. */
const STAGES = ['proposed', 'candidates', 'classified', 'judged', 'listed', 'certain'] as const;
/** Confidence of a proposed box; lower ones are never candidates. */
const MIN_PROPOSED = 0.008;

/** Sure damages of one kind of view, and those that the remaining boxes of each stage match. */
export type StageRow = Readonly<Record<(typeof STAGES)[number], number>> & {
  readonly view: 'close-ups' | 'whole views';
  readonly damages: number;
};

/** Counts, per stage of the detection, the labelled damages that its remaining boxes still match. */
export async function measureStages(
  { photos, folder }: LabelledFolder,
  vision: PhotoVision,
  { first, limits }: { readonly first: Judge; readonly limits: Limits },
  ports: Omit<EvaluationPorts, 'runModels'>,
): Promise<{ rows: readonly StageRow[]; failures: PhotoFailure[] }> {
  const { results, failures } = await lookAtLabelled(photos, folder, {
    ...ports,
    look: async (picture, { size }) => {
      const proposed = (await vision.runModels(picture)).detections;
      const candidates = (await vision.listCandidates(picture)).detections;
      const classified = (await vision.scoreCandidates(picture, first)).detections;
      const sighting = await vision.detect(picture);
      const judged = sighting.detections.filter(({ confidence }) => confidence >= limits.toCheck);
      const listed = understand({ ...sighting, detections: judged }, { index: 0, size }, limits);
      const stages: Record<(typeof STAGES)[number], readonly { readonly box: Box }[]> = {
        proposed: proposed.filter(({ confidence }) => confidence >= MIN_PROPOSED),
        candidates,
        classified,
        judged,
        listed,
        certain: listed.filter((one) => one.isCertain),
      };
      return { detections: [stages], parts: sighting.parts, presence: sighting.presence };
    },
  });
  const rows = (['close-ups', 'whole views'] as const).map((view): StageRow => {
    const shown = results.filter(({ photo }) => photo.isCloseUp === (view === 'close-ups'));
    const sure = shown.flatMap(({ photo, detections: [stages] }) =>
      photo.damages.flatMap((damage) => (damage.sure && stages ? [{ damage, stages }] : [])),
    );
    const counts = STAGES.map((stage) => [
      stage,
      sure.filter(({ damage, stages }) => stages[stage].some(({ box }) => touches(box, damage.box))).length,
    ]);
    return { view, damages: sure.length, ...Object.fromEntries(counts) };
  });
  return { rows, failures };
}

/** Renders one line per kind of view, as percentages of its damages. */
export function renderStages(rows: readonly StageRow[]): string {
  const head = ['view', 'damages', ...STAGES].map((name) => name.padEnd(12)).join('');
  const lines = rows.map((row) => {
    const shares = STAGES.map((stage) => `${((100 * row[stage]) / Math.max(1, row.damages)).toFixed(0)} %`);
    return [row.view, String(row.damages), ...shares].map((cell) => cell.padEnd(12)).join('');
  });
  return `${[head, ...lines].map((line) => line.trimEnd()).join('\n')}\n`;
}
