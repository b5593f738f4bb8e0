import type { TextLine } from '../../domain/vehicle/read-numbers.ts';

/**
 * Decodes the rows of a recognition model greedily (connectionist temporal classification): repeats are one character,
 * the blank separates. Only characters of `alphabet` and the blank compete, so impossible ones are never read.
 * @param scores one row of probabilities per step, of the blank and each of `characters`
 */
export function decodeCharacters(
  scores: Float32Array,
  characters: readonly string[],
  alphabet: ReadonlySet<string>,
): TextLine {
  const classes = characters.length + 1;
  const allowed = [0, ...characters.flatMap((character, at) => (alphabet.has(character) ? [at + 1] : []))];
  let text = '';
  const certainty: number[] = [];
  let previous = 0;
  for (let row = 0; row + classes <= scores.length; row += classes) {
    const best = allowed.reduce((first, other) =>
      (scores[row + other] as number) > (scores[row + first] as number) ? other : first,
    );
    const score = scores[row + best] as number;
    if (best !== 0 && best === previous)
      certainty[certainty.length - 1] = Math.max(certainty.at(-1) as number, score);
    else if (best !== 0) {
      text += characters[best - 1];
      certainty.push(score);
    }
    previous = best;
  }
  return { text, certainty };
}
