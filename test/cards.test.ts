import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DETECTOR_LABELS } from '../src/domain/sight/detection.ts';

const ROOT = resolve(import.meta.dirname, '..');
const text = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly weights: { readonly sha256: string };
  // biome-ignore lint/suspicious/noExplicitAny: figures as the recipe wrote them, another set for each model
  readonly measured: any;
}

const models: readonly Entry[] = JSON.parse(text('models/manifest.json')).models;
const entry = (id: string) => models.find((model) => model.id === id) as Entry;
const digest = (id: string) => entry(id).weights.sha256.slice(0, 12);

const { ap50, ap50_95, ece, at, finds } = entry('damage').measured;
const percent = (share: number) => `${Math.round(share * 100)} %`;
const { certain, to_check: toCheck } = finds;
const ends = ([low, high]: readonly [number, number]) => `${Math.round(low * 100)} to ${percent(high)}`;
const plates = entry('plates').measured;
const classRow = (label: string) =>
  `| ${label} | ${at.default[label].boxes} | ${ap50[label].toFixed(3)} | ${ap50_95[label].toFixed(3)} |`;

const cards = readdirSync(resolve(ROOT, 'models')).filter((file) => file.endsWith('.md'));

test.each(cards)('models/%s is a page: at most 90 lines', (file) => {
  expect(text(`models/${file}`).trimEnd().split('\n').length).toBeLessThanOrEqual(90);
});

test('the cards together are readable: at most 3,000 words, without the lines of tables', () => {
  const ofModels = cards.filter((file) => file !== 'README.md').map((file) => text(`models/${file}`));
  expect(ofModels.join(' ').replaceAll('|', ' ').match(/\S+/g)?.length).toBeLessThanOrEqual(3000);
});

describe('cards and README say what the manifest says', () => {
  test.each(models)('$id: name and version are the title', ({ id, name, version }) => {
    expect(text(`models/${id}.md`).split('\n')[0]).toContain(`\`${name}\` ${version}`);
  });

  test.each<readonly [file: string, said: string]>([
    ...DETECTOR_LABELS.map((label) => ['models/damage.md', classRow(label)] as const),
    ['models/damage.md', `| **mean** |  | **${ap50.mean.toFixed(3)}** | ${ap50_95.mean.toFixed(3)} |`],
    ['models/damage.md', `|  | ${ece.toFixed(3)} |`],
    ['models/damage.md', `mean AP50 ${ap50.mean.toFixed(3)}, \`${digest('damage')}…\``],
    ['models/parts.md', `SHA-256 \`${digest('parts')}…\``],
    ['models/training/versions.md', `| ${ap50.mean.toFixed(3)} | \`${digest('damage')}…\``],
    ['models/training/versions.md', `| ${entry('parts').version} | \`${digest('parts')}\``],
    ...['damages_found', 'precision', 'clean_photos_with_a_find'].map((name) => {
      const [low, high] = [certain, toCheck].map((one) => ends(one.intervals_90[name]));
      return ['models/damage.md', `| … interval | ${low} | | ${high} | |`] as const;
    }),
    [
      'models/plates.md',
      `| **all** | ${plates.plates} | **${plates.blurred_whole}** | ${plates.blurred_in_part} | ${plates.missed} | **${plates.recall}** |`,
    ],
    [
      'models/plates.md',
      `${plates.of_those_all_plates_blurred_whole} of the ${plates.photos_with_plate} photos with a plate`,
    ],
    [
      'models/plates.md',
      `${plates.photos_with_something_else_blurred_of_584} of the 584 photos have something else`,
    ],
    [
      'models/damage.md',
      `| damages found | ${percent(certain.damages_found)} | ≥ 35 % | ${percent(toCheck.damages_found)} |`,
    ],
    [
      'models/damage.md',
      `| precision | ${percent(certain.precision)} | ≥ 85 % | ${percent(toCheck.precision)} |`,
    ],
    [
      'README.md',
      `finds ${percent(certain.damages_found)} of the damages as certain (${percent(certain.precision)} of what it says is right) and ${percent(toCheck.damages_found)} with the places`,
    ],
    [
      'README.md',
      `to check (${percent(toCheck.precision)} right); ${percent(certain.clean_photos_with_a_find)} and ${percent(toCheck.clean_photos_with_a_find)} of the photos of undamaged`,
    ],
    ['docs/using/reports.md', `${plates.blurred_whole} of ${plates.plates} plates`],
  ])('%s: %s', (file, said) => {
    expect(text(file)).toContain(said);
  });
});
