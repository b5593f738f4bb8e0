import { describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { createResults } from '../../../src/engine/inspect/results.ts';
import { formatGithub } from '../../../src/report/formats/github.ts';
import { formatMarkdown } from '../../../src/report/formats/markdown.ts';
import { listFigures, writeVerdictTitle } from '../../../src/report/headline.ts';
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { exampleGrounds } from '../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { divide } from '../../helpers/results/two-vehicles.ts';

const settled = exampleInspection({ damages: 2, photos: 4 });
const open = exampleInspection({ damages: 0, photos: 4, toCheck: 2 });
const several = divide(exampleInspection({ damages: 2, photos: 4 }));
const vague = gradeAgain(exampleInspection({ damages: 0, photos: 0, toCheck: 2 }));

function gradeAgain(envelope: InspectionEnvelope): InspectionEnvelope {
  const { images, results } = envelope.data;
  const grounds = exampleGrounds(images, results?.to_check);
  const graded = createResults(results?.damages ?? [], results?.to_check ?? [], grounds);
  return { ...envelope, data: { ...envelope.data, results: graded } };
}

const options = { failOn: 'none' } as const;
const PRINT: Readonly<Record<string, (inspection: InspectionEnvelope) => string>> = {
  table: (inspection) => printAnswer({ inspection }),
  markdown: (inspection) => formatMarkdown({ inspection, assessment: null }, options),
  github: (inspection) => formatGithub({ inspection, assessment: null }, options),
  html: (inspection) =>
    renderHtml({ inspection, assessment: null }, NO_PICTURES, { generatedAt: new Date(0) }),
};

describe('the figures', () => {
  const figures = (inspection: InspectionEnvelope) => {
    const listed = listFigures({ inspection, assessment: null });
    return listed.map(({ label, value, note }) => `${label}: ${value}, ${note}`);
  };

  test('are repair, damage and check, in this order', () => {
    expect(figures(exampleInspection({ damages: 2, photos: 4, toCheck: 2 }))).toEqual([
      expect.stringMatching(/^Repair: about \$[\d,]+, up to \$[\d,]+$/),
      expect.stringMatching(/^Damage: 2 on [12] parts?, grade /),
      expect.stringMatching(/^Check: 2 places, then \$[\d,]+, /),
    ]);
  });

  test('name no later price that reads like the one now', () => {
    const close = exampleInspection({ damages: 2, photos: 4, toCheck: 2 });
    const { results } = close.data;
    if (results) results.if_all_confirmed.estimated = results.repair_cost.estimated + 0.01;
    expect(figures(close).at(-1)).toBe('Check: 2 places, ');
  });

  test('have no price where no damage is confirmed', () => {
    expect(figures(open)).toEqual([
      expect.stringMatching(
        /^Damage: none confirmed, grade \d+(\.\d)?, (excellent|good); (fair|poor|critical) if all to check is real$/,
      ),
      expect.stringMatching(/^Check: 2 places/),
    ]);
  });

  test.each([
    ['every_side_seen', 'Check: nothing, '],
    ['too_little_seen', 'Check: what no photo shows, '],
  ] as const)('%s: say what is left to check where no place is', (code, said) => {
    const close = structuredClone(exampleInspection({ damages: 1, photos: 1 }));
    if (close.data.results) close.data.results.grade_basis.code = code;
    expect(figures(close).at(-1)).toBe(said);
  });
});

describe.each(Object.keys(PRINT))('the headline as %s', (name) => {
  const print = (inspection: InspectionEnvelope) => PRINT[name]?.(inspection) ?? '';

  test('names what the grade becomes where its word changes, and only there', () => {
    expect(print(open).replace(/\s+/g, ' ')).toMatch(
      /(fair|poor|critical) if (all|the places?) to check (is|are) real/i,
    );
    expect(print(settled)).not.toMatch(/if (all|the places?) to check/);
    expect(print(open)).not.toMatch(/at best|is confirmed|no damage found/i);
  });

  test('counts vehicles, and has no grade at all where too little is seen', () => {
    expect(print(several).replace(/\s+/g, ' ')).toMatch(/2 vehicles/i);
    expect(print(vague)).toMatch(/no grade/i);
  });
});

test.each([
  ['settled', settled, /^(Good|Fair|Poor|Critical) \d\.\d\/10$/],
  ['places to check', open, /^(Excellent|Good) \d+\.\d\/10$/],
  ['several vehicles', several, /^2 vehicles$/],
  ['too little seen', vague, /^No grade$/],
])('the verdict on a page: %s', (_, { data }, words) => {
  expect(data.results && writeVerdictTitle(data.results)).toMatch(words);
});
