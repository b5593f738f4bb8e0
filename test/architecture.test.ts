import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { measureSources, readBudget } from './budget.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** Archaic and translated words that readers stop at, with what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  told: 'named, printed, reported',
  beside: 'next to, besides, against',
  graver: 'more severe',
  gravest: 'most severe',
  dearer: 'more expensive',
  dearest: 'most expensive',
  anew: 'again',
  mend: 'correct',
  shall: 'should, must',
  upon: 'on, after',
  'at hand': 'available',
  'to be had': 'available',
  'out of sense': 'implausible',
  'put right': 'correct',
  'let go of': 'release',
};
const PLAINER = new RegExp(`\\b(${Object.keys(INSTEAD).join('|')})\\b`, 'gi');

/** Tracked files and folders of the top level; an output that is committed by mistake is not among them. */
const TOP_LEVEL = [
  ...['.biome.json', '.ci', '.dockerignore', '.gitignore', '.npmrc'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'Dockerfile', 'LICENSE', 'NOTICE', 'README.md', 'SECURITY.md'],
  ...['action.yml', 'bin', 'docs', 'examples', 'fixtures', 'knip.json', 'models'],
  ...['package-lock.json', 'package.json', 'scripts', 'src', 'test'],
  ...['tsconfig.json', 'vite.config.ts', 'vitest.config.ts'],
];

const CORE = ['lib', 'domain', 'contract'];
const ENGINE = [
  ...CORE,
  'pricing',
  'vision',
  'images',
  'engine',
  'report',
  'evidence',
  'storage',
  'config',
  'index.ts',
];
const SHELL = [...ENGINE, 'cli/terminal', 'cli/commands.ts', 'cli/local-engine.ts', 'cli/known-vehicle.ts'];
/** Types and facts of the service that all its rooms may know. */
const SERVICE = [
  ...CORE,
  'engine',
  'report',
  // A process on PostgreSQL loads no SQLite.
  'storage/ports.ts',
  'storage/keys.ts',
  'storage/removal.ts',
  'server/clock.ts',
  'server/links.ts',
  'server/metrics.ts',
  'server/photo-files.ts',
  'server/present-record.ts',
  'server/backend.ts',
  'server/server-settings.ts',
  'server/services.ts',
];
/** What the stores of every database are made of. */
const STORE = ['lib', 'storage/ports.ts', 'storage/records.ts', 'storage/blobs.ts', 'storage/sql'];

