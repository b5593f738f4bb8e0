import { mkdtempSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFaults, reportError } from '../../../../src/cli/terminal/errors.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';

const errorOf = (errors: readonly object[], more: object = {}) =>
  new VehiError('input', 'INVALID_REQUEST', 'first', { hint: 'Do this.', details: { errors, ...more } });
const NAMED = { field: 'damages[0].type', message: 'damages[0].type is "dint".', hint: 'Did you mean dent?' };
const UNNAMED = { field: 'vehicle_id', message: 'too long.' };

test('one fault says it all already', () => {
  expect(describeFaults(errorOf([NAMED]))).toEqual({ message: 'first', hint: 'Do this.' });
});

test('several are named line by line, each with its field and what to do', () => {
  const { message, hint } = describeFaults(errorOf([NAMED, UNNAMED, { message: 'no field.' }]));
  expect(message.split('\n')).toEqual([
    '3 faults:',
    '  damages[0].type is "dint". Did you mean dent?',
    '  vehicle_id: too long.',
    '  no field.',
  ]);
  expect(hint).toBeUndefined();
});

test('the file is named, with what to do about it', () => {
  const { message, hint } = describeFaults(errorOf([NAMED, UNNAMED], { file: 'request.json' }));
  expect(message).toMatch(/^request\.json: 2 faults:\n/);
  expect(hint).toBe('Do this.');
});

test('a temporary folder that cannot be made is no bug, and a message takes no control over the terminal', async () => {
  const { ctx, ...terminal } = fakeTerminal({});
  try {
    mkdtempSync('/nowhere/vehi-');
  } catch (error) {
    await reportError(error, ctx);
  }
  await reportError(new VehiError('usage', 'X', 'no \u001b[31m\nhere'), ctx);
  expect(terminal.stderr()).toMatch(
    /^vehi: cannot make a temporary folder in \S+: no such file or directory\n {2}Set TMPDIR .*\nvehi: no \\u\{1b\}\[31m\nhere\n$/,
  );
});
