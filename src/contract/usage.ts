import { Type } from '../lib/type.ts';

const Day = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    examples: ['2026-01-31', '2026-01-30', '2026-02-28'],
    description,
  });

export const UsageQuerySchema = Type.Object({
  from: Type.Optional(Day('First day (UTC); default: 29 days before the last.')),
  to: Type.Optional(Day('Last day (UTC); default: today.')),
});

const Work = {
  inspections: Type.Integer({ minimum: 0, description: 'Visual inspections with a result.' }),
  photos: Type.Integer({ minimum: 0, description: 'Photos of those.' }),
  failed: Type.Integer({ minimum: 0, description: 'Visual inspections that ended without a result.' }),
  assessments: Type.Integer({ minimum: 0, description: 'Damage assessments.' }),
};

export const UsageSchema = Type.Object({
  from: Day('First day.'),
  to: Day('Last day.'),
  days: Type.Array(Type.Object({ date: Day('The day (UTC).'), ...Work }), {
    description: 'Every day of the range, oldest first. Work that is deleted later still counts.',
  }),
  totals: Type.Object(Work),
});
