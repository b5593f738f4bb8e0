import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests and the programs that they start, also those that they kill, write temporary files here, and none outlives the run.
const temporary = mkdtempSync(join(tmpdir(), 'vehi-tests-'));
// PostgreSQL runs as a user of its own.
chmodSync(temporary, 0o711);
process.env.TMPDIR = temporary;
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

/**
 * What is waited for comes within milliseconds on a machine at rest, and within seconds on a busy one. A test that ends
 * without having compared anything fails.
 */
const expect = { poll: { timeout: 15_000 }, requireAssertions: true };

/**
 * Tests are tried once more in CI: most drive other programs (a browser, a service, PostgreSQL), and a machine that others
 * use can hold these up for longer than any wait that still notices a fault. What passed only then is listed at the end of
 * the run, as a fault to look into.
 */
const retry = process.env.CI ? 1 : 0;

/**
 * Vitest keeps one core to itself, though much of what runs waits for a service, a browser or a command line: two files at
 * a time use 1.3 of two cores, three 1.7. Files share nothing: folders and ports are their own.
 */
const maxWorkers = Math.max(3, availableParallelism() - 1);

/** Files that put something in the place of a module of `src`, which others must not have loaded before. */
const MOCKED = [
  'test/unit/cli/fleet-resume.test.ts',
  'test/unit/cli/photo-opens.test.ts',
  'test/server/photos/real-photos.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers,
    // What is read once is kept for other projects and the next run: a sixth of the processor time of a second one.
    experimental: { fsModuleCache: true },
    tags: [
      {
        name: 'slow',
        description: 'decodes photos, runs models, sets PDFs, starts a database or a browser, or holds laws',
      },
    ],
    projects: [
      {
        test: {
          name: 'unit',
          expect,
          retry,
          include: ['test/unit/**/*.test.ts', 'test/*.test.ts'],
          exclude: MOCKED,
          // No module of `src` keeps state, so files share what they import: a quarter of the processor time.
          isolate: false,
          // Pictures are decoded and laws run over hundreds of cases: seconds on a busy machine.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'mocked',
          expect,
          retry,
          include: MOCKED,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'package',
          expect,
          retry,
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/package/setup.ts'],
          setupFiles: ['test/package/wait-until-installed.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          pool: 'forks',
          // They import JSON without saying so, as bundlers allow.
          server: { deps: { inline: [/@actions\//] } },
        },
      },
      {
        test: {
          name: 'golden',
          expect,
          retry,
          include: ['test/golden/**/*.test.ts'],
          // As for unit tests, the built command line among what is shared.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          pool: 'forks',
          // The built command line is Node's to load, as it was built.
          server: { deps: { external: [/\/dist\//] } },
        },
      },
      {
        test: {
          name: 'server',
          expect,
          retry,
          include: ['test/server/**/*.test.ts', 'test/cluster/**/*.test.ts'],
          exclude: MOCKED,
          // As for unit tests: a fifth of the processor time is reading the service again for each file.
          isolate: false,
          globalSetup: ['test/server/helpers/cluster-servers.ts', 'test/server/helpers/bundle-processes.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'contract',
          expect,
          retry,
          include: ['test/contract/**/*.test.ts'],
          testTimeout: 180_000,
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'examples',
          expect,
          retry,
          include: ['test/examples/**/*.test.ts'],
          // The built command line; the models of the fixtures see no vehicle in the demo photos.
          env: { VEHI_BIN: './bin/vehi.js' },
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'web',
          expect,
          retry,
          include: ['test/web/**/*.test.ts'],
          // Files share a browser.
          isolate: false,
          globalSetup: ['test/web/prepared-demo.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'e2e',
          expect,
          retry,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 300_000,
          pool: 'forks',
        },
      },
    ],
    exclude: ['dist/**', 'node_modules/**'],
  },
});
