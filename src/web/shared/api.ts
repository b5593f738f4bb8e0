import type { Placement, ReviewEvent, ReviewSnapshot } from '../../contract/review.ts';
import { type Opened, Refused, type ReviewDoor, type Waiting } from '../review/door.ts';

const STORED = 'vehi-review-session';

interface Session {
  readonly secret: string;
  readonly pictures: string;
}

let session: Session | null = null;

/**
 * Opens the session: by the token of the link, which is taken out of the address, or by what this tab kept.
 * @throws Refused where the link was used before
 */
async function openSession(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('t');
  if (token !== null) {
    history.replaceState(null, '', location.pathname);
    sessionStorage.removeItem(STORED);
    session = await send<Session>('POST', 'api/session', { token });
    sessionStorage.setItem(STORED, JSON.stringify(session));
    return;
  }
  const kept = sessionStorage.getItem(STORED);
  if (kept === null)
    throw new Refused(403, 'NO_LINK', 'this page is opened by the link of vehi review.', null);
  session = JSON.parse(kept) as Session;
}

/** The review of one result, kept by the command that serves the page. */
export const COMMAND_DOOR: ReviewDoor = {
  open: openSession,
  read: () => send<Opened | Waiting>('GET', 'api/review'),
  put: (body) => send<ReviewSnapshot>('PUT', 'api/review', body),
  place: (image_index, box, said) => send<Placement>('POST', 'api/place', { image_index, box, ...said }),
  prepare: (image_index) => send('POST', 'api/look', { image_index }).catch(() => undefined),
  finish: (revision) => send('POST', 'api/finish', { revision }),
  follow: followEvents,
  waitingAddress: (index) => `w/${session?.pictures}/${index}.jpg`,
  photoAddress: makePhotoAddress,
  cutOuts: (index, region, side) => {
    const { x, y, width, height } = region;
    const asked = `x=${x}&y=${y}&w=${width}&h=${height}&side=${side}`;
    return [{ ...region, href: `p/${session?.pictures}/${index}/cut.jpg?${asked}` }];
  },
  exportAddress: (name, redact) => `x/${session?.pictures}/${name}${redact ? '?redact=1' : ''}`,
  async whyMissing(index) {
    const answer = await fetch(makePhotoAddress(index, 320)).catch(() => null);
    if (answer === null) return 'the command does not answer.';
    if (answer.ok) return '';
    const body = (await answer.json().catch(() => ({}))) as { error?: { message?: string } };
    return body.error?.message ?? 'it cannot be shown.';
  },
  exports: [
    { name: 'report.pdf', words: 'PDF report' },
    { name: 'report.html', words: 'HTML report' },
    { name: 'report.json', words: 'JSON, the result with the review' },
    { name: 'report.csv', words: 'CSV, a row per damage' },
    {
      name: 'corrections.coco.json',
      words: 'COCO of the corrections, for vehi models eval and for training',
    },
  ],
  canRedact: true,
  words: {
    refused: 'Press Enter in the terminal where the command runs: it prints a fresh link.',
    unreachable: 'Not saved: the command does not answer. Trying again.',
    silent: 'Saved. The command does not answer; trying again.',
    finish: (output) => `Writes ${output}; the command then ends.`,
    finished: (output) =>
      `The corrected result is in ${output}. The command has ended; this page can be closed.`,
  },
  back: null,
};

async function followEvents(onEvent: (event: ReviewEvent) => void): Promise<void> {
  const answer = await fetch('api/events', {
    headers: { 'X-Vehi-Session': session?.secret ?? '' },
    cache: 'no-store',
  }).catch(() => null);
  if (!answer?.body) throw new Refused(0, 'NO_ANSWER', 'the command does not answer.', null);
  if (!answer.ok) throw new Refused(answer.status, '', `status ${answer.status}`, null);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onEvent(JSON.parse(line) as ReviewEvent);
  }
}

function makePhotoAddress(index: number, side: 320 | 2048): string {
  return `p/${session?.pictures}/${index}/${side}.jpg`;
}

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = session === null ? {} : { 'X-Vehi-Session': session.secret };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, {
    method,
    headers,
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (answer === null) throw new Refused(0, 'NO_ANSWER', 'the command does not answer.', null);
  const value: unknown = await answer.json().catch(() => null);
  if (answer.ok) return value as T;
  const { error } = (value ?? {}) as { error?: { code?: string; message?: string; hint?: string } };
  const words = [error?.message ?? `status ${answer.status}`, error?.hint].filter(Boolean).join(' ');
  throw new Refused(answer.status, error?.code ?? '', words, value);
}
