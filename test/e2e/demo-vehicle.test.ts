import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../src/contract/inspection.ts';
import { FIXTURES, runCli } from '../helpers/run-cli.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Planted {
  readonly id: string;
  readonly type: string;
  readonly part: string;
  readonly box: Box;
  readonly size_cm: { readonly length: number; readonly width: number };
}
interface Truth {
  readonly states: Record<
    string,
    { readonly photos: Record<string, { readonly angle: string; readonly damages: readonly Planted[] }> }
  >;
}
type Finding = NonNullable<InspectionEnvelope['data']['results']>['damages'][number];

const VEHICLE = join(FIXTURES, 'vehicle');
const TRUTH = JSON.parse(readFileSync(join(VEHICLE, 'truth.json'), 'utf8')) as Truth;

/** Planted damages that the shipped models find, at the default sensitivity. */
const FOUND: readonly string[] = [
  'dent_rear_door_left',
  'rust_quarter_panel_right',
  'scrape_rear_bumper_left',
  'scratch_front_door_left',
];
/** The measured length (a dent's diameter) of what is found lies within this factor of the planted one. */
const LENGTH_FACTOR = 1.6;
/** What the shipped models report on the undamaged twin. */
const FALSE_ALARMS: readonly string[] = [];

/** Share of the smaller box that both cover; the boxes lie on the same photo, in its pixels. */
function sharedShare(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min(a.width * a.height, b.width * b.height);
}

/** A finding answers a planted damage when both have the same type and, on one photo, half of the smaller box in common. */
function answers(finding: Finding, planted: Planted, photo: string): boolean {
  return (
    finding.type === planted.type &&
    finding.evidence.some(
      (seen) => seen.image_url.endsWith(`/${photo}`) && sharedShare(seen.coordinates, planted.box) >= 0.5,
    )
  );
}

/** Per planted damage of a state: the finding that answers it on any photo, or undefined. */
function matched(
  state: string,
  findings: readonly Finding[],
): Map<string, { planted: Planted; finding?: Finding }> {
  const result = new Map<string, { planted: Planted; finding?: Finding }>();
  for (const [photo, { damages }] of Object.entries(TRUTH.states[state]?.photos ?? {})) {
    for (const planted of damages) {
      const finding = result.get(planted.id)?.finding ?? findings.find((f) => answers(f, planted, photo));
      result.set(planted.id, finding === undefined ? { planted } : { planted, finding });
    }
  }
  return result;
}

let dir: string;
const results: Record<string, InspectionEnvelope> = {};

/** Inspects one state's photos in a folder of their own, without the manifest, so that nothing but photos and names speaks. */
async function inspect(state: string, folder: string): Promise<InspectionEnvelope> {
  const target = join(dir, state);
  mkdirSync(target);
  for (const name of readdirSync(join(VEHICLE, folder))) {
    if (['.jpg', '.heic'].includes(extname(name)))
      copyFileSync(join(VEHICLE, folder, name), join(target, name));
  }
  const run = await runCli(['inspect', state, '--json', '--detailed', '--threads', '2'], { cwd: dir });
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as InspectionEnvelope;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-demo-'));
  for (const [state, folder] of [
    ['damaged', '.'],
    ['clean', 'clean'],
  ] as const) {
    results[state] = await inspect(state, folder);
  }
}, 300_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the demo vehicle, damaged', () => {
  test('exactly these planted damages are found', () => {
    const found = [...matched('damaged', results.damaged?.data.results?.damages ?? [])];
    expect(found.flatMap(([id, { finding }]) => (finding ? [id] : [])).sort()).toEqual(FOUND);
  });

  test('each on the right part and side, with its length within the factor', () => {
    const wrong = [...matched('damaged', results.damaged?.data.results?.damages ?? [])].flatMap(
      ([id, { planted, finding }]) => {
        if (finding === undefined) return [];
        const { measurements } = finding;
        const length = measurements?.length ?? measurements?.diameter ?? Number.NaN;
        const factor = Math.max(length / planted.size_cm.length, planted.size_cm.length / length);
        return finding.location.part === planted.part && factor <= LENGTH_FACTOR
          ? []
          : [
              `${id}: ${finding.location.part} instead of ${planted.part}, ${length} cm instead of ${planted.size_cm.length} cm`,
            ];
      },
    );
    expect(wrong).toEqual([]);
  });

  test('every photo is read, and its angle is right', () => {
    const angles = new Map(
      results.damaged?.data.images.map((image) => [image.url.replace(/^.*\//, ''), image.angle]),
    );
    const planted = Object.entries(TRUTH.states.damaged?.photos ?? {}).map(([name, photo]) => [
      name,
      photo.angle,
    ]);
    expect(Object.fromEntries(angles)).toEqual(Object.fromEntries(planted));
  });
});

describe('the demo vehicle without damage', () => {
  test('exactly these false alarms are raised', () => {
    const alarms = results.clean?.data.results?.damages.map(
      (finding) => `${finding.type} on ${finding.location.part}`,
    );
    expect(alarms).toEqual(FALSE_ALARMS);
  });
});
