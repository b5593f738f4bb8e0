import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../cli/run-cli.ts';

/** Bundled modules, which start in a third of the processor time that tsx takes. */
export interface Bundle {
  readonly dir: string;
  remove(): void;
}

/** Bundles modules as programs of Node. @param modules paths below the package, without an extension */
export async function bundleProcesses(name: string, modules: readonly string[]): Promise<Bundle> {
  // Below the package, whose data the modules read.
  const dir = join(ROOT, `node_modules/.vite/${name}-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      outDir: dir,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: Object.fromEntries(modules.map((path) => [path, join(ROOT, `${path}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  // A package refers to itself only outside `node_modules`.
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(ROOT, join(dir, 'node_modules/vehi'), 'dir');
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
