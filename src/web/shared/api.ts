import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Decision, DrawnBox, Placement, ReviewedEnvelope, Said } from '../../contract/review.ts';

/** What the command says of the review: all of it, each time. */
export interface Snapshot {
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly Decision[];
  readonly reviewed: ReviewedEnvelope;
  readonly saved_at: string | null;
}

export type Opened = Snapshot & { readonly inspection: InspectionEnvelope; readonly output: string };

/** An answer that is no success; status 0 where nobody answers. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: unknown;

  constructor(status: number, code: string, message: string, body: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

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
export async function openSession(): Promise<void> {
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

export const readReview = () => send<Opened>('GET', 'api/review');

export const putReview = (body: {
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly Decision[];
}) => send<Snapshot>('PUT', 'api/review', body);

export const placeBox = (image_index: number, box: DrawnBox, said: Said = {}) =>
  send<Placement>('POST', 'api/place', { image_index, box, ...said });

/** Lets the command look at a photo ahead of a drawing; that it cannot is told when something is drawn. */
export const prepare = (image_index: number) =>
  send('POST', 'api/look', { image_index }).catch(() => undefined);

export const finishReview = (revision: number) =>
  send<{ readonly output: string }>('POST', 'api/finish', { revision });

/** Address of a photo; `side` is the longest in pixels. */
export function photoAddress(index: number, side: 320 | 2048): string {
  return `p/${session?.pictures}/${index}/${side}.jpg`;
}

/** Address of a region of a photo in its own pixels. */
export function cutAddress(index: number, box: DrawnBox, side: number): string {
  const { x, y, width, height } = box;
  return `p/${session?.pictures}/${index}/cut.jpg?x=${x}&y=${y}&w=${width}&h=${height}&side=${side}`;
}

/** Address of an export. */
export function exportAddress(name: string, redact: boolean): string {
  return `x/${session?.pictures}/${name}${redact ? '?redact=1' : ''}`;
}

/** Why a photo cannot be shown. */
export async function whyMissing(index: number): Promise<string> {
  const answer = await fetch(photoAddress(index, 320)).catch(() => null);
  if (answer === null) return 'the command does not answer.';
  if (answer.ok) return '';
  const body = (await answer.json().catch(() => ({}))) as { error?: { message?: string } };
  return body.error?.message ?? 'it cannot be shown.';
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
