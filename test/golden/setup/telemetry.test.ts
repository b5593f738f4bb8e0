import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/cli/run-cli.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('telemetry');
const CAR = join(dir, 'front.jpg');
await writeDrawnCar(CAR);

describe('nothing of the user is reported or left behind', () => {
  // onnxruntime that reports keeps an identifier of the machine in the home folder and a log in the temporary one.
  test.each([
    ['inspect', ['inspect', CAR]],
    ['doctor', ['doctor']],
  ])('vehi %s', async (name, args) => {
    const home = join(dir, name.replace(' ', '-'));
    const temporary = join(home, 'tmp');
    mkdirSync(temporary, { recursive: true });
    // It reports nothing where CI is set.
    const env = {
      HOME: home,
      XDG_CONFIG_HOME: home,
      TMPDIR: temporary,
      CI: '',
      VEHI_DATA_DIR: join(dir, 'data'),
      VEHI_MODEL_DIR: TINY_MODELS,
    };
    const { code } = await runCli(args, { env });
    expect(code).toBe(0);
    expect(readdirSync(home)).toEqual(['tmp']);
    expect(readdirSync(temporary).filter((entry) => entry !== 'node-compile-cache')).toEqual([]);
  });
});
