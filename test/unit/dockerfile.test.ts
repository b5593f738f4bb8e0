import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../helpers/cli/run-cli.ts';

const TEXT = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
/** Every check that is off by default, as an error. */
const STRICT = {
  deprecatedMaintainer: 2,
  directiveCasing: 2,
  emptyContinuationLine: 2,
  instructionCasing: 2,
  instructionCmdMultiple: 2,
  instructionEntrypointMultiple: 2,
  instructionHealthcheckMultiple: 2,
  instructionJSONInSingleQuotes: 2,
  instructionWorkdirRelative: 2,
} as const;
const faults = (text: string) => validate(text, STRICT).map(({ message }) => message);

describe('Dockerfile', () => {
  test('the linter finds no fault, and finds those that are made', () => {
    expect(faults(TEXT)).toEqual([]);
    expect(faults(TEXT.replace('WORKDIR /app', 'WORKDIR app'))).not.toEqual([]);
    expect(faults(TEXT.replace('--interval', '--intervall'))).not.toEqual([]);
  });

  test('the image is not run as root, and says whether it is well', () => {
    const last = TEXT.slice(TEXT.lastIndexOf('\nFROM '));
    expect(last.match(/^USER (.*)$/m)?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last.indexOf('\nUSER')).toBeGreaterThan(last.lastIndexOf('\nRUN'));
    expect(last).toMatch(/^HEALTHCHECK .*\n? *CMD \["node"/m);
  });

  test('what it copies is there, and is let in by .dockerignore', () => {
    const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const copied = [...TEXT.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    );
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect(existsSync(join(ROOT, path.replace(/\/\*.*$/, ''))), path).toBe(true);
      expect(
        allowed.some((name) => name === path || name.startsWith(`${path}/`)),
        path,
      ).toBe(true);
    }
  });
});
