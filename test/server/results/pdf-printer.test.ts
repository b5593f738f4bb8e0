import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPdf } from '../../../src/report/pdf/pdf-report.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { createPdfPrinter } from '../../../src/server/pdf/printer.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const order = {
  input: { inspection: exampleInspection(), assessment: null },
  pictures: NO_PICTURES,
  options: { pageSize: 'A4', generatedAt: new Date('2026-01-31T12:00:00Z') },
} as const;
let printer: ReturnType<typeof createPdfPrinter>;
afterEach(() => printer.close());

/** A thread that ends at its first message, or answers every one with a failure. */
const stub = (code: string) => () => new Worker(code, { eval: true });

describe('reports in a thread of their own', () => {
  it('are byte for byte those made here, however many are asked for at once', async () => {
    printer = createPdfPrinter();
    const here = Buffer.from(await renderPdf(order.input, order.pictures, order.options));
    const made = await Promise.all(Array.from({ length: 3 }, () => printer.print(order)));
    for (const pdf of made) expect(Buffer.from(pdf).equals(here)).toBe(true);
  });

  it('that cannot be made are refused with the reason, and the next is made', async () => {
    printer = createPdfPrinter();
    const broken = { ...order, input: { inspection: { status: 'success' }, assessment: null } };
    await expect(printer.print(broken as never)).rejects.toThrow(/undefined/);
    expect((await printer.print(order)).length).toBeGreaterThan(1000);
  });

  it('are refused, not waited for, when the thread dies; the next report gets a new thread', async () => {
    let starts = 0;
    const dies = stub(`require('node:worker_threads').parentPort.once('message', () => process.exit(3))`);
    printer = createPdfPrinter(() => {
      starts++;
      return dies();
    });
    await expect(printer.print(order)).rejects.toThrow(/ended: code 3/);
    await expect(printer.print(order)).rejects.toThrow(/ended: code 3/);
    expect(starts).toBe(2);
  });

  it('under way at the end are refused', async () => {
    printer = createPdfPrinter(stub(`setInterval(() => {}, 1000)`));
    const printed = expect(printer.print(order)).rejects.toThrow(/ended/);
    await printer.close();
    await printed;
  });
});