/**
 * Which rooms a room may import from, besides itself and what lies inside it. The longest path that fits a file is its
 * room; an entry allows everything below it. `index.ts` puts the engine together and may import all.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ENGINE,
  lib: [],
  contract: CORE,
  domain: ['lib'],
  pricing: ['lib', 'domain'],
  vision: ['lib', 'domain'],
  // What the engine asks of those who read photos and run models.
  images: ['lib', 'domain', 'engine/ports.ts', 'engine/request.ts'],
  'images/read': ['lib', 'domain', 'engine/request.ts', 'images/data', 'images/sharp.ts'],
  'images/quality': ['lib', 'domain', 'images/data', 'images/sharp.ts'],
  'images/find': [...CORE, 'engine/request.ts', 'images/data', 'images/read'],
  'images/draw': ['domain', 'engine/request.ts', 'images/data', 'images/read', 'images/sharp.ts'],
  engine: [...CORE, 'pricing'],
  report: [...CORE, 'engine/compare'],
  evidence: [
    'lib',
    'contract',
    'images/read/exif.ts',
    'report/html/markup.ts',
    'report/figures.ts',
    'report/words.ts',
  ],
  storage: ['lib', 'domain'],
  'storage/records.ts': ['contract', 'domain'],
  'storage/ports.ts': ['storage/records.ts', 'storage/blobs.ts', 'storage/sql'],
  'storage/directory-blobs.ts': ['lib', 'storage/blobs.ts'],
  'storage/sql': ['lib', 'storage/records.ts'],
  'storage/sqlite': [...STORE, 'storage/directory-blobs.ts'],
  'storage/postgres': [...STORE, 'storage/fair-order.ts'],
  'storage/objects': ['lib', 'storage/blobs.ts', 'storage/records.ts'],
  config: ['lib', 'domain', 'pricing'],
  server: [...SERVICE, 'config', 'images', 'pricing'],
  'server/net': ['lib', 'domain'],
  'server/pdf': ['lib', 'contract', 'report'],
  'server/http': SERVICE,
  'server/work': [...SERVICE, 'storage/fair-order.ts'],
  'server/webhooks': [...SERVICE, 'server/net'],
  'server/photos': [...SERVICE, 'images', 'server/http', 'server/net'],
  'server/reviews': [...SERVICE, 'server/http/api-error.ts'],
  'server/jobs': [
    ...SERVICE,
    'server/http/api-error.ts',
    'server/photos',
    'server/reviews',
    'server/webhooks',
    'server/work',
  ],
  'server/routes': [
    ...SERVICE,
    'server/http',
    'server/jobs/visual-job.ts',
    'server/net/public-address.ts',
    'server/photos',
    'server/reviews',
    'server/webhooks',
    'server/work/order.ts',
    'server/work/queue.ts',
  ],
  'server/app': ['lib', 'contract', 'server/http', 'server/services.ts'],
  'server/capture': [...CORE, 'server/http', 'server/page-app.ts', 'server/photos/collect.ts'],
  web: [
    'contract',
    'domain',
    'lib/format-count.ts',
    'lib/names.ts',
    'lib/lists.ts',
    'report/words.ts',
    'report/figures.ts',
    'report/grade.ts',
    'report/headline.ts',
    'report/plan',
    'report/capture-words.ts',
    'report/translator.ts',
  ],
  cli: ENGINE,
  'cli/terminal': ENGINE,
  'cli/outputs': [...SHELL, 'cli/dropped.ts'],
  'cli/inspect': [
    ...SHELL,
    'cli/outputs',
    'cli/assess/assess-input.ts',
    'cli/fleet/run-fleet.ts',
    'cli/review',
  ],
  'cli/capture': [...SHELL, 'cli/inspect', 'cli/outputs', 'cli/results', 'server/capture'],
  'cli/assess': [...SHELL, 'cli/outputs'],
  'cli/fleet': [...SHELL, 'cli/outputs', 'cli/inspect', 'cli/results/result-source.ts'],
  'cli/results': [...SHELL, 'cli/outputs'],
  'cli/review': [
    ...SHELL,
    'cli/outputs',
    'cli/results',
    'cli/assess/assess-input.ts',
    'cli/assess/recompute-estimate.ts',
    'server/result-page.ts',
    'server/reviews/part-maps.ts',
    'server/reviews/reviews.ts',
  ],
  'cli/service': [...SHELL, 'server'],
  'cli/setup': [
    'cli/assess/assess-input.ts',
    'cli/assess/request-from-estimate.ts',
    ...SHELL,
    'cli/outputs',
    'cli/service',
  ],
  'cli/help': [...SHELL, 'cli/vehi-command.ts', 'cli/dropped.ts', 'cli/outputs'],
};

/** Packages that only one place may know. */
const KEPT: Readonly<Record<string, RegExp>> = {
  yazl: /^evidence\/zip\.ts$/,
  yauzl: /^evidence\/verify\.ts$/,
  exifr: /^images\/read\/exif\.ts$/,
  'onnxruntime-node': /^vision\/run\/session\.ts$/,
  sharp: /^images\//,
  pdfkit: /^report\/pdf\//,
  uqr: /^cli\/capture\//,
  commander: /^cli\//,
  ora: /^cli\//,
  chalk: /^(cli|report\/text)\//,
  inquirer: /^cli\//,
  fastify: /^server\//,
  pg: /^storage\/postgres\/database\.ts$/,
  s3mini: /^storage\/objects\//,
  bullmq: /^server\/work\/shared-queue\.ts$/,
  birpc: /^(vision\/run\/worker(-pool)?|server\/(work\/quarantine(-child)?|pdf\/(printer|worker)))\.ts$/,
  preact: /^web\//,
  '@preact/signals': /^web\//,
};

/**
 * Who parses JSON: `lib/json.ts` what anybody wrote and what ships with the package, `bodies.ts` requests, `storage` its own
 * columns. The others copy a document, read what another process of ours wrote, or a file that was checked a line before.
 */
const PARSES_JSON =
  /^(lib\/(json|package)\.ts|server\/http\/bodies\.ts|storage\/|web\/|cli\/service\/photo-child\.ts)/;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('/vite.config.ts'));

const imports = new Map(files.map((file) => [file, readImports(file)]));

