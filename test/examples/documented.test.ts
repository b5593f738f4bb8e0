import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../helpers/cli/run-cli.ts';

test('the example in the documentation is the one that is run here', () => {
  const example = readFileSync(resolve(import.meta.dirname, 'client.test.ts'), 'utf8');
  expect(readFileSync(resolve(ROOT, 'docs/using/serve.md'), 'utf8')).toContain(
    `\`\`\`ts\n${example}\`\`\`\n`,
  );
});
