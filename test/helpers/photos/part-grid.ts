import { type PartMap, SEGMENT_LABELS, type SegmentLabel } from '../../../src/domain/sight/detection.ts';

const LETTERS: Readonly<Record<string, SegmentLabel>> = {
  '.': 'background',
  B: 'front_bumper',
  R: 'rear_bumper',
  H: 'hood',
  T: 'trunk_lid',
  F: 'front_fender_left',
  f: 'front_fender_right',
  D: 'front_door_left',
  d: 'front_door_right',
  E: 'rear_door_left',
  e: 'rear_door_right',
  Q: 'quarter_panel_left',
  q: 'quarter_panel_right',
  W: 'windshield',
  w: 'rear_window',
  L: 'headlight_left',
  l: 'headlight_right',
  A: 'taillight_left',
  a: 'taillight_right',
  O: 'wheel',
  K: 'rocker_left',
  M: 'mirror_left',
};

/** A part map drawn with letters, one per cell; every cell is certain. Each row as long as the first. */
export function partGrid(...rows: readonly string[]): PartMap {
  const width = rows[0]?.length ?? 0;
  const cells = rows.join('');
  return {
    labels: SEGMENT_LABELS,
    width,
    height: rows.length,
    bestLabels: Uint8Array.from(cells, (letter) => SEGMENT_LABELS.indexOf(LETTERS[letter] ?? 'background')),
    certainty: new Uint8Array(cells.length).fill(255),
  };
}