describe('the layout of src', () => {
  test('every file imports only what its room may know', () => {
    const faults = files.flatMap((file) =>
      (imports.get(file) ?? []).filter((target) => !mayImport(file, target)).map((to) => `${file} -> ${to}`),
    );
    expect(faults).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    expect(findCircles()).toEqual([]);
  });

  test('only the command line, the configuration and worker entries touch process', () => {
    const touching = files
      .filter((file) => !/^(cli|config)\//.test(file))
      .filter((file) => /(?<![.\w'"`-])process\.(?!versions)/.test(stripComments(readSource(file))));
    expect(touching).toEqual([]);
  });

  test('JSON is parsed by one reader per level of trust', () => {
    const parsing = files
      .filter((file) => /\bJSON\.parse\(/.test(stripComments(readSource(file))))
      .filter((file) => !PARSES_JSON.test(file));
    expect(parsing).toEqual([]);
  });

  test('every room of the table exists', () => {
    expect(
      Object.entries(MAY_IMPORT)
        .flat(2)
        .filter((room) => !existsSync(join(SRC, room))),
    ).toEqual([]);
  });
});

test('every room of src has a budget of lines and keeps to it', () => {
  const [budget, rooms] = [readBudget(), measureSources()];
  expect(Object.keys(rooms)).toEqual(Object.keys(budget));
  const over = Object.entries(rooms).filter(([name, lines]) => lines > (budget[name] ?? 0));
  expect(over).toEqual([]);
});

test.skipIf(!existsSync(join(ROOT, '.git')))('the top level holds what is named and nothing else', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const entries = new Set(tracked.filter(Boolean).map((path) => path.split('/', 1)[0] ?? ''));
  expect([...entries].sort()).toEqual(TOP_LEVEL);
});

test('a message of an error ends with a full stop, a value or the reason that another gave', () => {
  const made =
    /new (?:Vehi|Api)Error\(\s*(?:'\w+',\s*)?'[A-Z_]+',\s*(`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*')\s*[,)]/g;
  const found = files.flatMap((file) =>
    [...readSource(file).matchAll(made)].flatMap(([, text = '']) =>
      /[.}].$/.test(text) ? [] : [`${file} ${text}`],
    ),
  );
  expect(found).toEqual([]);
});

test('messages, comments and documents are in plain words', () => {
  const found = texts().flatMap(([file, text]) =>
    [...text.matchAll(PLAINER)].map(({ 0: word, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line} ${word}: ${INSTEAD[word.toLowerCase()] ?? 'say it in plain words'}`;
    }),
  );
  expect(found).toEqual([]);
});

/** Returns the sources, the tests, the data files' notes and the documents, each with its path. */
function texts(): readonly (readonly [file: string, text: string])[] {
  const below = (folder: string, kind: RegExp) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => kind.test(name))
      .map((name) => join(folder, name));
  return [
    ...below('src', /\.(ts|tsx|md|json)$/),
    ...below('docs', /\.md$/),
    ...below('test', /\.(ts|js|py|md)$/).filter((file) => !file.endsWith('architecture.test.ts')),
    ...below('models', /^[^/\\]*\.md$/),
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ].map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
}

/** Paths within src, and names of packages, that a file imports. */
function readImports(file: string): readonly string[] {
  const pattern = /(?:from\s+|import\s+|import\()\s*['"]([^'"]+)['"]/g;
  return [...readSource(file).matchAll(pattern)].map(([, specifier = '']) =>
    specifier.startsWith('.')
      ? relative(SRC, resolve(dirname(join(SRC, file)), specifier)).replaceAll('\\', '/')
      : `package:${specifier}`,
  );
}

function mayImport(file: string, target: string): boolean {
  if (target.startsWith('package:')) {
    const name = target.slice('package:'.length);
    const [, place] = Object.entries(KEPT).find(([kept]) => holds(kept, name)) ?? [];
    return place === undefined || place.test(file);
  }
  const room = Object.keys(MAY_IMPORT)
    .filter((candidate) => holds(candidate, file))
    .sort((a, b) => b.length - a.length)[0];
  if (room === undefined) return false;
  return holds(room, target) || (MAY_IMPORT[room] ?? []).some((allowed) => holds(allowed, target));
}

function holds(room: string, file: string): boolean {
  return file === room || file.startsWith(`${room}/`);
}

/** Returns the files that remain when those that import none of the others, or that none imports, are taken away again and again. */
function findCircles(): readonly string[] {
  let left = files;
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length;
    const targets = new Set(left.flatMap((file) => imports.get(file) ?? []));
    const importing = left.filter((file) => targets.has(file));
    const known = new Set(importing);
    left = importing.filter((file) => imports.get(file)?.some((target) => known.has(target)));
  }
  return left;
}

function readSource(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

function stripComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
