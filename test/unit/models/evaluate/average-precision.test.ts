import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COCO_IOUS, computeAveragePrecision } from '../../../../models/evaluate/average-precision.ts';
import { parseCoco } from '../../../../models/evaluate/coco.ts';

const at = (x: number, score = 1) => ({ box: { x, y: 0, width: 10, height: 10 }, score });
const truth = (x: number, crowd = false) => ({ box: at(x).box, crowd });
const hit = { found: [at(0)], truths: [truth(0)] };
/** An image whose one box is found after `count` surer false alarms. */
const afterAlarms = (count: number) => ({
  found: [at(0, 0.5), ...Array.from({ length: count }, (_, i) => at(50 * (i + 1), 0.9))],
  truths: [truth(0)],
});

describe('computeAveragePrecision', () => {
  it.each<[string, Parameters<typeof computeAveragePrecision>[0], number | undefined]>([
    ['one box, found', [hit], 1],
    ['one box, missed', [{ ...hit, found: [] }], 0],
    ['no box', [{ found: [at(0)], truths: [] }], undefined],
    ['only a crowd', [{ found: [at(0)], truths: [truth(0, true)] }], undefined],
    ['a false alarm after the hit', [{ found: [at(0, 0.9), at(50, 0.8)], truths: [truth(0)] }], 1],
    ['a false alarm before the hit', [{ found: [at(0, 0.8), at(50, 0.9)], truths: [truth(0)] }], 0.5],
    ['a box found twice', [{ found: [at(0, 0.9), at(1, 0.8)], truths: [truth(0), truth(50)] }], 51 / 101],
    ['a hit as the hundredth finding', [afterAlarms(99)], 0.01],
    ['a hit as the hundred and first, which is not looked at', [afterAlarms(100)], 0],
    [
      'findings in a crowd',
      [{ found: [at(0, 0.8), at(50, 0.9), at(51, 0.85)], truths: [truth(0), truth(50, true)] }],
      1,
    ],
    [
      'an alarm in another photo',
      [
        { ...hit, found: [at(0, 0.5)] },
        { found: [at(0, 0.6)], truths: [] },
      ],
      0.5,
    ],
  ])('%s', (_, images, expected) => {
    const ap = computeAveragePrecision(images, 0.5);
    if (expected === undefined) expect(ap).toBeUndefined();
    else expect(ap).toBeCloseTo(expected, 6);
  });
});

describe('agreement with pycocotools', () => {
  const path = new URL('../../../../fixtures/evaluation/boxes.json', import.meta.url);
  const { truth: coco, findings, expected } = JSON.parse(readFileSync(path, 'utf8'));
  const images = parseCoco(JSON.stringify(coco), 'boxes.json');
  const names: string[] = coco.categories.map(({ name }: { name: string }) => name);

  it.each(Object.entries<[number, number] | null>(expected))('%s: %j', (name, wanted) => {
    const rows = images
      .map((image, i) => ({ image, id: coco.images[i].id }))
      .filter(({ image }) => image.labelled?.has(name))
      .map(({ image, id }) => ({
        truths: image.annotations.filter(({ category }) => category === name),
        found: findings
          .filter(([photo, label]: number[]) => photo === id && names[label as number] === name)
          .map(([, , x, y, width, height, score]: number[]) => ({ box: { x, y, width, height }, score })),
      }));
    const perIou = COCO_IOUS.map((iou) => computeAveragePrecision(rows, iou));
    if (wanted === null) return expect(perIou[0]).toBeUndefined();
    const mean = perIou.reduce<number>((sum, ap) => sum + (ap ?? Number.NaN), 0) / perIou.length;
    expect(Math.abs((perIou[0] ?? Number.NaN) - wanted[0])).toBeLessThan(0.002);
    return expect(Math.abs(mean - wanted[1])).toBeLessThan(0.002);
  });
});
