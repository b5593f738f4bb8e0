import { expect, test } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { measurePartMap } from '../../../../src/domain/sight/part-map.ts';
import type { Square } from '../../../../src/vision/judge/close-up.ts';
import { lookAtParts } from '../../../../src/vision/judge/part-looks.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const RASTER = { width: 1200, height: 600 };
const MAP = partGrid(
  '............',
  '..WWDDEEQw..',
  'LHFFDDEEQQA.',
  'BFFFDDEEQQR.',
  'BOOKKKKKOOR.',
  '............',
);
const MEASURED = measurePartMap(MAP);
const SEEN = {
  whole: { region: { x: 0, y: 0, ...RASTER }, boxes: [] },
  closer: [],
  parts: MAP,
  mass: MEASURED.mass,
  raster: RASTER,
};

/** Looks at every part; `damaged` names the columns in which a box starts whose part is damaged, and its kinds. */
async function look(damaged: Readonly<Record<number, Record<string, number>>>) {
  const asked: { box: Box; closeUp: Square | undefined }[] = [];
  const found = await lookAtParts(MEASURED, SEEN, async (box, closeUp) => {
    asked.push({ box, closeUp });
    const kinds = damaged[Math.round(box.x / 100)];
    return { damage: kinds ? 0.8 : 0.2, kinds: kinds ?? {} };
  });
  return { asked, found };
}

test('every part but wheels is shown whole in a square of its own', async () => {
  const { asked, found } = await look({});
  expect(found).toEqual([]);
  expect(asked).toHaveLength(MEASURED.visibleParts.filter(({ label }) => label !== 'wheel').length);
  for (const { box, closeUp } of asked) {
    expect(closeUp?.side).toBeGreaterThanOrEqual(Math.max(box.width, box.height));
    expect(closeUp?.side).toBeLessThanOrEqual(RASTER.width);
  }
});

test('a part that looks damaged is a candidate, named by what it is', async () => {
  const { found } = await look({ 4: { panel_damage: 0.9 }, 6: { scratch: 0.9 } });
  const labels = found.map(({ candidate }) => [Math.round(candidate.box.x / 100), candidate.label]);
  expect(labels.toSorted()).toEqual([
    [4, 'panel_damage'],
    [6, 'scratch'],
  ]);
});

test('a crushed lamp is lamp damage', async () => {
  const lamp = MEASURED.visibleParts.find(({ label }) => label === 'headlight_left');
  const { found } = await look({ [Math.round((lamp?.box.x ?? 0) * 12)]: { panel_damage: 0.9 } });
  const { box } = lamp as { box: Box };
  const atLamp = found.filter(({ candidate }) => Math.abs(candidate.box.y - box.y * 600) < 1);
  expect(atLamp.map(({ candidate }) => candidate.label)).toContain('lamp_damage');
});
