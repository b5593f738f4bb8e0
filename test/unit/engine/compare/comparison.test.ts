// @module-tag slow: photos are drawn and compared
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Damage } from '../../../../src/contract/inspection.ts';
import type { Change } from '../../../../src/domain/compare/changes.ts';
import { findKeyPoints, type KeyPoints } from '../../../../src/domain/compare/keypoints.ts';
import { type Affine, mapBox } from '../../../../src/domain/compare/registration.ts';
import { type Box, clampToPixels, growBox } from '../../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import type { Visit } from '../../../../src/engine/compare/album.ts';
import { type Comparison, compareVisits } from '../../../../src/engine/compare/comparison.ts';
import type { ComparisonDeps } from '../../../../src/engine/ports.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';
import { DARKEST, drawTexture, plant, retake } from '../../../helpers/photos/textured.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const SIZE = { width: 640, height: 480 };
const clean = drawTexture(SIZE.width, SIZE.height, 1);
const MODEL: Affine = [1.04, 0.02, -18, -0.015, 1.03, -4];
const again = (picture: RgbImage) => retake(picture, MODEL, 0.93);
const ONE: Box = { x: 300, y: 220, width: 40, height: 30 };
const TWO: Box = { x: 150, y: 300, width: 36, height: 36 };
const damaged = (picture: RgbImage, box: Box) => plant(picture, growBox(box, -6));
/** Where a box of the first photos is in those taken again. */
const moved = (box: Box): Box => clampToPixels(mapBox(MODEL, box), SIZE);

interface Shown {
  readonly picture: RgbImage;
  readonly finds?: readonly Box[];
  /** Further boxes of the first find, with their confidence. */
  readonly joined?: readonly (readonly [Box, number])[];
  /** Places to check. */
  readonly possible?: readonly Box[];
  readonly file?: string;
}

const pictures = new Map<string, RgbImage>();
/** Key points by the picture: the laws draw the same few again and again. */
const keyPoints = new Map<string, KeyPoints>();
const hashOf = (data: Uint8Array) => createHash('sha1').update(data).digest('hex');
const LIMITS = { certain: 0.7, toCheck: 0.25 };
const deps: ComparisonDeps = {
  reader: {
    async read(source) {
      const raster = pictures.get(source.kind === 'bytes' ? source.name : '');
      if (!raster) throw new Error('no such picture');
      const facts = { format: 'jpeg', bytes: 1, sha256: '', size: SIZE } as const;
      return { ok: true, photo: { facts, raster, issues: [], perceptualHash: 0n } };
    },
  },
  vision: {
    limits: { low: LIMITS, default: LIMITS, high: LIMITS },
    findParts: async () => partGrid('DD', 'DD'),
    async findPoints(picture) {
      const known = keyPoints.get(hashOf(picture.data));
      const found = known ?? findKeyPoints(picture, { width: 1, height: 1, allowed: Uint8Array.of(1) });
      keyPoints.set(hashOf(picture.data), found);
      return found;
    },
    // As the classifier would: how much of the box is planted.
    async classifyAt({ raster }, boxes) {
      return boxes.map((box) => {
        let dark = 0;
        for (let y = Math.round(box.y); y < box.y + box.height; y++)
          for (let x = Math.round(box.x); x < box.x + box.width; x++)
            if ((raster.data[3 * (y * raster.width + x)] ?? 255) < 0.75 * DARKEST) dark++;
        return dark / (box.width * box.height) > 0.2 ? 0.95 : 0.3;
      });
    },
  },
};

