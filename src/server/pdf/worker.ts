import { parentPort } from 'node:worker_threads';
import { renderPdf } from '../../report/pdf/pdf-report.ts';
import type { PrintRequest, PrintResponse } from './printer.ts';

/** Rendering a report blocks a thread for tens of milliseconds, which must not be the event loop's. */
parentPort?.on('message', async ({ id, job: { input, pictures, options } }: PrintRequest) => {
  const response: PrintResponse = await renderPdf(input, pictures, options).then(
    (pdf) => ({ id, pdf }),
    (error: unknown) => ({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  parentPort?.postMessage(response);
});
