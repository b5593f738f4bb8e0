import { describe, expect, it } from 'vitest';
import { parseCoco } from '../../../../models/evaluate/coco.ts';
import { NOT_JUDGED, type PartTarget, paintParts } from '../../../../models/evaluate/part-target.ts';
import { tallyParts } from '../../../../models/evaluate/parts-score.ts';
import { fillPolygon } from '../../../../models/evaluate/polygon.ts';
import type { PartMap, SegmentLabel } from '../../../../src/domain/sight/detection.ts';

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

describe('fillPolygon', () => {
  it.each<[string, number[], string[]]>([
    ['a box', [1, 1, 3, 1, 3, 3, 1, 3], ['0000', '0110', '0110']],
    ['a box between pixels', [0.4, 0, 2.6, 0, 2.6, 1, 0.4, 1], ['1110', '0000', '0000']],
    ['a triangle', [0, 0, 4, 0, 0, 3], ['1110', '1100', '1000']],
    ['a box that reaches out', [-5, -5, 2, -5, 2, 9, -5, 9], ['1100', '1100', '1100']],
    ['a bow tie', [0, 0, 4, 0, 0, 3, 4, 3], ['0110', '0000', '0110']],
    ['a line', [0, 0, 4, 3, 0, 0], ['0000', '0000', '0000']],
  ])('paints %s', (_, outline, rows) => {
    const canvas = grid(['0000', '0000', '0000']);
    fillPolygon(canvas, outline, 1);
    expect(text(canvas)).toEqual(rows);
  });
});

describe('paintParts', () => {
  const box = (x: number, y: number, width: number, height: number) => [
    x,
    y,
    x + width,
    y,
    x + width,
    y + height,
    x,
    y + height,
  ];
  function image(annotations: { name: string; outline: number[]; bed?: boolean }[], ignore: string[] = []) {
    const names = [
      '_background_',
      'hood',
      'front_left_door',
      'front_right_door',
      'trunk',
      'antenna',
      'quarter_panel_left',
    ];
    const coco = {
      images: [{ id: 1, file_name: 'a.png', width: 10, height: 4, ignore_classes: ignore }],
      categories: names.map((name, id) => ({ id, name })),
      annotations: annotations.map(({ name, outline, bed }, id) => ({
        id,
        image_id: 1,
        category_id: names.indexOf(name),
        bbox: [outline[0], outline[1], 2, 2],
        segmentation: [outline],
        ...(bed ? { pickup_bed_side: true } : {}),
      })),
    };
    return parseCoco(JSON.stringify(coco), 'c')[0] as never;
  }
  const size = { width: 10, height: 4 };

  it('paints later categories over earlier ones, by their own names or the set’s', () => {
    const painted = paintParts(
      image([
        { name: 'front_left_door', outline: box(2, 0, 4, 4) },
        { name: 'hood', outline: box(0, 0, 4, 4) },
      ]),
      size,
      labels,
    );
    expect(text(painted)).toEqual(Array(4).fill('1122220000'));
  });

  it('does not judge what the model does not know', () => {
    const painted = paintParts(
      image([
        { name: 'antenna', outline: box(0, 0, 2, 4) },
        { name: '_background_', outline: box(5, 0, 2, 4) },
      ]),
      size,
      labels,
    );
    expect(text(painted)).toEqual(Array(4).fill('xx00000000'));
  });

  it('paints at the size of the decoded photo', () => {
    const painted = paintParts(
      image([{ name: 'hood', outline: box(0, 0, 4, 4) }]),
      { width: 5, height: 2 },
      labels,
    );
    expect(text(painted)).toEqual(['11000', '11000']);
  });

  it('does not judge unlabeled pixels of the vehicle, a little beyond its outline too', () => {
    const silhouette = { width: 10, height: 4, data: new Uint8Array(120) };
    for (let y = 0; y < 4; y++) silhouette.data.fill(255, y * 30, y * 30 + 9);
    const painted = paintParts(image([{ name: 'hood', outline: box(0, 0, 2, 4) }]), size, labels, silhouette);
    expect(text(painted)).toEqual(Array(4).fill('11xxxx0000'));
  });

  it('gives a pick-up’s bed side to the side whose doors are seen', () => {
    const bed = { name: 'trunk', outline: box(6, 0, 2, 4), bed: true };
    const painted = paintParts(
      image([bed, { name: 'front_right_door', outline: box(0, 0, 2, 4) }]),
      size,
      labels,
    );
    expect(text(painted)).toEqual(Array(4).fill('3300005500'));
    expect(text(paintParts(image([bed]), size, labels))).toEqual(Array(4).fill('000000xx00'));
  });

  it('names the parts that may be there unlabeled', () => {
    expect(paintParts(image([], ['hood', 'front_left_door', 'antenna']), size, labels).unlabelled).toEqual(
      new Set([1, 2, NOT_JUDGED]),
    );
  });
});

describe('tallyParts', () => {
  function score(said: string[], there: string[], unlabelled: number[] = []) {
    const { width, height, labels: best } = grid(said);
    const seen: PartMap = {
      labels,
      width,
      height,
      bestLabels: best,
      certainty: new Uint8Array(best.length).fill(255),
    };
    const target: PartTarget = { ...grid(there), unlabelled: new Set(unlabelled) };
    const tally = tallyParts(labels);
    tally.add(seen, target);
    return tally.score();
  }

  it.each<[string, string[], string[], number[], Record<string, number>]>([
    ['all right', ['1100'], ['1100'], [], { hood: 1 }],
    ['half found, half invented', ['0110'], ['1100'], [], { hood: 1 / 3 }],
    ['pixels that are not judged', ['1111'], ['11xx'], [], { hood: 1 }],
    ['a part that may be there unlabeled', ['1122'], ['1100'], [2], { hood: 1 }],
    ['a part that is not there', ['1122'], ['1100'], [], { hood: 1, front_door_left: 0 }],
    ['a coarse map', ['10'], ['1100'], [], { hood: 1 }],
  ])('%s', (_, said, there, unlabelled, iou) => {
    const result = score(said, there, unlabelled);
    for (const [part, value] of Object.entries(iou)) expect(result.iou[part]).toBeCloseTo(value);
    expect(Object.keys(result.iou)).toEqual(Object.keys(iou));
  });

  it('asks sided parts for their side, piece by piece, where they were found', () => {
    const result = score(['2200330000', '2200330000'], ['2200220220', '2200220220']);
    expect(result).toMatchObject({
      sidePieces: 2,
      sideAccuracy: 0.5,
      sideAccuracyByPart: { front_door: 0.5 },
    });
  });

  it('adds up photos', () => {
    const tally = tallyParts(labels);
    const seen = (rows: string[]) => ({
      labels,
      width: 4,
      height: 1,
      bestLabels: grid(rows).labels,
      certainty: new Uint8Array(4),
    });
    tally.add(seen(['1111']), { ...grid(['1100']), unlabelled: new Set() });
    tally.add(seen(['0000']), { ...grid(['1100']), unlabelled: new Set() });
    expect(tally.score()).toMatchObject({
      photos: 2,
      iou: { hood: 2 / 6 },
      meanIou: 2 / 6,
      sideAccuracy: null,
    });
  });
});
