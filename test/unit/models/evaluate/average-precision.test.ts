import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COCO_IOUS, computeAveragePrecision } from '../../../../models/evaluate/average-precision.ts';
import { parseCoco } from '../../../../models/evaluate/coco.ts';

const at = (x: number, score: number) => ({ box: { x, y: 0, width: 10, height: 10 }, score });

it.each([
  [99, 0.01],
  [100, 0],
])('of a photo a hundred findings are looked at: a hit after %d false alarms', (count, expected) => {
  const alarms = Array.from({ length: count }, (_, i) => at(50 * (i + 1), 0.9));
  const photo = { found: [at(0, 0.5), ...alarms], truths: [{ box: at(0, 1).box, crowd: false }] };
  expect(computeAveragePrecision([photo], 0.5)).toBeCloseTo(expected, 6);
});

const path = new URL('../../../../fixtures/evaluation/boxes.json', import.meta.url);
const { truth: coco, findings, expected } = JSON.parse(readFileSync(path, 'utf8'));
const images = parseCoco(JSON.stringify(coco), 'boxes.json');
const names: string[] = coco.categories.map(({ name }: { name: string }) => name);

it.each(Object.entries<[number, number] | null>(expected))(
  'agrees with pycocotools on %s: %j',
  (name, wanted) => {
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
  },
);
