import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { FIXTURES, ROOT } from '../helpers/cli/run-cli.ts';

const EXAMPLE = join(ROOT, 'examples/inspect.ts');
let dir: string;

beforeAll(() => {
  // Below the installation, so that `import … from 'vehi'` finds it as in a user's project.
  dir = mkdtempSync(join(inject('installed'), 'project-'));
  copyFileSync(EXAMPLE, join(dir, 'inspect.ts'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
});

function compile(options: Readonly<Record<string, unknown>>): string {
  const compilerOptions = {
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    rootDir: '.',
    ...options,
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['inspect.ts'] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8' }).stdout;
}

describe('the library of the packed tarball', () => {
  test('the example compiles for node and for bundlers, and runs', () => {
    expect(compile({ module: 'esnext', moduleResolution: 'bundler', noEmit: true })).toBe('');
    // The packed declarations are checked as well, once: what Node's resolution finds, that of bundlers does.
    expect(compile({ module: 'nodenext', outDir: 'out', skipLibCheck: false })).toBe('');
    const run = spawnSync(process.execPath, [join(dir, 'out/inspect.js'), join(FIXTURES, 'vehicle/after')], {
      encoding: 'utf8',
    });
    expect(run.stderr).toMatch(/^3 of 3: .*\.jpg$/m);
    expect(run.stdout).toMatch(/^condition \d+(\.\d)?$/m);
    expect(run.status).toBe(0);
  });

  test('a mistake in the types of a request is an error of the compiler', () => {
    const wrong = readFileSync(EXAMPLE, 'utf8').replace('detailed: true', "detailed: 'yes'");
    writeFileSync(join(dir, 'inspect.ts'), wrong);
    expect(compile({ module: 'nodenext', noEmit: true })).toContain(
      "'string' is not assignable to type 'boolean'",
    );
  });

  test('the documentation shows the example as it is', () => {
    const readme = readFileSync(join(ROOT, 'docs/using/library.md'), 'utf8');
    expect(readme).toContain(readFileSync(EXAMPLE, 'utf8'));
  });

  test('publint finds nothing to say about the package', async () => {
    const pkgDir = join(inject('installed'), 'node_modules/vehi');
    const { messages, pkg } = await publint({ pkgDir, pack: false, level: 'warning' });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('no package of it asks for a Node newer than 20.19', () => {
    const lock = readFileSync(join(inject('installed'), 'node_modules/.package-lock.json'), 'utf8');
    const packages = Object.entries<{ engines?: { node?: string } }>(JSON.parse(lock).packages);
    expect(packages.length).toBeGreaterThan(100);
    // One of the alternatives `^18.17 || >=20.3` has to begin at 20.19 or before.
    const begins = (range: string) => {
      const [, major = 0, minor = 0] = /(\d+)(?:\.(\d+))?/.exec(range) ?? [];
      return 100 * Number(major) + Number(minor);
    };
    const tooNew = packages.filter(([, { engines }]) =>
      (engines?.node ?? '*').split('||').every((range) => begins(range) > 2019),
    );
    expect(tooNew.map(([path]) => path)).toEqual([]);
  });

  test('the license of every package that is bundled comes with it', () => {
    const text = readFileSync(join(inject('installed'), 'node_modules/vehi/dist/THIRD-PARTY.md'), 'utf8');
    for (const name of ['fastify', 'csv-parse', 'commander'])
      expect(text).toMatch(new RegExp(`^## ${name} - `, 'm'));
  });

  test('tests, sources, maps of them and photos that no command needs are not in it', () => {
    const list = execFileSync('tar', ['tzf', inject('tarball')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const odd =
      /^package\/(bin|dist|models\/[^/]+$|models\/pictures\/[^/]+\.jpg$|fixtures\/vehicle\/[^/]+$|[A-Z]+(\.md)?$|THIRD-PARTY\.txt$|package\.json$)/;
    expect(list.filter((path) => !odd.test(path) || path.endsWith('.map'))).toEqual([]);
    expect(list).toContain('package/dist/app/index.html');
  });
});
