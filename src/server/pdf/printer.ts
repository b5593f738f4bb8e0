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
  readonly order: PrintJob;
}

export type PrintResponse =
  | { readonly id: number; readonly pdf: Uint8Array }
  | { readonly id: number; readonly failed: string };

/** Renders PDF reports in a worker thread, which starts with the first report and ends when idle. */
export interface PdfPrinter {
  /** Rejects if the report cannot be rendered or the thread ends. */
  print(order: PrintJob): Promise<Uint8Array>;
  /** Ends the thread; pending reports are rejected. */
  close(): Promise<void>;
}

interface PendingPrint {
  readonly done: (pdf: Uint8Array) => void;
  readonly fail: (error: Error) => void;
}

/** Idle time after which the thread ends; it holds fonts and its own heap, some 40 MB. */
const IDLE_MS = MINUTE_MS;

/** Creates a printer; the thread starts with the first report. */
export function createPdfPrinter(start = () => startThread('server/pdf/worker')): PdfPrinter {
  const waiting = new Map<number, PendingPrint>();
  let nextId = 0;
  const thread = createIdleThread(startListening, IDLE_MS);

  function failAll(worker: Worker, why: string): void {
    if (!thread.discard(worker)) return;
    for (const { fail } of waiting.values()) fail(new Error(`the thread that makes reports ended: ${why}`));
    waiting.clear();
  }

  function startListening(): Worker {
    const worker = start();
    worker.on('message', (answer: PrintResponse) => {
      const pending = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('pdf' in answer) pending?.done(answer.pdf);
      else pending?.fail(new Error(answer.failed));
      if (waiting.size === 0) thread.release(worker);
    });
    worker.on('error', (error) => failAll(worker, String(error)));
    worker.on('exit', (code) => failAll(worker, `code ${code}`));
    return worker;
  }

  return {
    print(order) {
      const worker = thread.acquire();
      const id = nextId++;
      return new Promise((done, fail) => {
        waiting.set(id, { done, fail });
        worker.postMessage({ id, order } satisfies PrintRequest);
      });
    },
    close: thread.terminate,
  };
}
