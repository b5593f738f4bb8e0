import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type AssessmentEnvelope, AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import { fits } from '../../lib/check.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { writeFileWhole } from '../terminal/output.ts';

/** Subfolder of the results for the input keys of each result. */
const KEYS = '.vehi-keys';

/** Stored result of a vehicle with the keys of its inputs. */
interface FleetResult {
  /** Key of photos, options and models. */
  readonly key: string;
  /** Key of the other products (`computeProductsKey`). */
  readonly products: string;
  readonly inspection: InspectionEnvelope;
  readonly assessment: AssessmentEnvelope | null;
}

/** Results of a fleet in a folder: `NAME.json` each, with keys in `.vehi-keys/NAME`. */
export interface ResultFolder {
  /** Returns the result stored under this key; null if missing, stored under another key, or invalid. */
  load(name: string, key: string): Promise<FleetResult | null>;
  save(name: string, result: FleetResult): Promise<void>;
}

/** Opens the results folder, which is created on the first write. */
export function openResultFolder(folder: string): ResultFolder {
  const locateFile = (name: string) => join(folder, `${name}.json`);
  const locateKey = (name: string) => join(folder, KEYS, name);
  return {
    load: async (name, wantedKey) => {
      try {
        const [key = '', products = ''] = (await readFile(locateKey(name), 'utf8')).trim().split(' ');
        if (key !== wantedKey) return null;
        const { assessment = null, ...inspection } = parseJson(
          await readFile(locateFile(name), 'utf8'),
        ) as Record<string, unknown>;
        const isValid =
          fits(InspectionEnvelopeSchema, inspection) &&
          (assessment === null || fits(AssessmentEnvelopeSchema, assessment));
        return isValid ? { key, products, inspection, assessment } : null;
      } catch {
        // A missing, truncated or modified file causes a new inspection.
        return null;
      }
    },
    save: async (name, { key, products, inspection, assessment }) => {
      // Removing the old key first and writing the new one last leaves no key to a wrong result after an interrupt.
      await rm(locateKey(name), { force: true });
      const document = { ...inspection, ...(assessment ? { assessment } : {}) };
      await writeFileWhole(locateFile(name), toJsonText(document));
      await writeFileWhole(locateKey(name), `${key} ${products}\n`);
    },
  };
}
