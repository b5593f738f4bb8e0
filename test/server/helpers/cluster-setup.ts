import { beforeEach } from 'vitest';
import { onCluster } from './cluster-store.ts';

/** Tests of what the service on several machines does otherwise, each with the reason. */
const NOT_ON_CLUSTER: readonly { readonly name: string; readonly why: string }[] = [
  {
    name: 'refuses more requests at the same time than the plan has',
    why: 'requests that are answered at once are bounded apart from creations',
  },
  {
    name: 'gives back the place of a client that went away before its answer',
    why: 'requests that are answered at once are bounded apart from creations',
  },
  {
    name: 'past its bound answers 503 with Retry-After and stores nothing',
    why: 'one account may have half of the queue',
  },
  {
    name: 'ends after two idle hours, and after twelve',
    why: 'another process than the one that the test plays does the housekeeping',
  },
  {
    name: 'are removed when their days are over; the review goes on without',
    why: 'another process than the one that the test plays does the housekeeping',
  },
];

beforeEach(({ task, skip }) => {
  if (!onCluster) return;
  const found = NOT_ON_CLUSTER.find(({ name }) => task.name.includes(name));
  if (found) skip(found.why);
});
