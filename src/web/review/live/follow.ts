import { effect } from '@preact/signals';
import type { ReviewEvent } from '../../../contract/review.ts';
import { Refused } from '../../app/api.ts';
import { follow } from '../review-api.ts';
import {
  noteGoneElsewhere,
  noticeOthers,
  phase,
  refusal,
  reload,
  saving,
  toldRevision,
  waiting,
} from '../store.ts';

const RETRY_MS = 1500;

/** Follows the events of the review once it exists, and reconnects when the connection breaks. */
export function followReview(): void {
  let following = false;
  effect(() => {
    if (following || !isCalm()) return;
    following = true;
    void followWhileCalm().finally(() => {
      following = false;
    });
  });
}

function isCalm(): boolean {
  return phase.value === 'ready' || phase.value === 'waiting';
}

async function followWhileCalm(): Promise<void> {
  while (isCalm()) {
    try {
      await follow(hear);
    } catch (error) {
      if (error instanceof Refused && error.status === 401) noteGoneElsewhere();
    }
    if (!isCalm()) return;
    if (saving.value === 'saved') saving.value = 'unanswered';
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

function hear(event: ReviewEvent): void {
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
      if (phase.value === 'waiting') void reload();
      break;
    case 'saved':
      toldRevision.value = event.revision;
      noticeOthers();
      break;
    case 'taken_over':
      noteGoneElsewhere();
      break;
    case 'ending':
      if (phase.value === 'finished') break;
      refusal.value = event.why;
      phase.value = 'ended';
  }
}
