import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

/**
 * A new file with the published schema of Ant's JUnit reports (Windy Road Technology, Apache-2.0), which the package
 * junit-xml carries as a text of its tests. No package on npm has it as a file without bringing a test runner along.
 */
export function writeJunitSchema(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('junit-xml/package.json'));
  const source = readFileSync(join(folder, 'src/index.test.ts'), 'utf8');
  const schema = /const antJunitSchema = '([\s\S]*?)';/.exec(source)?.[1];
  if (schema === undefined) throw new Error('junit-xml has no schema in its tests any more');
  const file = join(makeOwnFolder('junit'), 'junit.xsd');
  writeFileSync(file, schema);
  return file;
}
