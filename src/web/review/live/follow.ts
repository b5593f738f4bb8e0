import { effect } from '@preact/signals';
import type { ReviewEvent } from '../../../contract/review.ts';
import { ApiError, waitToRetry } from '../../app/api.ts';
import { followEvents } from '../review-api.ts';
import {
  announcedRevision,
  detectNewerRevision,
  endByNewerLink,
  phase,
  refusal,
  refuse,
  reloadReview,
  saving,
  waiting,
} from '../store.ts';

/** Follows the events of a review; reconnects if the connection breaks, and stops if it is refused. */
export function followReview(): void {
  let isFollowing = false;
  effect(() => {
    if (isFollowing || !isOpen()) return;
    isFollowing = true;
    void followWhileOpen().finally(() => {
      isFollowing = false;
    });
  });
}

function isOpen(): boolean {
  return phase.value === 'ready' || phase.value === 'waiting';
}

async function followWhileOpen(): Promise<void> {
  while (isOpen()) {
    const apiError = await followEvents(handleEvent).then(
      () => undefined,
      (error: unknown) => (error instanceof ApiError ? error : undefined),
    );
    if (apiError?.status === 401) endByNewerLink();
    else if (apiError && !apiError.isTransient) refuse(apiError);
    if (!isOpen()) return;
    if (saving.value === 'saved') saving.value = 'unanswered';
    await waitToRetry(apiError);
  }
}

function handleEvent(event: ReviewEvent): void {
  if (saving.value === 'unanswered') saving.value = 'saved';
  switch (event.kind) {
    case 'waiting':
      waiting.value = { vehicle_id: event.vehicle_id, waiting: event.photos };
      break;
    case 'photo':
      if (waiting.value)
        waiting.value = {
          ...waiting.value,
          waiting: waiting.value.waiting.map((one, index) =>
            index === event.index ? { ...one, ...event } : one,
          ),
        };
      break;
    case 'ready':
      if (phase.value === 'waiting') void reloadReview();
      break;
    case 'saved':
      announcedRevision.value = event.revision;
      detectNewerRevision();
      break;
    case 'taken_over':
      endByNewerLink();
      break;
    case 'ending':
      if (phase.value === 'finished') break;
      refusal.value = event.why;
      phase.value = 'ended';
  }
}
