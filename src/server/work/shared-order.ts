import type { ListPosition, OrderState, UnfinishedJob } from '../../storage/ports.ts';
import type { QueueParts } from '../services.ts';
import type { Lane } from './bullmq-lane.ts';
import { UNITS_PER_PHOTO } from './job-cost.ts';

const PAGE_SIZE = 1_000;
/** Delay after which pending additions have arrived. */
const SECOND_PASS_MS = 10_000;
const INITIAL_STATE: OrderState = { startedTag: 0, base: 0 };

/** Lowest BullMQ priority value; 0 means no priority and runs first. */
const MIN_PRIORITY = 1;
const MAX_PRIORITY = 2_097_151;

/** Converts a tag to a priority. A job without a tag predates tags and runs first. */
export function toPriority(tag: number | null | undefined, base: number): number {
  if (tag == null) return MIN_PRIORITY;
  const photosAhead = Math.ceil((tag - base) / UNITS_PER_PHOTO);
  return Math.min(MAX_PRIORITY, Math.max(MIN_PRIORITY, photosAhead));
}

/** True if tags are a million photos ahead of their base; the priorities suffice for as many again. */
export function isBaseFarBehind({ startedTag, base }: { startedTag: number; base: number }): boolean {
  return startedTag - base > 1_000_000 * UNITS_PER_PHOTO;
}

/** Converts the store's fair order to queue priorities and reports progress to the store. */
interface SharedOrder {
  /** Records that a job with this tag has started in this process. */
  recordStart(tag: number | null | undefined): void;
  /** Stores the highest started tag; to be called periodically. */
  advance(): Promise<void>;
  /** Returns the jobs with their current priorities. */
  prioritise(jobs: readonly UnfinishedJob[]): Promise<{ id: string; priority: number }[]>;
  /**
   * Moves the base of tags to the current position of the order while no job waits, or before priorities run out.
   * Waiting jobs then get new priorities, and a second pass a little later covers jobs that were being added.
   */
  rebase(isIdle: boolean): Promise<void>;
  close(): void;
}

/** Creates the fair order shared by all processes. */
export function createSharedOrder(
  services: QueueParts['services'],
  lane: Pick<Lane, 'reorder'>,
): SharedOrder {
  let startedTag = 0;
  let storedTag = 0;
  let secondPassTimer: NodeJS.Timeout | undefined;
  const environment = () => services().settings.environment;
  const readState = async (): Promise<OrderState> =>
    (await services().store.order?.read(environment())) ?? INITIAL_STATE;

  async function prioritise(jobs: readonly UnfinishedJob[]) {
    const { base } = await readState();
    return jobs.map(({ id, tag }) => ({ id, priority: toPriority(tag, base) }));
  }

  async function reorder(): Promise<void> {
    const { inspections } = services().store;
    let after: ListPosition | undefined;
    for (;;) {
      const position = after === undefined ? {} : { after };
      const page = await inspections.listUnfinished(environment(), { ...position, limit: PAGE_SIZE });
      await lane.reorder(await prioritise(page));
      after = page.at(-1);
      if (page.length < PAGE_SIZE || !after) return;
    }
  }

  return {
    recordStart(tag) {
      startedTag = Math.max(startedTag, tag ?? 0);
    },
    async advance() {
      if (startedTag <= storedTag) return;
      const tag = startedTag;
      await services().store.order?.advance(environment(), tag);
      storedTag = tag;
    },
    prioritise,
    async rebase(isIdle) {
      const { order } = services().store;
      const state = await readState();
      if (!order || state.startedTag === state.base || !(isIdle || isBaseFarBehind(state))) return;
      await order.rebase(environment());
      if (isIdle) return;
      await reorder();
      const { log } = services();
      const reorderAgain = () =>
        void reorder().catch((error: Error) => log.warn({ reason: error.message }, 'order of work'));
      secondPassTimer = setTimeout(reorderAgain, SECOND_PASS_MS).unref();
    },
    close() {
      clearTimeout(secondPassTimer);
    },
  };
}
