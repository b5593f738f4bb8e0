import { parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { renderPdf } from '../../report/pdf/pdf-report.ts';
import type { PrintJob } from './printer.ts';

/** Rendering a report blocks its thread for tens of milliseconds, so it must not run on the event loop's thread. */
createBirpc(
  { print: ({ input, pictures, options }: PrintJob) => renderPdf(input, pictures, options) },
  {
    post: (message) => parentPort?.postMessage(message),
    on: (listener) => void parentPort?.on('message', listener),
  },
);
