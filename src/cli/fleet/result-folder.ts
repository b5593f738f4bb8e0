import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type AssessmentEnvelope, AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import { fits } from '../../lib/check.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { writeFileWhole } from '../terminal/output.ts';

/** Folder inside the results that keeps what each of them was made from. */
const KEYS = '.vehi-keys';

/** The result of a vehicle with what it was made from. */
interface FleetResult {
  /** Key of the photos, options and models. */
  readonly key: string;
  /** Key of what else was made of it (`computeProductsKey`). */
  readonly products: string;
  readonly inspection: InspectionEnvelope;
  readonly assessment: AssessmentEnvelope | null;
}

/** The results of a fleet in a folder: `NAME.json` each, its keys in `.vehi-keys/NAME`. */
export interface ResultFolder {
  /** The result kept under this key; null where there is none, another, or one that is not whole. */
  kept(name: string, key: string): Promise<FleetResult | null>;
  keep(name: string, result: FleetResult): Promise<void>;
}

/** Opens the folder of results; it is made at the first write. */
export function openResultFolder(folder: string): ResultFolder {
  const locateFile = (name: string) => join(folder, `${name}.json`);
  const locateKey = (name: string) => join(folder, KEYS, name);
  return {
    kept: async (name, wanted) => {
      try {
        const [key = '', products = ''] = (await readFile(locateKey(name), 'utf8')).trim().split(' ');
        if (key !== wanted) return null;
        const { assessment = null, ...inspection } = parseJson(
          await readFile(locateFile(name), 'utf8'),
        ) as Record<string, unknown>;
        const whole =
          fits(InspectionEnvelopeSchema, inspection) &&
          (assessment === null || fits(AssessmentEnvelopeSchema, assessment));
        return whole ? { key, products, inspection, assessment } : null;
      } catch {
        // Absent, cut short or changed: whatever it is, the vehicle is inspected again.
        return null;
      }
    },
    keep: async (name, { key, products, inspection, assessment }) => {
      // The old key goes first and the new one comes last: a run cut anywhere between leaves no key to a wrong result.
      await rm(locateKey(name), { force: true });
      const document = { ...inspection, ...(assessment ? { assessment } : {}) };
      await writeFileWhole(locateFile(name), toJsonText(document));
      await writeFileWhole(locateKey(name), `${key} ${products}\n`);
    },
  };
}
