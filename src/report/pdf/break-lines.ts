/** Measures the width of a text in points. */
export type Measure = (text: string) => number;

/**
 * Breaks text into lines no wider than `width` points, between words. Breaks a word wider than a line (file name, id)
 * after a separator near its end, otherwise anywhere. Never returns an empty list.
 */
export function breakLines(text: string, width: number, measure: Measure): string[] {
  const space = measure(' ');
  // Measured with its space, because pdfkit then finds the word in its cache as it will be drawn.
  const wordWidth = (word: string) => measure(`${word} `) - space;
  const lines: string[] = [];
  let line = '';
  // Word widths are summed, because shaping every line prefix again would dominate the report's time.
  let used = 0;
  for (const { text: word, glued } of text.split(' ').flatMap((one) => splitWord(one, width, wordWidth))) {
    const wide = wordWidth(word);
    if (line !== '' && !glued && used + space + wide <= width) {
      line += ` ${word}`;
      used += space + wide;
    } else {
      if (line !== '') lines.push(line);
      line = word;
      used = wide;
    }
  }
  lines.push(line);
  return lines;
}

interface Piece {
  readonly text: string;
  /** True if the piece continues the previous one, and therefore starts a new line. */
  readonly glued: boolean;
}

function splitWord(word: string, width: number, measure: Measure): Piece[] {
  const found: Piece[] = [];
  let rest = Array.from(word);
  const measureFirst = (count: number) => measure(rest.slice(0, count).join(''));
  do {
    let fits = rest.length;
    for (let wide = measureFirst(fits); fits > 1 && wide > width; wide = measureFirst(fits))
      fits = Math.max(1, Math.min(fits - 1, Math.floor((fits * width) / wide) + 1));
    if (fits < rest.length) fits = findSeparatorBreak(rest, fits);
    found.push({ text: rest.slice(0, fits).join(''), glued: found.length > 0 });
    rest = rest.slice(fits);
  } while (rest.length > 0);
  return found;
}

function findSeparatorBreak(characters: readonly string[], fits: number): number {
  for (let at = fits; at > fits * 0.6; at--) {
    if (/[/_.\-\\:]/.test(characters[at - 1] ?? '')) return at;
  }
  return fits;
}

/** Cuts text to one line of at most `width`, with an ellipsis if it is cut. */
export function fitLine(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  const characters = Array.from(text);
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${characters.slice(0, middle).join('')}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}