function makeVisit(shown: Shown | readonly Shown[]): Visit {
  const photos = [shown].flat();
  const place = (of: 'finds' | 'possible') =>
    photos.flatMap((one, index) => (one[of] ?? []).map((box) => ({ box, index, joined: one.joined ?? [] })));
  const [finds, possible] = [place('finds'), place('possible')];
  const counts = { damages: finds.length, toCheck: possible.length, photos: photos.length };
  const inspection = exampleInspection({ ...counts, rich: false, photoSize: SIZE });
  const { images, results } = inspection.data;
  for (const [index, { picture, file = `photo-${pictures.size}` }] of photos.entries()) {
    pictures.set(file, picture);
    const parts = [{ part: 'front_door_left', box: [0, 0, SIZE.width, SIZE.height], cut: false }];
    const record = { parts, cm_per_pixel: 0.3 };
    const said = { url: file, sha256: file.padEnd(64, '0'), angle: 'left_side', record };
    Object.assign(images[index] ?? {}, said);
  }
  const damages: readonly Damage[] = [...(results?.damages ?? []), ...(results?.to_check ?? [])];
  for (const [at, { box, index, joined }] of [...finds, ...possible].entries()) {
    const coordinates = { ...box, image_width: SIZE.width, image_height: SIZE.height };
    const boxes = [[box, 0.8] as const, ...(finds[at]?.box === photos[index]?.finds?.[0] ? joined : [])];
    Object.assign(damages[at] ?? {}, {
      type: 'dent',
      location: { part: 'front_door_left', side: 'left', coordinates },
      evidence: boxes.map(([each, confidence]) => {
        const image_url = images[index]?.url;
        return { image_index: index, image_url, coordinates: { ...coordinates, ...each }, confidence };
      }),
    });
  }
  return {
    inspection,
    openPhoto: async (photo) => ({ kind: 'bytes', bytes: new Uint8Array(), name: photo.url }),
  };
}

const compare = (
  before: Shown | readonly Shown[],
  after: Shown | readonly Shown[],
  using: (() => Promise<ComparisonDeps>) | null = async () => deps,
) => compareVisits(makeVisit(before), makeVisit(after), using);
const list = ({ places }: Comparison) => places.map(({ change, rule }) => `${change} ${rule}`);

const OTHER = drawTexture(SIZE.width, SIZE.height, 5);
const DENT = damaged(clean, ONE);
const SECOND = damaged(clean, TWO);
const BOTH = damaged(DENT, TWO);
const [CLEAN_LATER, DENT_LATER] = [again(clean), again(DENT)];
const [SECOND_LATER, BOTH_LATER] = [again(SECOND), again(BOTH)];
const [LATER_ONE, LATER_TWO] = [moved(ONE), moved(TWO)];
const NONE: Shown = { picture: clean };
const BEFORE: Shown = { picture: DENT, finds: [ONE] };
const MAYBE_BEFORE: Shown = { picture: DENT, possible: [ONE] };
const AFTER: Shown = { picture: DENT_LATER, finds: [LATER_ONE] };
const MAYBE_AFTER: Shown = { picture: DENT_LATER, possible: [LATER_ONE] };
const BOTH_AFTER: Shown = { picture: BOTH_LATER, finds: [LATER_ONE, LATER_TWO] };
/** Both dents later, the second as a further box of the first. */
const joinedLater = (confidence: number): Shown => ({
  picture: BOTH_LATER,
  finds: [LATER_ONE],
  joined: [[LATER_TWO, confidence]],
});
/** A dent in the place of the first one, at `x`. */
const replaced = (x: number) => plant(clean, { x, y: 226, width: 14, height: 18 });
const REPLACED: Shown = { picture: replaced(306), finds: [ONE] };
const REPLACED_LATER: Shown = { picture: again(replaced(320)), finds: [LATER_ONE] };
const FITS_LESS: Shown = { ...MAYBE_BEFORE, finds: [{ ...ONE, width: 60 }] };
const MAYBE_SAME = 'to_check same_picture';
const SAME = 'unchanged same_picture';

