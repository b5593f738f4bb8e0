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

/** The British words in what is read from files. */
function search(files: readonly string[], listTexts: (content: string, file: string) => readonly string[]) {
  expect(files.length).toBeGreaterThan(5);
  return files.flatMap((file) =>
    listTexts(readFileSync(file, 'utf8'), file).flatMap((text) =>
      findBritish(text).map((word) => [file, word, text.slice(0, 200)]),
    ),
  );
}

it('documents are in American spelling', () => {
  const files = listFiles('*.md').filter((file) => !file.startsWith('test/'));
  expect(search(files, (content) => [content])).toEqual([]);
});

it('what the product says is in American spelling', () => {
  expect(search(listFiles('src/*.ts', 'src/*.tsx'), listSentences)).toEqual([]);
});

/** Names of line items, which estimates print as words; `aluminium` stands for the department and the material alone. */
it('the price tables name line items in American spelling', () => {
  const names = /(?<="(?:part|component|consumable)": ")[^"]+/g;
  const listNames = (content: string) => content.replaceAll('_', ' ').match(names) ?? [];
  expect(search(listFiles('src/pricing/data/*.json'), listNames)).toEqual([]);
});

it('the tables say what they say in American spelling', () => {
  // The words in which a user may name a view.
  const files = listFiles('src/*/data/*.json').filter((file) => !file.endsWith('angle-words.json'));
  const listTexts = (content: string, file: string) => {
    // The English texts of the translations are the keys of their rows.
    const isText = file.endsWith('translations.json') ? /"(?:\\.|[^"\\])*"(?=: \[)/g : /"(?:\\.|[^"\\])*"/g;
    return (content.match(isText) ?? []).filter((text) => /\w \w/.test(text));
  };
  expect(search(files, listTexts)).toEqual([]);
});
