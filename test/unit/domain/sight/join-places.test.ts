import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinPlaces } from '../../../../src/domain/sight/join-places.ts';
import type { Cluster } from '../../../../src/domain/sight/merge-across-photos.ts';
import type { Observation } from '../../../../src/domain/sight/observation.ts';
import { DENT } from '../../../helpers/results/observed-dent.ts';

const at = (x: number, width: number, more: Partial<Observation> = {}): Cluster => [
  { ...DENT, part: 'hood', severityScore: 4, box: { x, y: 0, width, height: 100 }, ...more },
];
/** The places by the indices of their clusters, the leading one first: `10 2`. */
const names = (clusters: readonly Cluster[]) =>
  joinPlaces(clusters)
    .map(({ head, joined }) => [head, ...joined].map((one) => clusters.indexOf(one)).join(''))
    .join(' ');

const scratch = { type: 'scratch', severityScore: 3 } as const;
const roof = { part: 'roof' } as const;
const unsure = { isCertain: false, confidence: 0.4 };
const surer = { ...unsure, confidence: 0.5 };
const repeated = at(10, 50, surer);
const elsewhere = at(200, 50, { ...unsure, photo: 1 });
const onRoof = at(400, 50, { ...unsure, ...roof });
test.each<[string, readonly Cluster[], string]>([
  ['the most severe of two certain finds leads', [at(0, 100, scratch), at(40, 100)], '10'],
  ['less than half of the smaller is another place', [at(0, 100), at(60, 100, scratch)], '0 1'],
  ['other parts are other places', [at(0, 100), at(0, 100, roof)], '0 1'],
  ['other photos are other places', [at(0, 100), at(0, 100, { photo: 1, ...scratch })], '0 1'],
  ['certain leads, even less severe', [at(0, 200, { ...unsure, severityScore: 9 }), at(0, 60)], '10'],
  ['a chain is not one', [at(0, 100), at(45, 100, scratch), at(90, 100, { severityScore: 2 })], '01 2'],
  ['a possible find repeats a joined one', [at(0, 100), at(45, 100, scratch), at(95, 50, unsure)], '012'],
  ['a possible find well inside, of another part', [at(0, 200), at(10, 50, { ...unsure, ...roof })], '01'],
  ['a certain one there', [at(0, 200), at(10, 50, { ...roof, severityScore: 2 })], '0 1'],
  ['possible ones of a part, wherever they are', [at(0, 50, unsure), elsewhere, onRoof], '01 2'],
  ['each what it overlaps', [at(0, 100), at(300, 100, scratch), repeated, at(310, 50, unsure)], '02 13'],
  ['a possible find apart is a row', [at(0, 100), repeated, at(300, 50, unsure)], '01 2'],
  ['the likelier possible one leads', [at(0, 100, unsure), at(20, 100, surer)], '10'],
])('%s', (_, clusters, places) => {
  expect(names(clusters)).toBe(places);
});

const found = fc
  .record({
    photo: fc.nat(2),
    isCertain: fc.boolean(),
    part: fc.constantFrom('hood', 'roof') as fc.Arbitrary<'hood'>,
    type: fc.constantFrom('dent', 'scratch') as fc.Arbitrary<'dent'>,
    confidence: fc.integer({ min: 1, max: 99 }).map((one) => one / 100),
    severityScore: fc.integer({ min: 0, max: 100 }).map((one) => one / 10),
    x: fc.nat(300),
    width: fc.integer({ min: 10, max: 200 }),
  })
  .map(({ x, width, ...more }) => at(x, width, more));

test('every find is in one place, and the order does not matter', () => {
  fc.assert(
    fc.property(fc.array(found, { maxLength: 12 }), (clusters) => {
      const places = joinPlaces(clusters);
      const all = places.flatMap(({ head, joined }) => [head, ...joined]);
      expect(new Set(all)).toEqual(new Set(clusters));
      expect(all).toHaveLength(clusters.length);
      expect(joinPlaces([...clusters].reverse())).toEqual(places);
      for (const { head, joined } of places)
        if (joined.some(([one]) => one.isCertain)) expect(head[0].isCertain).toBe(true);
    }),
    { numRuns: 200 },
  );
});
