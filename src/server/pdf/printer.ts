import { type BirpcReturn, createBirpc } from 'birpc';
import type { Result } from '../../contract/result.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { createIdleThread, startThread } from '../../lib/thread.ts';
import type { PdfOptions } from '../../report/pdf/document.ts';
import type { ReportPictures } from '../../report/pictures.ts';

/** Input of a report. */
export interface PrintJob {
  readonly input: Result;
  readonly pictures: ReportPictures;
  readonly options: PdfOptions;
}

/** Functions of the thread. */
interface PrinterFunctions {
  print(job: PrintJob): Promise<Uint8Array>;
}

/** Idle time after which the thread ends; it holds fonts and its own heap, some 40 MB. */
const IDLE_MS = MINUTE_MS;

/** Creates a printer of PDF reports in a worker thread, which starts with the first report and ends when idle. */
export function createPdfPrinter(startWorker = () => startThread('server/pdf/worker')) {
  let functions: BirpcReturn<PrinterFunctions>;
  let pendingCount = 0;
  const thread = createIdleThread(() => {
    const worker = startWorker();
    const started = createBirpc<PrinterFunctions>(
      {},
      {
        post: (message) => worker.postMessage(message),
        on: (listener) => void worker.on('message', listener),
        timeout: -1,
      },
    );
    const end = (reason: string) => {
      thread.discard(worker);
      started.$close(new Error(`the thread that makes reports ended: ${reason}`));
    };
    worker.on('error', (error) => end(String(error)));
    worker.on('exit', (code) => end(`code ${code}`));
    functions = started;
    return worker;
  }, IDLE_MS);
  return {
    /** Rejects if the report cannot be rendered or the thread ends. */
    async print(job: PrintJob): Promise<Uint8Array> {
      const worker = thread.acquire();
      pendingCount++;
      try {
        return await functions.print(job);
      } finally {
        if (--pendingCount === 0) thread.release(worker);
      }
    },
    /** Ends the thread; pending reports are rejected. */
    close: thread.terminate,
  };
}
