import { expect, test } from 'vitest';
import { isPartName } from '../../../src/domain/parts.ts';

test.each(['constructor', '__proto__', 'toString', 'Hood', 'hood '])('%s is not a part', (name) => {
  expect(isPartName(name)).toBe(false);
});
