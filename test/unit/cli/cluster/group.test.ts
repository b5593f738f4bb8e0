import { expect, it } from 'vitest';
import type { Child } from '../../../../src/cli/cluster/child.ts';
import { createGroup, type Part } from '../../../../src/cli/cluster/group.ts';
import { VehiError } from '../../../../src/lib/errors.ts';

/** A part whose programs do nothing until `end` says how the last one ended. */
function fakePart(name: string, order: number, answersTo: readonly NodeJS.Signals[], log: string[] = []) {
  let starts = 0;
  let end: (how: string) => void = () => undefined;
  const part: Part = {
    name,
    order,
    endBy: 'SIGTERM',
    graceMs: 20,
    async start(onSpawn) {
      starts++;
      const ended = new Promise<string>((done) => {
        end = done;
      });
      const child: Child = {
        name,
        line: new Promise(() => undefined),
        ended,
        signal(signal) {
          log.push(`${name} ${signal}`);
          if (answersTo.includes(signal)) end(signal);
        },
        failure: (how) => new VehiError('engine', 'CLUSTER_PART_FAILED', `${name} ended (${how})`),
      };
      onSpawn(child);
    },
  };
  return { part, end: (how: string) => end(how), starts: () => starts };
}

const never = new Promise<void>(() => undefined);
const noPause = { pauseMs: 0 };

it('starts a program again that ended, and says so', async () => {
  const said: string[] = [];
  const group = createGroup((text) => said.push(text), noPause);
  const { part, end, starts } = fakePart('worker 1', 1, ['SIGTERM']);
  await group.add(part);
  end('SIGKILL');
  await expect.poll(starts).toBe(2);
  await expect
    .poll(() => said)
    .toEqual(['worker 1 ended (SIGKILL); it is started again', 'worker 1 runs again']);
  await group.end(never);
});

it('gives up on a program that ends again and again', async () => {
  const group = createGroup(() => undefined, noPause);
  const { part, end, starts } = fakePart('API', 1, ['SIGTERM']);
  await group.add(part);
  for (let ends = 1; ends <= 5; ends++) {
    await expect.poll(starts).toBe(ends);
    end('exit code 1');
  }
  await expect(group.failed).rejects.toThrow('API ended (exit code 1)');
});

it('ends programs before those that they need, and kills what does not end in time', async () => {
  const log: string[] = [];
  const group = createGroup(() => undefined, noPause);
  const database = fakePart('PostgreSQL', 2, ['SIGTERM', 'SIGKILL'], log);
  const deaf = fakePart('worker 1', 1, ['SIGKILL'], log);
  await group.add(database.part);
  await group.add(deaf.part);
  await group.end(never);
  expect(log.filter((line) => !line.startsWith('PostgreSQL SIGKILL'))).toEqual([
    'worker 1 SIGTERM',
    'worker 1 SIGKILL',
    'PostgreSQL SIGTERM',
  ]);
  expect(deaf.starts()).toBe(1);
});

it('waits for nobody when there is hurry', async () => {
  const log: string[] = [];
  const group = createGroup(() => undefined, noPause);
  const slow = fakePart('worker 1', 1, ['SIGKILL'], log);
  await group.add({ ...slow.part, graceMs: 1_000_000 });
  await group.end(Promise.resolve());
  expect(log).toEqual(['worker 1 SIGTERM', 'worker 1 SIGKILL']);
});
