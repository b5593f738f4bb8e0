import { defineConfig } from 'vite';

/** Modules that start by themselves: the command line, the library, and what runs in a thread or a process of its own. */
const ENTRIES = [
  'index',
  'cli/main',
  'cli/service/photo-child',
  'images/read/heic-worker',
  'server/pdf/worker',
  'vision/run/worker',
];

/** Packages that stay in node_modules: native, large and seldom needed, or with files of their own. */
const EXTERNAL = [
  '@fastify/static',
  '@fastify/swagger-ui',
  '@photostructure/sqlite',
  'bullmq',
  'conf',
  'dejavu-fonts-ttf',
  'inquirer',
  'libheif-js',
  'onnxruntime-node',
  'ora',
  'pdfkit',
  'pg',
  's3mini',
  'sharp',
];

/**
 * The package as it is installed: one file per command and per part that several share, with the small packages in them.
 * Node spends a millisecond on each file it opens, and a schema library alone has hundreds.
 */
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  ssr: { target: 'node', noExternal: true, external: EXTERNAL },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    license: { fileName: 'THIRD-PARTY.md' },
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
