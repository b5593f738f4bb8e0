import { describe, expect, test } from 'vitest';
import { REPAIR_TYPE_VALUES } from '../../../src/contract/assessment-values.ts';
import { humanise, repairWords } from '../../../src/report/words.ts';

describe('words of a report', () => {
  test.each([
    ['cosmetic', 'Cosmetic repair'],
    ['pdr', 'Paintless dent repair'],
    ['panel_repair', 'Panel repair'],
    ['replacement', 'Replacement'],
    ['structural', 'Structural repair'],
  ])('%s is said as "%s"', (type, words) => {
    expect(REPAIR_TYPE_VALUES).toContain(type);
    expect(repairWords(type)).toBe(words);
  });

  test('a type that is not known is spelled out', () => {
    expect(repairWords('spot_repair')).toBe('Spot repair');
    expect(humanise('pdr_and_paint')).toBe('PDR and paint');
  });
});
