import { describe, expect, test } from 'vitest';
import { REPAIR_TYPES } from '../../../src/domain/repair.ts';
import { humanise, repairWords } from '../../../src/report/words.ts';

describe('words of a report', () => {
  const rows = [
    ['cosmetic', 'Cosmetic repair'],
    ['pdr', 'Paintless dent repair'],
    ['panel_repair', 'Panel repair'],
    ['replacement', 'Replacement'],
    ['structural', 'Structural repair'],
  ] as const;

  test.each(rows)('%s is called "%s"', (type, words) => {
    expect(repairWords(type)).toBe(words);
  });

  test('every repair type of the contract is in the table above', () => {
    expect(rows.map(([type]) => type).sort()).toEqual([...REPAIR_TYPES].sort());
  });

  test('a type that is not known is spelled out', () => {
    expect(repairWords('spot_repair')).toBe('Spot repair');
    expect(humanise('pdr_and_paint')).toBe('PDR and paint');
  });
});
