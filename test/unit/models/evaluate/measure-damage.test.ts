import { expect, it } from 'vitest';
import type { CocoImage } from '../../../../models/evaluate/coco.ts';
import type { ScoredFinding } from '../../../../models/evaluate/damage-score.ts';
import { measureDamage } from '../../../../models/evaluate/measure-damage.ts';
import type { EvaluationPorts } from '../../../../models/evaluate/photo-run.ts';
import type { SizedRaster } from '../../../../src/domain/photo.ts';

const BOX = { x: 10, y: 10, width: 40, height: 30 };
const found = (label: string, score: number) => ({ label, box: BOX, score, confidence: score });
const labelled = (file: string, category: string) =>
  ({
    file,
    width: 100,
    height: 80,
    annotations: [{ category, box: BOX, crowd: false }],
  }) as never as CocoImage;

/** Ports over findings by the end of a path. */
function see(findings: Readonly<Record<string, readonly ScoredFinding[]>>): EvaluationPorts {
  return {
    concurrency: 1,
    decode: async (path) => ({ size: { width: 100, height: 80 }, path }) as unknown as SizedRaster,
    runModels: async (photo) => ({
      findings: findings[(photo as unknown as { path: string }).path] ?? [],
      parts: undefined as never,
    }),
  };
}

it('scores labeled photos by their boxes and clean ones by their alarms', async () => {
  const images = [labelled('a.jpg', 'dent'), labelled('b.jpg', 'scratch')];
  const clean = ['clean/1.jpg', 'clean/2.jpg', 'clean/3.jpg'];
  const ports = see({
    'own/a.jpg': [found('dent', 0.9)],
    'clean/2.jpg': [found('scratch', 0.8), found('dent', 0.4)],
  });
  const score = await measureDamage({ images, imageDir: 'own', clean, labels: ['dent', 'scratch'] }, ports);
  expect(score).toMatchObject({
    ...{ photos: 2, recall: 0.5, precision: 1, failures: [] },
    clean: { photos: 3, withAlarm: 1 / 3, alarmsPerPhoto: 1 / 3 },
  });
});
