import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VEHICLE } from '../helpers/photos/demo-vehicle.ts';

const RENDER = join(VEHICLE, 'render');
const missing =
  spawnSync('python3', ['-c', 'import cv2, numpy'], { cwd: RENDER }).status === 0
    ? null
    : 'python3 with numpy and cv2 is not installed';

// What a seed changes and how masks become labels; rendering itself is tried where VEHI_RENDER is set (test_training.py).
test.skipIf(missing)(
  `seeds and labels of rendered pictures${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const run = spawnSync('python3', ['-m', 'unittest', 'test_training'], { cwd: RENDER, encoding: 'utf8' });
    expect(run.stderr).toMatch(/^OK/m);
    expect(run.status).toBe(0);
  },
);
