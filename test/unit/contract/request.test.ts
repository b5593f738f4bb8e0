import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { AssessmentRequestSchema } from '../../../src/contract/assessment/request.ts';

const FILE = resolve(import.meta.dirname, '../../../src/contract/assessment/request.json');
/** What a schema says to people: nothing is judged by it. */
const WORDS = ['description', 'examples', 'default'];

/**
 * `vehi assess` judges by this file: loading what makes the schema costs it three times the start of Node. Written by
 * `UPDATE=1 npx vitest run --project unit test/unit/contract`.
 */
it('request.json is the schema of an assessment request', () => {
  const schema = JSON.parse(
    JSON.stringify(AssessmentRequestSchema, (key, value) => (WORDS.includes(key) ? undefined : value)),
  );
  if (process.env.UPDATE) writeFileSync(FILE, print(schema));
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(schema);
});

/** One line per field of the request. */
function print({ properties, ...rest }: { properties: Readonly<Record<string, unknown>> }): string {
  const fields = Object.entries(properties).map(([name, one]) => `"${name}": ${JSON.stringify(one)}`);
  return `${JSON.stringify(rest).slice(0, -1)}, "properties": {\n${fields.join(',\n')}\n}}\n`;
}
