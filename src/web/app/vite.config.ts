import { defineConfig } from 'vite';
import { SEVERITIES } from '../../domain/damage.ts';
import { LOOKS } from '../../domain/looks.ts';

/** The colours of the severities, as reports and annotated photos have them. */
const SEVERITY_CSS = SEVERITIES.map(
  (name) => `.${name}{--severity:${LOOKS[name].fill};--on-severity:${LOOKS[name].text}}`,
).join('');

/** The page of the service; relative addresses, so that it works behind any prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  plugins: [
    {
      name: 'severity-colours',
      resolveId: (id) => (id === 'virtual:severity.css' ? id : undefined),
      load: (id) => (id === 'virtual:severity.css' ? SEVERITY_CSS : undefined),
    },
  ],
  build: {
    outDir: '../../../dist/app',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
