import { describe, expect, it } from 'vitest';
import { makeChannelTables, toPlanes } from '../../../../src/vision/run/network.ts';

describe('toPlanes', () => {
  it('puts each channel into its plane, scaled as the manifest says', () => {
    const tables = makeChannelTables({ mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] });
    const planes = new Float32Array(6).fill(99);
    toPlanes(Uint8Array.of(0, 128, 255, 255, 0, 51), tables, planes);
    const wanted = [-2.1179, 2.2489, 0.2052, -2.0357, 2.64, -0.9156];
    wanted.forEach((value, i) => {
      expect(planes[i]).toBeCloseTo(value, 3);
    });
  });
});
