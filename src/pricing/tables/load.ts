import associated from '../data/associated.json' with { type: 'json' };
import fx from '../data/exchange-rates.json' with { type: 'json' };
import operations from '../data/operations.json' with { type: 'json' };
import parts from '../data/parts.json' with { type: 'json' };
import pdr from '../data/pdr.json' with { type: 'json' };
import refinish from '../data/refinish.json' with { type: 'json' };
import regions from '../data/regions.json' with { type: 'json' };
import spreads from '../data/spreads.json' with { type: 'json' };
import value from '../data/value.json' with { type: 'json' };
import classes from '../data/vehicle-classes.json' with { type: 'json' };
import type { AssociatedTable } from './associated-schema.ts';
import type { PartsTable } from './parts-schema.ts';
import type { RegionsTable } from './region-schema.ts';

/** Lists the regions' rows, and each shop as its region's row with the shop's own figures. */
function listRegions({ shops, ...table }: typeof regions) {
  const shopRows = shops.map(({ of, ...shop }) => ({
    ...table.rows.find(({ code }) => code === of),
    ...shop,
  }));
  return { ...table, rows: [...table.rows, ...shopRows] };
}

/**
 * Returns the shipped tables unvalidated: loading their schemas takes 0.2 s, so tests validate them. Only tables with
 * codes and optional fields, and the regions, which users write, have schemas; others are typed by their data.
 */
export const loadTables = () => ({
  /** `own` lists the additions and replacements of a user's file. */
  regions: listRegions(regions) as RegionsTable & { readonly own?: RegionsTable['rows'] },
  parts: parts as PartsTable,
  associated: associated as AssociatedTable,
  ...{ fx, operations, refinish, pdr, value, classes, spreads },
});

/** All tables behind an estimate; never changed after loading. */
export type Tables = Readonly<ReturnType<typeof loadTables>>;
