import { beforeEach } from 'vitest';
import { onCluster } from './cluster-store.ts';

/** Reasons for which the service on several machines does otherwise, each with the tests of it. */
const NOT_ON_CLUSTER = {
  'requests that are answered at once are bounded apart from creations': [
    'refuses more requests at the same time than the plan has',
    'gives back the place of a client that went away before its answer',
  ],
  'one account may have half of the queue': [
    'past its bound answers 503 with Retry-After and stores nothing',
  ],
  'another process than the one that the test plays does the housekeeping': [
    'ends after two idle hours, and after twelve',
    'are removed when their days are over; the review goes on without',
  ],
};

beforeEach(({ task, skip }) => {
  if (!onCluster) return;
  for (const [why, names] of Object.entries(NOT_ON_CLUSTER))
    if (names.some((name) => task.name.includes(name))) skip(why);
});
