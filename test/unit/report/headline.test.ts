import { describe, expect, test } from 'vitest';
import { renderInspectionTable } from '../../../src/cli/tables/inspection-table.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { createResults } from '../../../src/engine/inspect/results.ts';
import { describePriceIfConfirmed, writeVerdictTitle } from '../../../src/report/headline.ts';
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { FORMATTERS } from '../../helpers/reports/formatters.ts';
import { exampleGrounds } from '../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const settled = exampleInspection({ damages: 2, photos: 4 });
const open = exampleInspection({ damages: 0, photos: 4, toCheck: 2 });
const mixed = withVehicles(exampleInspection({ damages: 2, photos: 4 }), 3);
const vague = withVehicles(exampleInspection({ damages: 0, photos: 0, toCheck: 2 }), 1);

function withVehicles(envelope: InspectionEnvelope, vehicles: number): InspectionEnvelope {
  const { images, results } = envelope.data;
  const grounds = { ...exampleGrounds(images, results?.to_check), vehicles };
  const graded = createResults(results?.damages ?? [], results?.to_check ?? [], grounds);
  return { ...envelope, data: { ...envelope.data, results: graded } };
}

const options = { failOn: 'none' } as const;
const PRINT: Readonly<Record<string, (inspection: InspectionEnvelope) => string>> = {
  table: (inspection) => renderInspectionTable(inspection, { colour: 0, columns: 80, quiet: false }),
  markdown: (inspection) => FORMATTERS.markdown({ inspection, assessment: null }, options),
  github: (inspection) => FORMATTERS.github({ inspection, assessment: null }, options),
  html: (inspection) =>
    renderHtml({ inspection, assessment: null }, NO_PICTURES, { generatedAt: new Date(0) }),
};

test.each([
  ['nothing to check', settled, null],
  ['only places to check', open, 'If all to check is confirmed, repair as one job, standard car'],
  [
    'both',
    exampleInspection({ damages: 2, photos: 4, toCheck: 2 }),
    'If all to check is confirmed, repair as one job',
  ],
])('the class of the vehicle is named once: %s', (_, { data }, label) => {
  expect(describePriceIfConfirmed(data)?.label ?? null).toBe(label);
});

describe.each(Object.keys(PRINT))('the headline as %s', (name) => {
  const print = (inspection: InspectionEnvelope) => PRINT[name]?.(inspection) ?? '';

  test('gives the grade at best, and both ends of it, while places are to check', () => {
    const text = print(open).replace(/\s+/g, ' ');
    expect(text).toMatch(/at best (excellent|good)/i);
    expect(text).toMatch(
      /(Excellent|Good) \d+\.\d\/10 if none of the 2 places to check is confirmed, (fair|poor|critical) \d\.\d\/10 if all are/,
    );
    expect(text).toMatch(
      /no damage is certain on the parts seen \(8 of 23\); 2 places to check are not in the grade; /i,
    );
    expect(text).not.toMatch(/no damage found/i);
  });

  test('leaves nothing open where nothing is to check', () => {
    expect(print(settled)).not.toMatch(/at best \w+|to check is (not )?confirmed|what look like/i);
  });

  test('says that it mixes vehicles, without the words of a command', () => {
    expect(print(mixed).replace(/\s+/g, ' ')).toMatch(
      /grade and price mix what look like 3 vehicles: 2 damages/i,
    );
    expect(print(mixed)).not.toContain('--split-vehicles');
  });

  test('has no grade at all where too little is seen', () => {
    const text = print(vague);
    expect(text).toMatch(/no grade/i);
    expect(text).not.toMatch(/at best|check is (not )?confirmed, \w+ \d/i);
  });
});

test.each([
  ['settled', settled, /^(Good|Fair|Poor|Critical) \d\.\d\/10$/],
  ['places to check', open, /^At best (excellent|good) \d+\.\d\/10$/],
  ['several vehicles', mixed, /\/10, 3 vehicles mixed$/],
  ['too little seen', vague, /^No grade$/],
])('the verdict on a page: %s', (_, { data }, words) => {
  expect(data.results && writeVerdictTitle(data.results)).toMatch(words);
});
