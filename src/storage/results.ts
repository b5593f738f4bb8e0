import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type AssessmentEnvelope, AssessmentEnvelopeSchema } from '../contract/assessment/assessment.ts';
import { withLaterFields } from '../contract/earlier-results.ts';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../contract/inspection.ts';
import { fits } from '../lib/check.ts';
import { VehiError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { toReason } from '../lib/reason.ts';
import { writeWhole } from '../lib/write-whole.ts';

/** A kept result: the envelope as it was printed, and where its photos were. */
export interface StoredResult {
  readonly envelope: InspectionEnvelope | AssessmentEnvelope;
  /** Absolute path of each photo by its address in the result; only of photos that are files. */
  readonly photoPaths: Readonly<Record<string, string>>;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** Results of the command line, kept one file each. Throws VehiError usage where the folder cannot be used. */
export interface ResultStore {
  /** Makes the folder and tries to write into it: before the work whose result is to be kept. */
  prepare(): Promise<void>;
  /** Keeps a result under its id; one of the same id is replaced. Returns the file written. */
  save(result: StoredResult): Promise<string>;
  /** A result by its id, or undefined. @throws VehiError input where its file cannot be read as a result */
  get(id: string): Promise<StoredResult | undefined>;
  /** All results, newest first; files that are no results are named in `unreadable`. */
  list(): Promise<{ results: readonly StoredResult[]; unreadable: readonly string[] }>;
}

const ID = /^(vis|asmt)_[A-Za-z0-9]{1,64}$/;

/** Returns true for the shape of an inspection's or assessment's id (and so for a safe file name). */
export function isResultId(text: string): boolean {
  return ID.test(text);
}

/** Returns the id of a result. */
export function readResultId({ data }: StoredResult['envelope']): string {
  return 'assessment_id' in data ? data.assessment_id : data.inspection_id;
}

/** Creates a store of one JSON file per result in `folder`, which is made when first needed. */
export function createResultStore(folder: string): ResultStore {
  const locateFile = (id: string) => {
    if (!isResultId(id)) throw new Error(`not the id of a result: ${JSON.stringify(id)}`);
    return join(folder, `${id}.json`);
  };
  return {
    async prepare() {
      const probe = join(folder, `.${randomUUID()}.tmp`);
      try {
        await makeFolder(folder, 0o700);
        await writeFile(probe, '');
        await rm(probe);
      } catch (error) {
        throw makeUnusableError(folder, error);
      }
    },
    async save(result) {
      const target = locateFile(readResultId(result.envelope));
      try {
        await makeFolder(folder, 0o700);
        await writeWhole(target, `${JSON.stringify(result)}\n`, { mode: 0o600, flush: true });
      } catch (error) {
        throw makeUnusableError(folder, error);
      }
      return target;
    },
    async get(id) {
      if (!isResultId(id)) return undefined;
      return readResult(locateFile(id)).catch((cause: unknown) => {
        const message = `the kept result ${id} cannot be read: ${toReason(cause)}`;
        throw new VehiError('input', 'RESULT_UNREADABLE', message, { cause });
      });
    },
    async list() {
      const files = await readdir(folder)
        .catch(replaceAbsent([] as string[]))
        .catch((error: unknown) => {
          throw makeUnusableError(folder, error);
        });
      const names = files.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      const results: StoredResult[] = [];
      const unreadable: string[] = [];
      for (const name of names.sort()) {
        const result = await readResult(join(folder, name)).catch(() => undefined);
        if (result) results.push(result);
        else unreadable.push(join(folder, name));
      }
      return { results: results.sort(compareNewestFirst), unreadable };
    },
  };
}

function makeUnusableError(folder: string, cause: unknown): VehiError {
  const message = `${folder}: cannot be used for kept results (${toReason(cause)})`;
  return new VehiError('usage', 'DATA_DIRECTORY', message, {
    hint: 'Make room and check its permissions, or name another data directory by VEHI_DATA_DIR.',
    cause,
  });
}

async function readResult(file: string): Promise<StoredResult | undefined> {
  const text = await readFile(file, 'utf8').catch(replaceAbsent(undefined));
  if (text === undefined) return undefined;
  const stored = parseJson(text) as Partial<StoredResult> | null;
  const envelope = withLaterFields(stored?.envelope);
  const known = fits(InspectionEnvelopeSchema, envelope) || fits(AssessmentEnvelopeSchema, envelope);
  if (!known || typeof stored?.savedAt !== 'string') throw new Error(`${file} is not a stored result`);
  return { envelope, photoPaths: stored.photoPaths ?? {}, savedAt: stored.savedAt };
}

function compareNewestFirst(a: StoredResult, b: StoredResult): number {
  return (
    b.envelope.data.created_at.localeCompare(a.envelope.data.created_at) ||
    readResultId(b.envelope).localeCompare(readResultId(a.envelope))
  );
}

function replaceAbsent<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return instead;
    throw error;
  };
}
