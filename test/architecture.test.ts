import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** Which rooms a room may import from, besides itself. `index.ts` puts everything together and may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib'],
  contract: ['lib', 'domain'],
  pricing: ['lib', 'domain'],
  vision: ['lib', 'domain'],
  images: ['lib', 'domain'],
  evaluate: ['lib', 'domain', 'vision', 'images'],
  engine: ['lib', 'domain', 'pricing', 'contract', 'report'],
  report: ['lib', 'domain', 'contract', 'engine'],
  storage: ['lib', 'domain', 'contract'],
  config: ['lib', 'domain'],
  server: [
    'lib',
    'domain',
    'contract',
    'pricing',
    'vision',
    'images',
    'engine',
    'report',
    'storage',
    'config',
    'index.ts',
  ],
  cli: [
    'lib',
    'domain',
    'contract',
    'pricing',
    'vision',
    'images',
    'evaluate',
    'engine',
    'report',
    'storage',
    'config',
    'index.ts',
  ],
};

/** Packages that only one place may know. */
const KEPT: readonly { pkg: string; only: RegExp }[] = [
  { pkg: 'onnxruntime-node', only: /^vision\/run\/session\.ts$/ },
  { pkg: 'sharp', only: /^images\// },
  { pkg: 'pdfkit', only: /^report\/pdf\// },
  { pkg: 'commander', only: /^cli\// },
  { pkg: 'ora', only: /^cli\// },
  { pkg: 'chalk', only: /^cli\// },
  { pkg: 'inquirer', only: /^cli\// },
  { pkg: 'fastify', only: /^server\// },
];

/** The serve command opens the server; nothing else of the command line knows it. */
const DOORS_MEET = /^cli\/service\//;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

function importsOf(file: string): string[] {
  const code = readFileSync(join(SRC, file), 'utf8');
  const pattern = /(?:from\s+|import\s+|import\()\s*['"]([^'"]+)['"]/g;
  return [...code.matchAll(pattern)].map((match) => match[1] ?? '');
}

function room(file: string): string {
  return file.split('/')[0] ?? file;
}

describe('who may import whom', () => {
  test.each(files)('%s', (file) => {
    if (file === 'index.ts') return;
    const from = room(file);
    const allowed = MAY_IMPORT[from];
    expect(allowed, `${from}/ is not a room of the layout`).toBeDefined();
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) {
        const target = relative(SRC, resolve(dirname(join(SRC, file)), specifier)).replaceAll('\\', '/');
        const to = room(target);
        const fine = to === from || allowed?.includes(to) || (to === 'server' && DOORS_MEET.test(file));
        expect(fine, `${file} imports ${target}`).toBe(true);
      } else {
        const rule = KEPT.find(({ pkg }) => specifier === pkg || specifier.startsWith(`${pkg}/`));
        expect(!rule || rule.only.test(file), `${file} imports ${specifier}`).toBe(true);
      }
    }
  });

  test('only the command line, the configuration and worker entries touch process', () => {
    const touching = files
      .filter((file) => !/^(cli|config)\//.test(file))
      .filter((file) =>
        /(?<![.\w'"`-])process\.(?!versions)/.test(stripComments(readFileSync(join(SRC, file), 'utf8'))),
      );
    expect(touching).toEqual([]);
  });
});

function stripComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
