import { Field } from '../../lib/field.ts';
import { EVIDENCE } from './evidence.ts';
import type { Judge } from './judge.ts';

/**
 * Reads the judge's weights, trusting nothing in them. `document` is the file's path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the field at fault.
 */
export function parseJudge(text: string, document: string): Judge {
  const root = Field.parse(text, {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or write the file again with `vehi models fit`.',
  });
  root.get('schema_version').oneOf([1]);
  const terms = root.get('terms').list(EVIDENCE.length, EVIDENCE.length);
  return {
    intercept: root.get('intercept').number(-1000, 1000),
    terms: EVIDENCE.map((name, at) => {
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
