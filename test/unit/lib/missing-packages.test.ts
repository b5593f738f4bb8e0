import { expect, test } from 'vitest';
import { reportError } from '../../../src/cli/terminal/errors.ts';
import { findMissingPart } from '../../../src/lib/missing-packages.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';

const INSTALL = 'npm install -g --ignore-scripts --include=optional vehi';

test.each([
  ['sharp', "Cannot find package 'sharp' imported from /app/dist/images/sharp.js"],
  ['sharp', 'Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:'],
  ['libheif-js', "Cannot find module 'libheif-js/wasm-bundle'\nRequire stack:"],
  ['@photostructure/sqlite', "Cannot find package '@photostructure/sqlite' imported from /app/dist/x.js"],
])('a command without %s names it and the command that installs it, and is no bug', async (name, message) => {
  const terminal = fakeTerminal({});
  await reportError(new Error('the photo could not be read', { cause: new Error(message) }), terminal.ctx);
  expect(terminal.code).toBe(4);
  expect(terminal.stderr()).toContain(name);
  expect(terminal.stderr()).toContain(INSTALL);
  expect(terminal.stderr()).not.toContain('bug in vehi');
});

test('another module that is missing is a bug, and so is another error of such a package', () => {
  expect(
    findMissingPart(new Error("Cannot find package 'left-pad' imported from /app/x.js")),
  ).toBeUndefined();
  expect(findMissingPart(new Error('sharp: the input buffer is empty'))).toBeUndefined();
  const inHome = new Error("Cannot find package 'left-pad' imported from /home/sharp/app/x.js");
  expect(findMissingPart(inHome)).toBeUndefined();
});

test('a native library that cannot be loaded is named by its path', () => {
  const message = '/app/node_modules/onnxruntime-node/bin/binding.node: cannot open shared object file';
  const error = Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' });
  expect(findMissingPart(error)?.hint).toContain('onnxruntime-node does not work on this machine');
});
