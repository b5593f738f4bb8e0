import { describe, expect, it } from 'vitest';
import { parseCoco } from '../../../../models/evaluate/coco.ts';
import { NOT_JUDGED, paintParts } from '../../../../models/evaluate/part-target.ts';
import { tallyParts } from '../../../../models/evaluate/parts-score.ts';
import { fillPolygon } from '../../../../models/evaluate/polygon.ts';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import type { SegmentLabel } from '../../../../src/domain/sight/detection.ts';

const labels: SegmentLabel[] = [
  'background',
  'hood',
  'front_door_left',
  'front_door_right',
  'quarter_panel_left',
  'quarter_panel_right',
];

/** Rows of digits → a grid of labels; `x` is not judged. */
const grid = (rows: readonly string[]) => ({
  width: rows[0]?.length ?? 0,
  height: rows.length,
  labels: Uint8Array.from(rows.join(''), (cell) => (cell === 'x' ? NOT_JUDGED : Number(cell))),
});
const text = ({ width, labels: cells }: { width: number; labels: Uint8Array }) =>
  Array.from({ length: cells.length / width }, (_, y) =>
    [...cells.subarray(y * width, (y + 1) * width)]
      .map((cell) => (cell === NOT_JUDGED ? 'x' : cell))
      .join(''),
  );

it.each<[string, number[], string[]]>([
  ['a box', [1, 1, 3, 1, 3, 3, 1, 3], ['0000', '0110', '0110']],
  ['a box between pixels', [0.4, 0, 2.6, 0, 2.6, 1, 0.4, 1], ['1110', '0000', '0000']],
  ['a triangle', [0, 0, 4, 0, 0, 3], ['1110', '1100', '1000']],
  ['a box that reaches out', [-5, -5, 2, -5, 2, 9, -5, 9], ['1100', '1100', '1100']],
  ['a bow tie', [0, 0, 4, 0, 0, 3, 4, 3], ['0110', '0000', '0110']],
  ['a line', [0, 0, 4, 3, 0, 0], ['0000', '0000', '0000']],
])('fillPolygon paints %s', (_, outline, rows) => {
  const canvas = grid(['0000', '0000', '0000']);
  fillPolygon(canvas, outline, 1);
  expect(text(canvas)).toEqual(rows);
});

describe('paintParts', () => {
  const NAMES = ['_background_', 'hood', 'front_left_door', 'front_right_door', 'trunk', 'antenna'];
  type Part = readonly [name: string, x: number, width: number, bed?: 'bed'];
  const SIZE = { width: 10, height: 4 };
  /** Paints parts of the photo's whole height. */
  function paint(parts: readonly Part[], ignored: string[] = [], size = SIZE, silhouette?: RgbImage) {
    const coco = {
      images: [{ id: 1, file_name: 'a.png', ...SIZE, ignore_classes: ignored }],
      categories: NAMES.map((name, id) => ({ id, name })),
      annotations: parts.map(([name, x, width, bed]) => ({
        image_id: 1,
        category_id: NAMES.indexOf(name),
        bbox: [x, 0, width, 4],
        segmentation: [[x, 0, x + width, 0, x + width, 4, x, 4]],
        ...(bed && { pickup_bed_side: true }),
      })),
    };
    return paintParts(parseCoco(JSON.stringify(coco), 'c')[0] as never, size, labels, silhouette);
  }

  const DOOR: Part = ['front_left_door', 2, 4];
  const BACKGROUND: Part = ['_background_', 5, 2];
  const BED: Part = ['trunk', 6, 2, 'bed'];
  it.each<[string, Part[], string]>([
    ['paints later categories over earlier ones', [DOOR, ['hood', 0, 4]], '1122220000'],
    ['judges nothing unknown to the model', [['antenna', 0, 2], BACKGROUND], 'xx00000000'],
    ['gives a bed to the side seen', [BED, ['front_right_door', 0, 2]], '3300005500'],
    ['judges no bed of an unknown side', [BED], '000000xx00'],
  ])('%s', (_, parts, row) => {
    expect(text(paint(parts))).toEqual(Array(4).fill(row));
  });

  it('paints at the size of the decoded photo', () => {
    expect(text(paint([['hood', 0, 4]], [], { width: 5, height: 2 }))).toEqual(['11000', '11000']);
  });

  it('does not judge unlabeled pixels of the vehicle, a little beyond its outline too', () => {
    const silhouette = { ...SIZE, data: new Uint8Array(120) };
    for (let y = 0; y < 4; y++) silhouette.data.fill(255, y * 30, y * 30 + 9);
    expect(text(paint([['hood', 0, 2]], [], SIZE, silhouette))).toEqual(Array(4).fill('11xxxx0000'));
  });

  it('names the parts that may be there unlabeled', () => {
    const { unlabelled } = paint([], ['hood', 'front_left_door', 'antenna']);
    expect(unlabelled).toEqual(new Set([1, 2, NOT_JUDGED]));
  });
});

describe('tallyParts', () => {
  /** Scores maps against targets, each pair as rows of digits. */
  function score(photos: readonly (readonly [said: string[], there: string[]])[], unlabelled: number[] = []) {
    const tally = tallyParts(labels);
    for (const [said, there] of photos) {
      const { width, height, labels: bestLabels } = grid(said);
      const certainty = new Uint8Array(bestLabels.length).fill(255);
      const target = { ...grid(there), unlabelled: new Set(unlabelled) };
      tally.add({ labels, width, height, bestLabels, certainty }, target);
    }
    return tally.score();
  }

  it.each<[string, string[], string[], number[], Record<string, number>]>([
    ['half found, half invented', ['0110'], ['1100'], [], { hood: 1 / 3 }],
    ['pixels that are not judged', ['1111'], ['11xx'], [], { hood: 1 }],
    ['a part that may be there unlabeled', ['1122'], ['1100'], [2], { hood: 1 }],
    ['a part that is not there', ['1122'], ['1100'], [], { hood: 1, front_door_left: 0 }],
    ['a coarse map', ['10'], ['1100'], [], { hood: 1 }],
  ])('%s', (_, said, there, unlabelled, iou) => {
    const found = score([[said, there]], unlabelled).iou;
    const near = Object.entries(iou).map(([part, value]) => [part, expect.closeTo(value)]);
    expect(found).toEqual(Object.fromEntries(near));
  });

  it('asks sided parts for their side, piece by piece, where they were found', () => {
    const [said, there] = [Array(2).fill('2200330000'), Array(2).fill('2200220220')];
    expect(score([[said, there]])).toMatchObject({
      sidePieces: 2,
      sideAccuracy: 0.5,
      sideAccuracyByPart: { front_door: 0.5 },
    });
  });

  it('adds up photos', () => {
    const sums = { photos: 2, iou: { hood: 2 / 6 }, meanIou: 2 / 6, sideAccuracy: null };
    expect(score(['1111', '0000'].map((said) => [[said], ['1100']]))).toMatchObject(sums);
  });
});
