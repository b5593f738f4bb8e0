import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** British spellings of words that the product uses, which has the American ones, as its contract. */
const BRITISH = new RegExp(
  `\\b(?:${[
    '(?:un)?(?:recogn|organ|normal|summar|local|serial|initial|optim|minim|maxim|author|standard|util|visual|emphas)is(?:e|ed|es|ing|able|ation)',
    '(?:centi|milli|kilo)?metres?',
    'analys(?:e|ed|ing)',
    'labour|(?:colour|neighbour|favour|honour|behaviour)(?:s|ed|ing)?|odometre',
    'tyres?|mouldings?|judgements?|licences?|catalogues?|artefacts?|centres?|grey(?:s|scale)?|aluminium|oxidised',
    '(?:un)?(?:labell|modell|cancell|travell)(?:ed|ing)',
  ].join('|')})\\b`,
  'gi',
);

const listFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-z', ...patterns], { encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

/** Parts of a text that name something as it is spelled elsewhere: code, fields, files, addresses. */
const NAMES =
  /```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|'[\w.]+'|"[\w.]+"|[\w]+_[\w]+|\S+\/\S+|\S+\.\w{2,4}\b/g;
const findBritish = (text: string) => text.replace(NAMES, ' ').match(BRITISH) ?? [];

/** Sentences among the string literals of a source file; a literal of one word is a code. */
function listSentences(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g, '');
  const literals = code.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g) ?? [];
  return literals
    .map((text) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, ' '))
    .filter((text) => /\w \w/.test(text));
}

it('documents are in American spelling', () => {
  const files = listFiles('*.md').filter((file) => !file.startsWith('test/'));
  expect(files.length).toBeGreaterThan(10);
  expect(
    files.flatMap((file) => findBritish(readFileSync(file, 'utf8')).map((word) => [file, word])),
  ).toEqual([]);
});

it('what the product says is in American spelling', () => {
  const found = listFiles('src/*.ts', 'src/*.tsx').flatMap((file) =>
    listSentences(readFileSync(file, 'utf8')).flatMap((text) =>
      findBritish(text).map((word) => [file, word, text]),
    ),
  );
  expect(found).toEqual([]);
});

/** Names of line items, which estimates print as words; `aluminium` stands for the department and the material alone. */
it('the price tables name line items in American spelling', () => {
  const files = listFiles('src/pricing/data/*.json');
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/"(?:part|component|consumable)": "([^"]+)"/g)].flatMap(
      ([, code = '']) => findBritish(code.replaceAll('_', ' ')).map((word) => [file, word, code]),
    ),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

it('the tables say what they say in American spelling', () => {
  const found = listFiles('src/*/data/*.json')
    // The words in which a user may name a view.
    .filter((file) => !file.endsWith('angle-words.json'))
    .flatMap((file) => {
      // The English texts of the translations are the keys of their rows.
      const isText = file.endsWith('translations.json') ? /"(?:\\.|[^"\\])*"(?=: \[)/g : /"(?:\\.|[^"\\])*"/g;
      const sentences = (readFileSync(file, 'utf8').match(isText) ?? []).filter((text) => /\w \w/.test(text));
      return sentences.flatMap((text) => findBritish(text).map((word) => [file, word, text]));
    });
  expect(found).toEqual([]);
});
