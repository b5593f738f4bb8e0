import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import { writeFileWhole } from '../output.ts';

/** Folder inside the results that keeps what each of them was made from. */
const KEYS = '.vehi-keys';

/** The results of a fleet in a folder: `NAME.json` each, its key in `.vehi-keys/NAME`. */
export interface ResultFolder {
  fileOf(name: string): string;
  /** The result kept under this key; null where there is none, another, or one that is not whole. */
  kept(name: string, key: string): Promise<InspectionEnvelope | null>;
  keep(name: string, key: string, result: InspectionEnvelope): Promise<void>;
}

/** Opens the folder of results; it is made at the first write. */
export function resultFolder(folder: string): ResultFolder {
  const fileOf = (name: string) => join(folder, `${name}.json`);
  const keyOf = (name: string) => join(folder, KEYS, name);
  return {
    fileOf,
    kept: async (name, key) => {
      try {
        if ((await readFile(keyOf(name), 'utf8')).trim() !== key) return null;
        const result: unknown = JSON.parse(await readFile(fileOf(name), 'utf8'));
        return Check(InspectionEnvelopeSchema, result) ? result : null;
      } catch {
        // Absent, cut short or changed: whatever it is, the vehicle is inspected again.
        return null;
      }
    },
    keep: async (name, key, result) => {
      // The old key goes first and the new one comes last: a run cut anywhere between leaves no key to a wrong result.
      await rm(keyOf(name), { force: true });
      await writeFileWhole(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
      await writeFileWhole(keyOf(name), `${key}\n`);
    },
  };
}
