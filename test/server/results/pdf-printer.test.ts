import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { renderPdf } from '../../../src/report/pdf/pdf-report.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { createPdfPrinter } from '../../../src/server/pdf/printer.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const order = {
  input: { inspection: exampleInspection(), assessment: null },
  pictures: NO_PICTURES,
  options: { pageSize: 'A4', generatedAt: new Date('2026-01-31T12:00:00Z') },
} as const;
// A thread takes a second to start.
const printer = createPdfPrinter();
afterAll(() => printer.close());

/** A thread that ends at its first message, or answers every one with a failure. */
const stub = (code: string) => () => new Worker(code, { eval: true });

it('reports of a thread are byte for byte those made here, however many are asked for at once', async () => {
  const here = Buffer.from(await renderPdf(order.input, order.pictures, order.options));
  const made = await Promise.all([1, 2].map(() => printer.print(order)));
  for (const pdf of made) expect(Buffer.from(pdf).equals(here)).toBe(true);
});

it('reports that cannot be made are refused with the reason, and the next is made', async () => {
  const broken = { ...order, input: { inspection: { status: 'success' }, assessment: null } };
  await expect(printer.print(broken as never)).rejects.toThrow(/undefined/);
  expect((await printer.print(order)).length).toBeGreaterThan(1000);
});

it('reports are refused, not waited for, when the thread dies; the next report gets a new thread', async () => {
  let starts = 0;
  const dies = stub(`require('node:worker_threads').parentPort.once('message', () => process.exit(3))`);
  const dying = createPdfPrinter(() => {
    starts++;
    return dies();
  });
  for (const _try of [1, 2]) await expect(dying.print(order)).rejects.toThrow(/ended: code 3/);
  expect(starts).toBe(2);
  await dying.close();
});

it('reports under way at the end are refused', async () => {
  const hanging = createPdfPrinter(stub(`setInterval(() => {}, 1000)`));
  const printed = expect(hanging.print(order)).rejects.toThrow(/ended/);
  await hanging.close();
  await printed;
});
