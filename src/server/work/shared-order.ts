import type { ListPosition, OrderState, UnfinishedJob } from '../../storage/ports.ts';
import type { QueueParts } from '../services.ts';
import type { Lane } from './bullmq-lane.ts';
import { isBaseFarBehind, toPriority } from './fair-order.ts';

const PAGE = 1_000;
/** Delay after which pending additions have arrived. */
const SECOND_PASS_MS = 10_000;
const NO_ORDER: OrderState = { startedTag: 0, base: 0 };

/** Converts the store's fair order to queue priorities and reports progress to the store. */
interface SharedOrder {
  /** Records that a job with this tag has started in this process. */
  noteStarted(tag: number | null | undefined): void;
  /** Stores the highest started tag; to be called periodically. */
  advance(): Promise<void>;
  /** Returns the jobs with their current priorities. */
  prioritise(works: readonly UnfinishedJob[]): Promise<{ id: string; priority: number }[]>;
  /**
   * Moves the base of tags to the current position of the order while no job waits, or before priorities run out.
   * Waiting jobs then get new priorities, and a second pass a little later covers jobs that were being added.
   */
  rebase(idle: boolean): Promise<void>;
  close(): void;
}

/** Creates the fair order shared by all processes. */
export function createSharedOrder(
  services: QueueParts['services'],
  lane: Pick<Lane, 'reorder'>,
): SharedOrder {
  let begun = 0;
  let advanced = 0;
  let secondPass: NodeJS.Timeout | undefined;
  const environment = () => services().settings.environment;
  const read = async (): Promise<OrderState> =>
    (await services().store.order?.read(environment())) ?? NO_ORDER;

  async function prioritise(works: readonly UnfinishedJob[]) {
    const { base } = await read();
    return works.map(({ id, tag }) => ({ id, priority: toPriority(tag, base) }));
  }

  async function reorder(): Promise<void> {
    const { inspections } = services().store;
    let after: ListPosition | undefined;
    for (;;) {
      const position = after === undefined ? {} : { after };
      const page = await inspections.listUnfinished(environment(), { ...position, limit: PAGE });
      await lane.reorder(await prioritise(page));
      after = page.at(-1);
      if (page.length < PAGE || !after) return;
    }
  }

  return {
    noteStarted(tag) {
      begun = Math.max(begun, tag ?? 0);
    },
    async advance() {
      if (begun <= advanced) return;
      const tag = begun;
      await services().store.order?.advance(environment(), tag);
      advanced = tag;
    },
    prioritise,
    async rebase(idle) {
      const { order } = services().store;
      const state = await read();
      if (!order || state.startedTag === state.base || !(idle || isBaseFarBehind(state))) return;
      await order.rebase(environment());
      if (idle) return;
      await reorder();
      const { log } = services();
      const reorderAgain = () =>
        void reorder().catch((error: Error) => log.warn({ reason: error.message }, 'order of work'));
      secondPass = setTimeout(reorderAgain, SECOND_PASS_MS).unref();
    },
    close() {
      clearTimeout(secondPass);
    },
  };
}
