/**
 * Cost of assessments: 1,000 damages in ten full requests, in milliseconds, first run (cold) and best of five (warm).
 * Prints one JSON document; not a test. Run with `npx tsx test/bench/assess.ts`.
 */
import { performance } from 'node:perf_hooks';
import { DAMAGE_TYPES, SEVERITIES } from '../../src/domain/damage.ts';
import { PART_NAMES } from '../../src/domain/parts.ts';
import { assessed } from '../helpers/pricing/assessments.ts';

const request = {
  damages: Array.from({ length: 100 }, (_, i) => ({
    damage_id: `d${i}`,
    type: DAMAGE_TYPES[i % DAMAGE_TYPES.length],
    location: PART_NAMES[(i * 7) % PART_NAMES.length],
    severity: SEVERITIES[i % SEVERITIES.length],
  })),
};

function thousand(): number {
  const started = performance.now();
  for (let i = 0; i < 10; i++) assessed(request);
  return performance.now() - started;
}

const [cold = 0, ...warm] = Array.from({ length: 6 }, thousand);
const whole = (ms: number) => Math.round(ms);
process.stdout.write(
  `${JSON.stringify({ damages: 1000, cold_ms: whole(cold), warm_ms: whole(Math.min(...warm)) })}\n`,
);
