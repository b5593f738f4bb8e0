import { pino } from 'pino';
import { expect, it } from 'vitest';
import { withLazyChildren } from '../../src/server/http/request-log.ts';

it('writes what a log writes, and makes a child with its bindings at its first line', () => {
  const lines: string[] = [];
  let made = 0;
  const onChild = () => void made++;
  const log = pino(
    { level: 'trace', base: null, timestamp: false, onChild },
    { write: (line) => lines.push(line) },
  );
  const lazy = withLazyChildren(log);
  const request = lazy.child({ reqId: 'req_1' });
  expect(made).toBe(0);
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
    request[level]({ n: 1 }, level);
  request.child({ part: 'a' }).info('deep');
  lazy.warn('plain');
  expect(made).toBe(2);
  expect([lazy.level, request.level]).toEqual(['trace', 'trace']);
  const numbers = [10, 20, 30, 40, 50, 60];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ...['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((msg, i) => ({
      level: numbers[i],
      reqId: 'req_1',
      n: 1,
      msg,
    })),
    { level: 30, reqId: 'req_1', part: 'a', msg: 'deep' },
    { level: 40, msg: 'plain' },
  ]);
});
