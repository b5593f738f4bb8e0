import type { Result } from '../../../src/contract/result.ts';
import { listAnswerSections } from '../../../src/report/content/answer.ts';
import { formatMarkdown } from '../../../src/report/formats/markdown.ts';
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { NO_PICTURES, type ReportPictures } from '../../../src/report/pictures.ts';
import { renderTerminal } from '../../../src/report/text/terminal.ts';
import { generatedAt, render } from './read-pdf.ts';
import { ONE_PIXEL } from './report-pictures.ts';

const BLURRED =
  'Number plates that a model found are made unrecognizable in the pictures of this report. The model misses some plates, and faces were not looked for.';

/** A pixel for each photo, because a photo says of itself that it has no picture. */
export function withPixels({ inspection }: Result): ReportPictures {
  const pixel = { jpeg: ONE_PIXEL, width: 1, height: 1 };
  const photos = new Map(inspection?.data.images.map(({ index }) => [index, pixel]));
  return { ...NO_PICTURES, photos, redaction: BLURRED };
}

/** Returns the text of a page, with a bar between elements. */
export const stripMarkup = (html: string) =>
  html
    .replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, ' | ')
    .replace(/<[^>]+>/g, ' | ')
    .replaceAll('&#39;', "'");

/** Returns what people read of a result, by output; `pdf` is the text of its PDF, if it is known. */
export async function readOutputs(input: Result, pdf?: string) {
  const print = (verbose: boolean) =>
    renderTerminal(listAnswerSections(input, { verbose }), { color: 0, columns: 400 });
  return {
    terminal: print(false),
    verbose: print(true),
    markdown: formatMarkdown(input, { failOn: 'none' }).replaceAll('\\', ''),
    html: stripMarkup(renderHtml(input, withPixels(input), { generatedAt })),
    pdf: pdf ?? (await render(input, 'A4', withPixels(input))).text,
  };
}

/** Words of a sentence, and of a run without a full stop: names, cells and heads of tables are shorter. */
const LEAST = { sentence: 5, run: 10 } as const;

/** Each way of repair gives its own reason, and each damage its own remark. */
const OWN = /Not chosen: |^Molding torn off/;

/** Returns the sentences and the long runs of words that a text has more than once. */
export function listSaidTwice(text: string): readonly string[] {
  const words = (part: string) => part.split(/[\s,;]+/).filter((word) => /\p{L}/u.test(word));
  const plain = text.replace(/[*\\]|<\/?sub>/g, ' ');
  const sentences = plain
    .split(/(?<=[a-z)%][.?!])\s+|[|\n]/)
    .map((one) => one.replace(/\s+/g, ' ').replace(/^- /, '').trim())
    .filter((one) => /[.?!]$/.test(one) && !OWN.test(one) && words(one).length >= LEAST.sentence);
  const runs = plain.split(/[^\p{L}\s,;'’-]/u).flatMap((part) => {
    const all = words(part);
    const found = all.slice(LEAST.run - 1).map((_, at) => all.slice(at, at + LEAST.run).join(' '));
    // Cells next to each other begin with capitals.
    return found.filter((one) => !/ \p{Lu}/u.test(one));
  });
  return [sentences, runs].flatMap((all) => [...new Set(all.filter((one, at) => all.indexOf(one) !== at))]);
}
