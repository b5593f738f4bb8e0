import { vi } from 'vitest';
import type { VisualInspection } from '../../../../src/contract/inspection.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { applyDecisions } from '../../../../src/engine/review/apply.ts';
import { parseDecisions, readReviewable } from '../../../../src/engine/review/decisions.ts';
import { placeDrawn, presentPlacement } from '../../../../src/engine/review/place.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { exampleGrounds } from '../../../helpers/results/example-grounds.ts';
import {
  CHECK,
  envelope,
  finding,
  ONE,
  PHOTOS,
  pricer,
  scenes,
  TWO,
} from '../../../helpers/results/reviewed-result.ts';

// A page without a browser: the modules read these as they are loaded.
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
vi.stubGlobal('addEventListener', () => undefined);
export const state = await import('../../../../src/web/review/state.ts');
export const actions = await import('../../../../src/web/review/actions.ts');
export const drawing = await import('../../../../src/web/review/drawing.ts');
export const { decide } = await import('../../../../src/web/review/decide.ts');
export const saving = await import('../../../../src/web/review/saving.ts');
export const { findPlaces } = await import('../../../../src/web/review/dialogs/part-dialog.tsx');
const { onKey } = await import('../../../../src/web/review/page.tsx');
vi.unstubAllGlobals();

/** A damage of a panel on the second photo only, and a second place to check there. */
export const THREE = 'dmg_quarter_panel_left_001';
export const CHK2 = 'chk_front_fender_left_001';
const onSecond = (part: 'quarter_panel_left' | 'front_fender_left') => {
  const { location, evidence } = finding('', 1);
  return { location: { ...location, part }, evidence: evidence.map((one) => ({ ...one, image_index: 1 })) };
};
const DAMAGES = [finding(ONE, 1), finding(TWO, 2), finding(THREE, 3, onSecond('quarter_panel_left'))];
const TO_CHECK = [
  { ...CHECK, number: 4 },
  { ...CHECK, damage_id: CHK2, number: 5, ...onSecond('front_fender_left') },
];
const INSPECTION = {
  ...envelope.data,
  vehicle_id: 'the car',
  status: 'completed',
  warnings: [],
  results: createResults(DAMAGES, TO_CHECK, exampleGrounds(PHOTOS, TO_CHECK)),
} as unknown as VisualInspection;
const ENVELOPE = { ...envelope, data: INSPECTION } as typeof envelope;

/** A service that stores one review of the example, as another page may, too. */
export interface ExampleService {
  revision: number;
  reviewer: string;
  decisions: readonly Decision[];
  /** Status of the next answer to a change, in place of storing it. */
  refuses?: number;
}

const applied = new Map<string, ReturnType<typeof applyDecisions>>();

function readReview({ revision, reviewer, decisions }: ExampleService) {
  const text = JSON.stringify(decisions);
  const parsed = parseDecisions(decisions, readReviewable(ENVELOPE), 'd.json');
  const reviewedAt = new Date('2026-01-31T12:00:00Z');
  const { data, review } =
    applied.get(text) ?? applyDecisions(ENVELOPE, parsed, { pricer, scenes, reviewedAt, reviewer });
  applied.set(text, { ...ENVELOPE, data, review });
  return { revision, reviewer, decisions, photos: [], results: data.results, review };
}

/** Puts the service in place of the network, and opens the review on the page. */
export async function openExample(): Promise<ExampleService> {
  const service: ExampleService = { revision: 1, reviewer: '', decisions: [] };
  vi.stubGlobal('Element', class {});
  vi.stubGlobal('fetch', async (path: string, { method, body = '{}' }: { method: string; body?: string }) => {
    const sent = JSON.parse(body);
    if (path.endsWith('/place')) {
      const scene = scenes.get(sent.image_index);
      const placed = scene && placeDrawn(scene, sent.image_index, sent.box, {});
      return Response.json({ data: placed && presentPlacement(placed, {}, pricer) });
    }
    if (!path.endsWith('/review')) return Response.json({ data: INSPECTION });
    if (method === 'PUT' && service.refuses !== undefined) {
      const init = { status: service.refuses, headers: { 'retry-after': '0.01' } };
      delete service.refuses;
      return Response.json({ error: { code: '', message: 'no.' } }, init);
    }
    if (method === 'PUT' && sent.revision !== service.revision) return Response.json({}, { status: 409 });
    const next = method === 'PUT' ? { ...sent, revision: service.revision + 1 } : service;
    try {
      const data = readReview(next);
      Object.assign(service, next);
      return Response.json({ data });
    } catch (error) {
      return Response.json({ error }, { status: error instanceof VehiError ? 422 : 400 });
    }
  });
  state.showsToCheck.value = true;
  state.newBoxes.value = [];
  state.mode.value = { kind: 'look' };
  await saving.openReview('vis_1', new AbortController().signal);
  return service;
}

/** Waits until boxes are analyzed and decisions stored. */
export async function settle(): Promise<void> {
  await vi.waitUntil(() => state.newBoxes.value.every((one) => 'type' in one), { interval: 1 });
  await saving.save();
}

/** Presses keys on the page one after the other, such as `t 1` or `Shift+A`, and waits until all is stored. */
export async function press(keys: string, isHeld = false): Promise<void> {
  for (const chord of keys.split(' ')) {
    const [name = '', ...held] = chord.split('+').reverse();
    const code = /\d/.test(name) ? `Digit${name}` : '';
    const modifiers = { shiftKey: held.includes('Shift'), ctrlKey: held.includes('Ctrl') };
    const event = new Event('keydown', { cancelable: true });
    onKey(Object.assign(event, { key: name, code, ...modifiers, repeat: isHeld }) as KeyboardEvent);
  }
  await settle();
}