describe('two visits', () => {
  test.each<[string, Shown, Shown, ...string[]]>([
    ['a planted dent is new', NONE, AFTER, 'new not_there'],
    ['a dent that is gone is repaired', BEFORE, { picture: CLEAN_LATER }, 'repaired not_there'],
    ['a place to check is no change, whatever the photos show', NONE, MAYBE_AFTER, 'to_check not_there'],
    ['a dent that both show is as it was, whatever its level', MAYBE_BEFORE, AFTER, SAME],
    ['a dent at a place to check that was none is new', { ...NONE, possible: [ONE] }, AFTER, 'new not_there'],
    ['a place to check on both days is one row', MAYBE_BEFORE, MAYBE_AFTER, 'to_check to_check_on_both'],
    ['certain damage is paired with certain damage', FITS_LESS, AFTER, MAYBE_SAME, SAME],
    ['a dent that was not noticed is as it was, by the picture', { picture: DENT }, AFTER, SAME],
    ['one stays and one comes', BEFORE, BOTH_AFTER, 'new not_there', SAME],
    ['another dent in the place of one is a change', REPLACED, REPLACED_LATER, 'changed different'],
    ['a new dent that joined an old one changes it', BEFORE, joinedLater(0.75), 'changed partly_absent'],
    ['a place to check that joined an old dent changes nothing', BEFORE, joinedLater(0.4), SAME],
    ['which hides no new dent', { picture: SECOND }, joinedLater(0.4), 'changed partly_absent'],
    ['a photo of something else shows nothing', { picture: OTHER }, BEFORE, 'cannot_tell no_same_view'],
  ])('%s', async (_, before, after, ...wanted) => {
    expect(list(await compare(before, after))).toEqual(wanted);
  });

  test('a row keeps its number, whatever the photos show', async () => {
    const after = { picture: SECOND_LATER, finds: [LATER_TWO] };
    const rows = ({ places }: Comparison) =>
      places.map(({ row, before: earlier, after: later }) => [row, (later ?? earlier)?.damage_id]).sort();
    const seen = await compare(BEFORE, after);
    expect(rows(seen).map(([row]) => row)).toEqual(['1', 'B1']);
    expect(rows(await compare(BEFORE, after, null))).toEqual(rows(seen));
  });

  test('a photo without a vehicle shows no part', async () => {
    const [before, { inspection }] = [makeVisit(BEFORE), makeVisit(NONE)];
    Object.assign(inspection.data, { status: 'failed', results: null });
    for (const photo of before.inspection.data.images) Object.assign(photo, { angle: null });
    expect(list(await compareVisits(before, { inspection }, null))).toEqual([
      'not_photographed part_not_seen',
    ]);
  });
});

describe('photos that cannot be read', () => {
  const rejection = { code: 'IMAGE_UNREADABLE', message: '', found: 'too slow', needed: '' };
  const slow: Shown = { ...AFTER, file: 'slow' };
  /** Compares with a photo that cannot be decoded so many times. */
  const compareFailing = (failures: number) => {
    let tried = 0;
    const read: ComparisonDeps['reader']['read'] = async (source) =>
      source.name === 'slow' && tried++ < failures ? { ok: false, rejection } : deps.reader.read(source);
    return compare(NONE, slow, async () => ({ ...deps, reader: { read } }));
  };

  test.each([
    ['once is read again', 1, 'new not_there', []],
    ['twice is named with its reason', 2, 'cannot_tell own_photo_unreadable', ['after slow: too slow']],
  ])('a photo that fails %s, and no folder is asked for', async (_, failures, row, named) => {
    const said = await compareFailing(failures);
    expect(list(said)).toEqual([row]);
    const unreadable = said.unreadable.map(({ visit, photo, reason }) => `${visit} ${photo.url}: ${reason}`);
    expect(unreadable).toEqual(named);
    expect(said.differences).not.toContain('no_photos');
  });

  test('folders are asked for where no file of a visit was found', async () => {
    const after = { ...makeVisit(AFTER), openPhoto: async () => null };
    const said = await compareVisits(makeVisit(NONE), after, async () => deps);
    expect(said.differences).toContain('no_photos');
    expect(said.unreadable).toEqual([]);
  });
});

