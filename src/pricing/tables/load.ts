import { readOwnJson } from '../../lib/own-json.ts';
import type { AssociatedTable, SpreadsTable } from './extra-schema.ts';
import type {
  ClassesTable,
  FxTable,
  OperationsTable,
  PartsTable,
  PdrTable,
  RefinishTable,
  RegionsTable,
  ValueTable,
} from './schema.ts';

/** Codes of a user's own regions, and the currencies of these and of the user's own exchange rates. */
interface OwnRegions {
  readonly codes: readonly string[];
  readonly currencies: readonly string[];
}

/** All tables an estimate is computed from; values, never changed after loading. */
export interface Tables {
  /** `own` names what a user's file added or replaced. */
  readonly regions: RegionsTable & { readonly own?: OwnRegions };
  readonly fx: FxTable;
  readonly parts: PartsTable;
  readonly operations: OperationsTable;
  readonly refinish: RefinishTable;
  readonly pdr: PdrTable;
  readonly value: ValueTable;
  readonly classes: ClassesTable;
  readonly associated: AssociatedTable;
  readonly spreads: SpreadsTable;
}

/** The file of each shipped table. */
export const TABLE_FILES = {
  regions: 'regions.json',
  fx: 'exchange-rates.json',
  parts: 'parts.json',
  operations: 'operations.json',
  refinish: 'refinish.json',
  pdr: 'pdr.json',
  value: 'value.json',
  classes: 'vehicle-classes.json',
  associated: 'associated.json',
  spreads: 'spreads.json',
} as const satisfies Record<keyof Tables, string>;

/** Reads one shipped table from its file, unchecked. */
export function readShippedTable(name: keyof Tables): unknown {
  return readOwnJson(new URL(`../data/${TABLE_FILES[name]}`, import.meta.url));
}

/**
 * Loads the shipped tables. They are checked against their schemas by `checkShippedTables` (tests, `vehi doctor`), not
 * at every start: loading the schemas alone takes 0.2 s.
 */
export function loadTables(): Tables {
  const tables = Object.keys(TABLE_FILES).map((name) => [name, readShippedTable(name as keyof Tables)]);
  return Object.fromEntries(tables) as Tables;
}
