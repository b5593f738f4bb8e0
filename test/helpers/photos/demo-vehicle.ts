import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { DamageType } from '../../../src/domain/damage.ts';
import { type Box, computeShareOfSmaller } from '../../../src/domain/geometry.ts';
import type { PartName } from '../../../src/domain/parts.ts';
import type { Angle } from '../../../src/domain/photo.ts';
import type { SegmentLabel } from '../../../src/domain/sight/detection.ts';
import type { Comparison } from '../../../src/engine/compare/comparison.ts';
import { FIXTURES } from '../cli/run-cli.ts';

/** A damage as one photo of `fixtures/vehicle/truth.json` lists it; boxes in pixels of the photo. */
interface Planted {
  readonly id: string;
  readonly type: DamageType;
  readonly subtype: string;
  readonly severity: string;
  readonly part: PartName;
  readonly box: Box;
  readonly pixels: number;
  readonly visible_share: number;
  readonly size_cm: { readonly length: number; readonly width: number };
}

export interface TruePhoto {
  readonly angle: Angle;
  readonly width: number;
  readonly height: number;
  readonly damages: readonly Planted[];
  readonly parts: Readonly<Partial<Record<SegmentLabel, { readonly box: Box; readonly pixels: number }>>>;
}

export const DEMO_STATES = ['damaged', 'clean', 'after'] as const;
export type DemoState = (typeof DEMO_STATES)[number];

interface Truth {
  readonly states: Readonly<
    Record<DemoState, { readonly folder: string; readonly photos: Readonly<Record<string, TruePhoto>> }>
  >;
}

/** Folder of the demo vehicle. */
export const VEHICLE = join(FIXTURES, 'vehicle');
/** What the photos show, measured from the renderer's own masks. */
export const TRUTH = JSON.parse(readFileSync(join(VEHICLE, 'truth.json'), 'utf8')) as Truth;

/** Names and truths of the photos of one state. */
export function listPhotos(state: DemoState): readonly (readonly [string, TruePhoto])[] {
  return Object.entries(TRUTH.states[state].photos);
}

/** Path of one photo. */
export function findPhoto(state: DemoState, name: string): string {
  return join(VEHICLE, TRUTH.states[state].folder, name);
}

/** How the damages changed: "change: type on part". */
export function listChanges({ places }: Comparison): readonly string[] {
  return places
    .map(({ change, before, after }) => {
      const damage = after ?? before;
      return `${change}: ${damage?.type} on ${damage?.location.part}`;
    })
    .sort();
}

type Finding = NonNullable<InspectionEnvelope['data']['results']>['damages'][number];

/** A planted damage with the finding that answers it on any photo, if one does. */
interface Answer {
  readonly planted: Planted;
  readonly finding: Finding | undefined;
}

/**
 * A finding answers a planted damage when, on one photo, a box of the same type has half of the smaller box in common: of
 * a place with several words any of them.
 */
function answers(finding: Finding, planted: Planted, photo: string): boolean {
  return finding.evidence.some(
    (seen) =>
      (seen.type ?? finding.type) === planted.type &&
      seen.image_url === photo &&
      computeShareOfSmaller(seen.coordinates, planted.box) >= 0.5,
  );
}

/** Every planted damage of a state, by id. */
export function answered(state: DemoState, { data }: InspectionEnvelope): ReadonlyMap<string, Answer> {
  const findings = data.results?.damages ?? [];
  const result = new Map<string, Answer>();
  for (const [photo, { damages }] of listPhotos(state)) {
    for (const planted of damages) {
      const finding = result.get(planted.id)?.finding ?? findings.find((f) => answers(f, planted, photo));
      result.set(planted.id, { planted, finding });
    }
  }
  return result;
}

/**
 * How far the measured length (a dent's diameter) is off: the larger over the smaller; null where nothing was measured.
 */
export function computeLengthFactor({ planted, finding }: Answer): number | null {
  const length = finding?.measurements?.length ?? finding?.measurements?.diameter;
  if (length === undefined) return null;
  return Math.max(length / planted.size_cm.length, planted.size_cm.length / length);
}

/** A measured length within this factor of the planted one is right. */
const LENGTH_FACTOR = 1.6;

/** The figures of three inspections: the damaged vehicle as its photos are named, and both states without names. */
export function collectFigures(
  damaged: InspectionEnvelope,
  unnamed: Readonly<Partial<Record<DemoState, InspectionEnvelope>>>,
) {
  const hits = [...answered('damaged', damaged)].filter(([, { finding }]) => finding !== undefined);
  const used = new Set(hits.map(([, { finding }]) => finding));
  const listFindings = ({ data }: InspectionEnvelope) => data.results?.damages ?? [];
  const words = (finding: Finding) => `${finding.type} on ${finding.location.part}`;
  const states = Object.entries(unnamed).map(([state, { data }]) => [state as DemoState, data] as const);
  return {
    /** Planted damages that are found, by id. */
    found: hits.map(([id]) => id).sort(),
    /** Those of them that are reported on another part or side. */
    on_another_part: hits
      .filter(([, { planted, finding }]) => finding?.location.part !== planted.part)
      .map(([id, { finding }]) => `${id}: ${finding?.location.part}`)
      .sort(),
    /** Those of them whose length is off by more than `LENGTH_FACTOR`, or not measured. */
    length_off: hits
      .map(([id, answer]) => [id, computeLengthFactor(answer)] as const)
      .filter(([, factor]) => factor === null || factor > LENGTH_FACTOR)
      .map(([id, factor]) => `${id}: ${factor?.toFixed(1) ?? 'not measured'}`)
      .sort(),
    /** Findings on the damaged vehicle that answer nothing planted. */
    unplanted: listFindings(damaged)
      .filter((one) => !used.has(one))
      .map(words)
      .sort(),
    false_alarms: (unnamed.clean ? listFindings(unnamed.clean) : []).map(words).sort(),
    /** What is said against photos, all of which show the vehicle well. */
    photo_issues: states.flatMap(([state, { images }]) =>
      images.flatMap(({ url, issues }) => issues.map(({ code }) => `${state}/${url}: ${code}`)),
    ),
    /** Photos, under names without an angle, whose view the parts do not show. */
    angles_wrong: states.flatMap(([state, { images }]) => {
      const found = new Map(images.map(({ url, angle }) => [url, angle]));
      return listPhotos(state)
        .filter(([name, { angle }]) => found.get(name) !== angle)
        .map(([name]) => `${state}/${name}: ${found.get(name) ?? 'nothing'}`);
    }),
  };
}

/**
 * What the shipped models make of the demo vehicle, kept in `expected/demo-vehicle.json`; of a comparison of the two
 * states the changes (`listChanges`), of planted boxes fed in as detections those on another part (`listMisplaced`).
 */
export type DemoFigures = Readonly<
  Record<keyof ReturnType<typeof collectFigures> | 'changes' | 'misplaced', readonly string[]>
>;
