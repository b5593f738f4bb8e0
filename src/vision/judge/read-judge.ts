import { Field } from '../../lib/field.ts';
import { EVIDENCE, FIRST_EVIDENCE } from './evidence.ts';
import type { Judge, Judges } from './judge.ts';

/**
 * Reads the judge's weights, trusting nothing in them. `document` is the file's path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the field at fault.
 */
export function parseJudges(text: string, document: string): Judges {
  const root = Field.parse(text, {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or write the file again with `vehi models fit`.',
  });
  root.get('schema_version').oneOf([2]);
  const first = readJudge(root.get('first'), FIRST_EVIDENCE);
  const second = root.get('second');
  return second.present ? { first, second: readJudge(second, EVIDENCE) } : { first };
}

function readJudge(field: Field, names: readonly string[]): Judge {
  const terms = field.get('terms').list(names.length, names.length);
  return {
    intercept: field.get('intercept').number(-1000, 1000),
    terms: names.map((name, at) => {
      const term = terms[at] as Field;
      term.get('name').oneOf([name]);
      return {
        mean: term.get('mean').number(-1000, 1000),
        deviation: term.get('deviation').number(1e-6, 1000),
        weight: term.get('weight').number(-1000, 1000),
      };
    }),
  };
}
