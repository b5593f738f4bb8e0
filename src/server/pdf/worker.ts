import { parentPort } from 'node:worker_threads';
import { renderPdf } from '../../report/pdf/pdf-report.ts';
import type { PrintAnswer, PrintRequest } from './printer.ts';

/** Laying out a report takes tens of milliseconds of one thread; here they are not the event loop's. */
parentPort?.on('message', async ({ id, order: { input, pictures, options } }: PrintRequest) => {
  const answer: PrintAnswer = await renderPdf(input, pictures, options).then(
    (pdf) => ({ id, pdf }),
    (error: unknown) => ({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  parentPort?.postMessage(answer);
});
