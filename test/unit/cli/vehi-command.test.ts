import { describe, expect, it } from 'vitest';
import { COMMANDS, type CommandPath, type CommandRow } from '../../../src/cli/commands.ts';
import { VehiCommand } from '../../../src/cli/vehi-command.ts';
import { OPTIONS, type OptionRow } from '../../../src/config/options.ts';
import { SETTING_NAMES, SETTINGS } from '../../../src/config/settings.ts';
import type { Schema } from '../../../src/lib/check-value.ts';
import { readDocument } from '../../helpers/documents.ts';

const taken = Object.values<CommandRow>(COMMANDS).flatMap(({ flags = {} }) => Object.values(flags).flat());

const isList = (schema: Schema) => schema.type === 'array';

/** Returns what a command line gives the action of a command. */
function parse(path: CommandPath, ...words: readonly string[]): Record<string, unknown> {
  const command = new VehiCommand().exitOverride().configureOutput({ writeErr: () => undefined });
  return command.applyRow(COMMANDS[path]).parse(words, { from: 'user' }).opts();
}

describe('the table of flags', () => {
  const rows = Object.entries<OptionRow>(OPTIONS);

  it('holds flags of some command, and settings', () => {
    const unused = rows.filter(([name, { setting }]) => !taken.includes(name as never) && !setting);
    expect(unused).toEqual([]);
  });

  it.each(rows)('%s has the name of its value in commander', (name, { flag }) => {
    const long = /--(?:no-)?([a-z-]+)/.exec(flag)?.[1] ?? '';
    expect(name.split('.').at(-1)).toBe(long.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
  });

  it('refuses an empty file or folder: a variable in the command may be unset', () => {
    const places = rows.filter(([, { flag }]) => /<(file|dir|place|source|result)>/.test(flag));
    expect(places.length).toBeGreaterThan(15);
    expect(places.filter(([, { schema }]) => !isList(schema) && (schema as Schema).minLength !== 1)).toEqual(
      [],
    );
  });

  it.each(SETTING_NAMES)('the setting %s is documented with its variable', (name) => {
    expect(readDocument('docs/using/configuration.md')).toContain(
      `| \`${name}\` | \`${SETTINGS[name].env}\` |`,
    );
  });
});

describe('values of flags', () => {
  it.each<[CommandPath, string[], Record<string, unknown>]>([
    ['serve', ['--queue', '12'], { queue: 12 }],
    ['serve', ['--port', '0'], { port: 0 }],
    ['inspect', ['--annotated', 'a b'], { annotated: 'a b' }],
    ['inspect', ['-o', 'a.json', '-o', 'b.pdf'], { output: ['a.json', 'b.pdf'] }],
    ['serve', ['--no-work'], { work: false, webhooks: true }],
    ['work', [], { workers: 2 }],
    ['serve', [], { workers: 1 }],
  ])('%s %j', (path, words, values) => {
    expect(parse(path, ...words)).toMatchObject(values);
  });

  it.each<[CommandPath, string, string, string]>([
    ['admin accounts update', '--requests-per-hour', '-1', 'A whole number of at least 0 is needed.'],
    ['serve', '--queue', '1.5', 'A whole number from 1 to 100000 is needed.'],
    ['serve', '--workers', '65', 'A whole number from 1 to 64 is needed.'],
    ['serve', '--queue', ' ', 'A whole number from 1 to 100000 is needed.'],
    ['inspect', '--annotated', '', 'It is empty; a variable in the command may be unset.'],
    ['inspect', '--sensitivity', 'most', 'Allowed choices are'],
  ])('%s %s "%s" is refused', (path, flag, value, message) => {
    expect(() => parse(path, flag, value)).toThrow(message);
  });
});
