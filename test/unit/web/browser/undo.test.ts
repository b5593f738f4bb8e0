import { expect, test, vi } from 'vitest';
import { record, startHistory } from '../../../../src/web/review/history.ts';

test('undoing the mark of another photo drops a drawn box, and names the photo by its folder', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('addEventListener', () => undefined);
  const { undo } = await import('../../../../src/web/review/decide.ts');
  const state = await import('../../../../src/web/review/state.ts');
  vi.unstubAllGlobals();
  const images = [0, 1].map((index) => ({ index, url: `${index}/front.jpg` }));
  state.inspection.value = { images, vehicle_groups: [] } as never;
  state.history.value = record(startHistory([]), [{ decision: 'nothing_more', image_index: 1 }]);
  state.mode.value = { kind: 'draw', box: { x: 1, y: 2, width: 3, height: 4 }, key: null };
  undo();
  expect(state.photoIndex.value).toBe(1);
  expect(state.mode.value).toEqual({ kind: 'look' });
  expect(state.notice.value).toBe('Undone: 1/front.jpg is not marked as looked through.');
});