describe('laws', { timeout: 120_000 }, () => {
  const MIRROR: Partial<Record<Change, Change>> = { new: 'repaired', repaired: 'new' };
  /** What a visit says of a place: no damage, damage that it does not list, lists, or lists to check; a reflection. */
  const state = fc.constantFrom('none', 'unlisted', 'certain', 'to check', 'reflection');
  const [EARLIER, LATER] = [
    [clean, DENT, SECOND, BOTH],
    [CLEAN_LATER, DENT_LATER, SECOND_LATER, BOTH_LATER],
  ];
  const visit = fc
    .record({ one: state, two: state, isRetaken: fc.boolean() })
    .map(({ one, two, isRetaken }): Shown => {
      const states = new Map([[ONE, one] as const, [TWO, two] as const]);
      const isThere = (said: string) => said !== 'none' && said !== 'reflection';
      const shown = isRetaken ? LATER : EARLIER;
      const list = (...words: readonly string[]) =>
        [...states].filter(([, said]) => words.includes(said)).map(([box]) => (isRetaken ? moved(box) : box));
      return {
        picture: shown[Number(isThere(one)) + 2 * Number(isThere(two))] ?? clean,
        finds: list('certain'),
        possible: list('to check', 'reflection'),
      };
    });

  test('a visit is unchanged against itself, also where its files differ', async () => {
    await fc.assert(
      fc.asyncProperty(visit, fc.boolean(), async (shown, isCopy) => {
        const file = `self-${pictures.size}`;
        const { places } = await compare(
          { ...shown, file },
          { ...shown, file: isCopy ? `${file}-copy` : file },
        );
        const changes = places.map(({ change }) => change);
        expect(changes.filter((change) => change !== 'unchanged' && change !== 'to_check')).toEqual([]);
        expect(places.length).toBe((shown.finds?.length ?? 0) + (shown.possible?.length ?? 0));
      }),
      { numRuns: 4 },
    );
  });

  test('two visits the other way round say the mirror', async () => {
    await fc.assert(
      fc.asyncProperty(visit, visit, async (one, other) => {
        const file = `mirror-${pictures.size}`;
        const [first, second] = [one, other].map((shown, at) => ({
          ...shown,
          file: `${file}-${at}`,
        })) as [Shown, Shown];
        const [forth, back] = [await compare(first, second), await compare(second, first)];
        const ids = ({ places }: Comparison, mirrored: boolean) =>
          places
            .map(({ change, rule, before, after }) => {
              const [earlier, later] = mirrored ? [after, before] : [before, after];
              const said = mirrored ? (MIRROR[change] ?? change) : change;
              return [said, rule, earlier?.damage_id ?? '', later?.damage_id ?? ''].join(' ');
            })
            .sort();
        expect(ids(back, true)).toEqual(ids(forth, false));
      }),
      { numRuns: 4 },
    );
  });

  test('the order of the photos changes nothing', async () => {
    const handover: Shown[] = [
      { picture: clean, file: 'before-1' },
      { picture: damaged(OTHER, TWO), finds: [TWO], file: 'before-2' },
    ];
    const back: Shown[] = [
      { ...AFTER, file: 'after-1' },
      { picture: again(damaged(OTHER, TWO)), finds: [LATER_TWO], file: 'after-2' },
      { picture: CLEAN_LATER, file: 'after-3' },
    ];
    const verdicts = async (...photos: readonly [readonly Shown[], readonly Shown[]]) =>
      (await compare(...photos)).places
        .map(({ change, rule, before, after }) =>
          [change, rule, ...[before, after].map((one) => one?.evidence[0]?.image_url ?? '-')].join(' '),
        )
        .sort();
    const sorted = await verdicts(handover, back);
    expect(sorted.length).toBeGreaterThan(1);
    expect(await verdicts(handover.toReversed(), back)).toEqual(sorted);
    expect(await verdicts(handover, back.toReversed())).toEqual(sorted);
  });
});
