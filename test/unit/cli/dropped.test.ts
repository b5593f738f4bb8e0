import { expect, test } from 'vitest';
import { DROPPED } from '../../../src/cli/dropped.ts';
import { openFolder } from '../../helpers/cli/claim-folder.ts';

const { run } = openFolder('dropped');

/** Command lines that use what a row names; a flag of all commands is tried on the main ones. */
function callsOf(name: string): readonly string[] {
  const kind = /^output kind (.+)/.exec(name)?.[1];
  if (kind) return [`inspect x --output ${kind}=y`, `assess --format ${kind}`, `config set format ${kind}`];
  if (!name.startsWith('--')) return [name, `${name} more`];
  return ['inspect', 'assess', 'report'].flatMap((path) => [`${path} ${name} x`, `${path} ${name}=x`]);
}

test.each(Object.entries(DROPPED))('%s is refused with what to do instead', async (name, instead) => {
  expect(instead).toMatch(/^[A-Z].*\.$/s);
  const calls = / --/.test(name) ? [`${name} x`, `${name}=x`] : callsOf(name);
  for (const line of calls) {
    const { code, stdout, stderr } = await run(line);
    expect(stderr.replaceAll(/\s+/g, ' '), line).toContain(instead);
    if (!name.startsWith('output kind ')) expect(stderr).toContain(`${name} was removed.`);
    expect([stdout, code], line).toEqual(['', 2]);
  }
});

test.each(['regions models', 'auth history'])('%s is not said to be removed', async (line) => {
  const ran = await run(line);
  expect(ran).toMatchObject({ code: 2, stderr: expect.not.stringContaining('was removed') });
});
