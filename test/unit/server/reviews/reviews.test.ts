import { expect, test } from 'vitest';
import type { ReviewedEnvelope } from '../../../../src/contract/review-answers.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { changeReview } from '../../../../src/server/reviews/reviews.ts';
import type { ReviewServices } from '../../../../src/server/services.ts';
import type { InspectionRecord, ReviewRecord } from '../../../../src/storage/ports.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const inspection = exampleInspection({ damages: 2, photos: 1 });
const [first, second] = inspection.data.results?.damages ?? [];
const accept = { decision: 'accept', damage_id: first?.damage_id ?? '' } as const;
const change = { decision: 'change', damage_id: second?.damage_id ?? '', type: 'dent' } as const;
const record = { id: 'vis_1', status: 'completed', document: inspection.data } as unknown as InspectionRecord;
const review = { decisions: [], photos_checked: [], not_reviewed: [] };

/** What a review works with whose stored decisions are these; it counts how often the engine applies a list. */
function services(decisions: readonly unknown[], refused?: unknown) {
  const applied: (readonly unknown[])[] = [];
  const stored = { inspectionId: 'vis_1', revision: 1, reviewer: 'Ada', decisions, outcome: { review } };
  const given = {
    clock: { now: () => new Date(0) },
    store: { reviews: { get: async () => stored as unknown as ReviewRecord, save: async () => true } },
    programs: {
      engine: {
        async review(_: unknown, list: readonly unknown[]) {
          applied.push(list);
          if (list.includes(refused)) throw new VehiError('input', 'INVALID_DECISIONS', 'refused by now');
          return { ...inspection, review } as unknown as ReviewedEnvelope;
        },
      },
    },
  };
  return { given: given as unknown as ReviewServices, applied };
}

test('decisions that are all possible are applied once', async () => {
  const { given, applied } = services([accept]);
  const next = await changeReview(record, { revision: 1, decisions: [accept, change] }, given);
  expect(next).toMatchObject({ revision: 2, reviewer: 'Ada', decisions: [accept, change] });
  expect(applied).toEqual([[accept, change]]);
});

test('a list with a decision that is refused is an error, stored before or not', async () => {
  for (const stored of [change, accept]) {
    const { given } = services([stored], change);
    await expect(changeReview(record, { revision: 1, decisions: [change, accept] }, given)).rejects.toThrow(
      'refused by now',
    );
  }
});
