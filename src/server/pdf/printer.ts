import type { Worker } from 'node:worker_threads';
import type { Result } from '../../contract/result.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { createIdleThread, startThread } from '../../lib/thread.ts';
import type { PdfOptions } from '../../report/pdf/pdf-report.ts';
import type { ReportPictures } from '../../report/pictures.ts';

/** Input of a report. */
interface PrintJob {
  readonly input: Result;
  readonly pictures: ReportPictures;
  readonly options: PdfOptions;
}

export interface PrintRequest {
  readonly id: number;
  readonly job: PrintJob;
}

export type PrintResponse =
  | { readonly id: number; readonly pdf: Uint8Array }
  | { readonly id: number; readonly failed: string };

interface PendingPrint {
  readonly resolve: (pdf: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** Idle time after which the thread ends; it holds fonts and its own heap, some 40 MB. */
const IDLE_MS = MINUTE_MS;

/** Creates a printer of PDF reports in a worker thread, which starts with the first report and ends when idle. */
export function createPdfPrinter(startWorker = () => startThread('server/pdf/worker')) {
  const pendingPrints = new Map<number, PendingPrint>();
  let nextId = 0;
  const thread = createIdleThread(startListening, IDLE_MS);

  function rejectAll(worker: Worker, reason: string): void {
    if (!thread.discard(worker)) return;
    for (const { reject } of pendingPrints.values())
      reject(new Error(`the thread that makes reports ended: ${reason}`));
    pendingPrints.clear();
  }

  function startListening(): Worker {
    const worker = startWorker();
    worker.on('message', (response: PrintResponse) => {
      const pending = pendingPrints.get(response.id);
      pendingPrints.delete(response.id);
      if ('pdf' in response) pending?.resolve(response.pdf);
      else pending?.reject(new Error(response.failed));
      if (pendingPrints.size === 0) thread.release(worker);
    });
    worker.on('error', (error) => rejectAll(worker, String(error)));
    worker.on('exit', (code) => rejectAll(worker, `code ${code}`));
    return worker;
  }

  return {
    /** Rejects if the report cannot be rendered or the thread ends. */
    print(job: PrintJob): Promise<Uint8Array> {
      const worker = thread.acquire();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pendingPrints.set(id, { resolve, reject });
        worker.postMessage({ id, job } satisfies PrintRequest);
      });
    },
    /** Ends the thread; pending reports are rejected. */
    close: thread.terminate,
  };
}
