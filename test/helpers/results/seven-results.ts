import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { failed } from '../reports/read-pdf.ts';
import { exampleInspection } from './example-inspection.ts';
import { ONE, review } from './reviewed-result.ts';

const some = exampleInspection({ damages: 12, photos: 6, toCheck: 4 });
const reviewed = structuredClone(review([{ decision: 'accept', damage_id: ONE }]));
Object.assign(reviewed.data, { ...some.data, ...reviewed.data });

/** Seven results of one vehicle that differ in what must be said of them. */
export const RESULTS: readonly (readonly [string, InspectionEnvelope])[] = [
  ['damages and places to check', some],
  ['one damage', exampleInspection({ damages: 1, photos: 4 })],
  ['places to check only', exampleInspection({ damages: 0, photos: 4, toCheck: 3 })],
  ['nothing found', exampleInspection({ damages: 0, photos: 8 })],
  ['another currency', exampleInspection({ damages: 7, photos: 5, currency: 'JPY' })],
  ['a reviewed result', reviewed],
  ['a failed inspection', failed],
];
