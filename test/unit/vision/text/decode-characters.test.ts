import { expect, it } from 'vitest';
import { decodeCharacters } from '../../../../src/vision/text/decode-characters.ts';

const CHARACTERS = ['A', 'B', '8'];
/** A row per step: probabilities of the blank, A, B and 8. */
const rows = (...steps: readonly (readonly number[])[]) => Float32Array.from(steps.flat());
const decode = (scores: Float32Array, alphabet = 'AB8') =>
  decodeCharacters(scores, CHARACTERS, new Set(alphabet));

it('characters that repeat without a blank are one, as certain as its best step', () => {
  const scores = rows(
    [0.1, 0.6, 0.3, 0],
    [0.1, 0.9, 0, 0],
    [0.9, 0.1, 0, 0],
    [0.2, 0.8, 0, 0],
    [0, 0, 0.5, 0.4],
  );
  const { text, certainty } = decode(scores);
  expect(text).toBe('AAB');
  expect(certainty.map((one) => Number(one.toFixed(2)))).toEqual([0.9, 0.8, 0.5]);
});

it('characters outside the alphabet do not compete', () => {
  expect(decode(rows([0.1, 0, 0.5, 0.4]), 'A8').text).toBe('8');
});

it('characters of an empty strip are none', () => {
  expect(decode(rows([0.9, 0.1, 0, 0]))).toEqual({ text: '', certainty: [] });
});
