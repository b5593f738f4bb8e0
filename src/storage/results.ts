import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { AssessmentEnvelopeSchema } from '../contract/assessment/assessment.ts';
import { InspectionEnvelopeSchema } from '../contract/inspection.ts';
import type { PhotoPlaces, Result } from '../contract/result.ts';
import { fits } from '../lib/check.ts';
import { VehiError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { toReason } from '../lib/reason.ts';
import { writeFileAtomic } from '../lib/write-file-atomic.ts';

/** A stored result: an inspection with its photo paths, or an assessment. */
export interface StoredResult extends Result {
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** Results of the command line, one file each. @throws VehiError usage if the folder cannot be used */
export interface ResultStore {
  /** Creates the folder and checks that it is writable, before a result is computed. */
  prepare(): Promise<void>;
  /** Stores an inspection and an assessment under their ids, replacing existing ones. */
  save(result: Result, savedAt: string): Promise<void>;
  /** Returns a result by id, or undefined. @throws VehiError input if its file is not a valid result */
  get(id: string): Promise<StoredResult | undefined>;
  /** Lists all results, newest first; invalid files are listed in `unreadable`. */
  list(): Promise<{ results: readonly StoredResult[]; unreadable: readonly string[] }>;
  /** Lists inspections that contain any of these photos, newest first. @param hashes SHA-256 of the photos */
  findByPhotos(hashes: readonly string[]): Promise<readonly StoredResult[]>;
}

const RESULT_ID = /^(vis|asmt)_[A-Za-z0-9]{1,64}$/;

/** Returns true if a text is a well-formed inspection or assessment id, which is also a safe file name. */
export function isResultId(text: string): boolean {
  return RESULT_ID.test(text);
}

/** Returns the id of a result. */
export function readResultId({ inspection, assessment }: Result): string {
  return inspection?.data.inspection_id ?? assessment?.data.assessment_id ?? '';
}

/** Creates a store of one JSON file per result in `folder`, which is created on first use. */
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
    async save({ inspection, assessment, photos }, savedAt) {
      const write = async (id: string, envelope: object, photoPaths: object) => {
        const target = locateFile(id);
        try {
          await makeFolder(folder, 0o700);
          const text = `${JSON.stringify({ envelope, photoPaths, savedAt })}\n`;
          await writeFileAtomic(target, text, { mode: 0o600, flush: true });
        } catch (error) {
          throw makeUnusableError(folder, error);
        }
      };
      if (inspection) await write(inspection.data.inspection_id, inspection, photos?.paths ?? {});
      if (assessment) await write(assessment.data.assessment_id, assessment, {});
    },
    async get(id) {
      if (!isResultId(id)) return undefined;
      return readResult(locateFile(id)).catch((cause: unknown) => {
        const message = `the kept result ${id} cannot be read: ${toReason(cause)}`;
        throw new VehiError('input', 'RESULT_UNREADABLE', message, { cause });
      });
    },
    async list() {
      const results: StoredResult[] = [];
      const unreadable: string[] = [];
      for (const file of await listFiles(folder)) {
        const result = await readResult(file).catch(() => undefined);
        if (result) results.push(result);
        else unreadable.push(file);
      }
      return { results: results.sort(compareNewestFirst), unreadable };
    },
    findByPhotos: (hashes) => findByPhotos(folder, hashes),
  };
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder)
    .catch(fallbackIfAbsent([] as string[]))
    .catch((error: unknown) => {
      throw makeUnusableError(folder, error);
    });
  return files
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}

async function findByPhotos(folder: string, hashes: readonly string[]): Promise<readonly StoredResult[]> {
  const results: StoredResult[] = [];
  for (const file of await listFiles(folder)) {
    // A text search avoids parsing, the slow part, because few results contain one of the photos.
    const text = await readFile(file, 'utf8').catch(() => '');
    if (!hashes.some((hash) => text.includes(hash))) continue;
    const result = await readResult(file).catch(() => undefined);
    if (result?.inspection?.data.images.some(({ sha256 }) => hashes.includes(sha256))) results.push(result);
  }
  return results.sort(compareNewestFirst);
}

function makeUnusableError(folder: string, cause: unknown): VehiError {
  const message = `${folder}: cannot be used for kept results (${toReason(cause)})`;
  return new VehiError('usage', 'DATA_DIRECTORY', message, {
    hint: 'Make room and check its permissions, or name another data directory by VEHI_DATA_DIR.',
    cause,
  });
}

async function readResult(file: string): Promise<StoredResult | undefined> {
  const text = await readFile(file, 'utf8').catch(fallbackIfAbsent(undefined));
  if (text === undefined) return undefined;
  const { envelope, photoPaths, savedAt } = (parseJson(text) ?? {}) as {
    readonly envelope?: unknown;
    readonly photoPaths?: PhotoPlaces['paths'];
    readonly savedAt?: unknown;
  };
  if (typeof savedAt === 'string') {
    if (fits(InspectionEnvelopeSchema, envelope))
      return {
        inspection: envelope,
        assessment: null,
        photos: { folders: [], paths: photoPaths ?? {} },
        savedAt,
      };
    if (fits(AssessmentEnvelopeSchema, envelope)) return { inspection: null, assessment: envelope, savedAt };
  }
  throw new Error(`${file} is not a stored result`);
}

/** Returns the creation time of a result, ISO 8601. */
export function readCreatedAt({ inspection, assessment }: Result): string {
  return (inspection ?? assessment)?.data.created_at ?? '';
}

function compareNewestFirst(a: StoredResult, b: StoredResult): number {
  return readCreatedAt(b).localeCompare(readCreatedAt(a)) || readResultId(b).localeCompare(readResultId(a));
}

function fallbackIfAbsent<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  };
}
