import { expect, it } from 'vitest';
import { findMissingPart } from '../../../src/lib/missing-packages.ts';

it.each([
  ["Cannot find package 'sharp' imported from /app/dist/images/sharp.js", 'sharp'],
  ['Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:', 'sharp'],
  ["Cannot find module 'libheif-js/wasm-bundle'\nRequire stack:", 'libheif-js'],
  ["Cannot find package '@photostructure/sqlite' imported from /app/dist/x.js", '@photostructure/sqlite'],
  ['/app/node_modules/onnxruntime-node/bin/binding.node: cannot open shared object file', 'onnxruntime-node'],
  // Another module that is missing is a bug, and so is another error of such a package.
  ["Cannot find package 'left-pad' imported from /app/x.js", undefined],
  ["Cannot find package 'left-pad' imported from /home/sharp/app/x.js", undefined],
  ['sharp: the input buffer is empty', undefined],
])('in %j the package %s is missing', (message, name) => {
  const cause = Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' });
  const found = findMissingPart(new Error('the photo could not be read', { cause }));
  expect(found?.hint).toBe(
    name &&
      `${name} does not work on this machine. Install vehi with the parts for it: npm install -g --ignore-scripts --include=optional vehi.`,
  );
});
