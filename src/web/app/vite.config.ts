import { join } from 'node:path';
import { defineConfig } from 'vite';
import { SEVERITIES } from '../../domain/damage.ts';
import { LOOKS } from '../../domain/looks.ts';

/** Leaves out the citations of a table's figures, which no page shows: there, `source` of a row is undefined. */
const removeCitation = (key: string, value: unknown) =>
  key === 'source' && typeof value === 'string' ? undefined : value;

const SEVERITY_CSS = SEVERITIES.map(
  (name) => `.${name}{--severity:${LOOKS[name].fill};--on-severity:${LOOKS[name].text}}`,
).join('');

/** Builds the pages of the service, the app and the phone's, with relative URLs, so they work behind any path prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  plugins: [
    {
      name: 'tables-without-citations',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('.json') ? JSON.stringify(JSON.parse(code, removeCitation)) : undefined,
    },
    {
      name: 'severity-colors',
      resolveId: (id) => (id === 'virtual:severity.css' ? id : undefined),
      load: (id) => (id === 'virtual:severity.css' ? SEVERITY_CSS : undefined),
    },
  ],
  build: {
    outDir: '../../../dist/app',
    rolldownOptions: {
      input: ['index', 'capture'].map((page) => join(import.meta.dirname, `${page}.html`)),
      treeshake: {
        // Leaves out modules whose exports no page uses, such as schemas of the contract.
        moduleSideEffects: (id) => !/\/src\/(contract|domain|lib|report)\//.test(id),
        propertyReadSideEffects: false,
      },
    },
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
