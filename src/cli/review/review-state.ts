import { resolve } from 'node:path';
import type { Decision, ReviewSnapshot } from '../../contract/review.ts';
import { readReviewable } from '../../engine/review/apply.ts';
import { isPhotoLost, keepPossible } from '../../engine/review/keep-possible.ts';
import { describeLeftOut } from '../../report/left-out.ts';
import type { CliContext } from '../terminal/context.ts';
import { chooseClock } from '../terminal/now.ts';
import { printStatus } from '../terminal/progress.ts';
import { computeDigest, readDraft, writeDraft } from './draft.ts';
import type { ReviewFlags } from './flags.ts';
import type { Reviewing } from './reviewing.ts';

/** The review as the command holds it: the last decisions that could be applied, on the disk before they are answered. */
export interface ReviewState {
  current(): ReviewSnapshot;
  /**
   * Applies and saves; `conflict` where another page was faster.
   * @throws VehiError input naming the decision at fault, and nothing is changed
   */
  put(given: {
    readonly revision: number;
    readonly reviewer: string;
    readonly decisions: unknown;
  }): Promise<ReviewSnapshot | 'conflict'>;
}

/** Opens the review as it was kept in the draft, which is named by a path from `ctx.cwd`, and says what was found there. */
export async function resumeState(
  reviewing: Reviewing,
  draft: string,
  flags: Pick<ReviewFlags, 'reviewer' | 'now'>,
  ctx: CliContext,
): Promise<ReviewState> {
  const given = { reviewer: flags.reviewer ?? '', cwd: ctx.cwd, now: chooseClock(flags.now, ctx) };
  const { state, setAside, resumed } = await openState(reviewing, resolve(ctx.cwd, draft), given);
  for (const { message } of state.current().left_out ?? []) await printStatus(ctx, `vehi: ${message}`);
  if (setAside)
    await printStatus(ctx, `vehi: ${draft} belongs to another result and was renamed to ${setAside}`);
  if (resumed > 0)
    await printStatus(
      ctx,
      `vehi: resuming with ${resumed} ${resumed === 1 ? 'decision' : 'decisions'} saved in ${draft}`,
    );
  return state;
}

/**
 * Opens the review with the draft that was kept, if there is one.
 * @returns the state, and the name that a draft of another result was given
 */
export async function openState(
  reviewing: Reviewing,
  draftPath: string,
  given: { readonly reviewer: string; readonly cwd: string; readonly now: () => Date },
): Promise<{ readonly state: ReviewState; readonly setAside: string | null; readonly resumed: number }> {
  const { inspection } = reviewing;
  const { draft, setAside } = await readDraft(draftPath, inspection);
  const reviewer = given.reviewer || (draft?.reviewer ?? '');
  const apply = (list: unknown, by: string) =>
    reviewing.apply(list, { at: given.now(), ...(by === '' ? {} : { reviewer: by }) });
  const { kept, outcome, leftOut } = await keepPossible(draft?.decisions ?? [], (list) =>
    apply(list, reviewer),
  );
  const decisions = kept as readonly Decision[];
  const reviewable = readReviewable(inspection);
  // Its photo may be back the next time.
  const waiting = leftOut.filter(isPhotoLost).map(({ decision }) => decision);
  let snapshot: ReviewSnapshot = {
    revision: 1,
    reviewer,
    decisions,
    reviewed: outcome,
    saved_at: draft?.saved_at ?? null,
    ...(leftOut.length > 0 ? { left_out: leftOut.map((one) => describeLeftOut(one, reviewable)) } : {}),
  };
  let turn: Promise<unknown> = Promise.resolve();
  const put: ReviewState['put'] = async ({ revision, reviewer: by, decisions: list }) => {
    if (revision !== snapshot.revision) return 'conflict';
    const reviewed = await apply(list, by);
    const savedAt = given.now().toISOString();
    const applied = list as readonly Decision[];
    await writeDraft(
      draftPath,
      {
        result_sha256: computeDigest(inspection),
        saved_at: savedAt,
        reviewer: by,
        decisions: [...applied, ...waiting],
      },
      given.cwd,
    );
    snapshot = { revision: revision + 1, reviewer: by, decisions: applied, reviewed, saved_at: savedAt };
    return snapshot;
  };
  return {
    setAside,
    resumed: decisions.length,
    state: {
      current: () => snapshot,
      put(change) {
        // One after the other: of two pages with one revision the second is refused.
        const next = turn.then(() => put(change));
        turn = next.catch(() => undefined);
        return next;
      },
    },
  };
}
