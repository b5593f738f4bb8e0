import { expect, test } from 'vitest';
import { describeLeftOut } from '../../../../src/cli/review/left-out.ts';

const OF = {
  findings: [{ damage_id: 'dmg_hood_001', number: 4 }],
  photos: [{ index: 0, url: 'file:///car/a%20b.jpg' }],
};
const IMPOSSIBLE = { reason: 'impossible_type', part: 'windshield', type: 'rust' };
const ofFinding = (decision: string) => ({ decision, damage_id: 'dmg_hood_001' });

const box = { decision: 'add', image_index: 0 };
const AGAIN = 'was left out: refused. No. 4 is open again.';

test.each([
  [
    ofFinding('change'),
    IMPOSSIBLE,
    'The saved change of no. 4 was left out: "Rust" is not possible on "Windshield". No. 4 is open again.',
  ],
  [ofFinding('merge'), undefined, `The saved merge of no. 4 ${AGAIN}`],
  [ofFinding('accept'), undefined, `The saved acceptance of no. 4 ${AGAIN}`],
  [ofFinding('reject'), undefined, `The saved rejection of no. 4 ${AGAIN}`],
  [
    { decision: 'reject', damage_id: 'dmg_roof_001' },
    undefined,
    'The saved rejection was left out: refused.',
  ],
  [
    box,
    { reason: 'photo_unreadable' },
    'The saved box in a%20b.jpg was left out: its photo cannot be read, and no part is named.',
  ],
  [
    box,
    { reason: 'not_on_vehicle' },
    'The saved box in a%20b.jpg was left out: it is not seen to be on the vehicle, and no part is named.',
  ],
  [{ decision: 'nothing_more', image_index: 7 }, undefined, 'The saved tick was left out: refused.'],
  ['nonsense', undefined, 'The saved decision was left out: refused.'],
])('%j refused for %j', (decision, details, message) => {
  const why = 'decisions: [3].damage_id is refused.';
  expect(describeLeftOut({ decision, why, details }, OF).message).toBe(message);
});
