import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * The published schema of SARIF 2.1.0 as Microsoft packs it for npm. It is of draft 4; without its `$schema` and `id`
 * nothing in it differs from what ajv knows.
 */
export function readSarifSchema(): object {
  const path = createRequire(import.meta.url).resolve(
    '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  );
  const { $schema, id, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  return schema;
}
