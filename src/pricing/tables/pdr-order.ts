import type { TableFault } from './check.ts';
import { PDR_SIZES } from './kinds.ts';

interface PdrRow {
  readonly panel: 'flat' | 'side';
  readonly up_to_dents: number;
  readonly price: Readonly<Record<(typeof PDR_SIZES)[number], number | null>>;
}

/** Returns where more or larger dents would be cheaper, so that a more severe damage could cost less. */
export function listPdrOrderFaults(table: readonly PdrRow[], where: string): TableFault[] {
  const readPrice = (row: PdrRow, size: (typeof PDR_SIZES)[number]) =>
    row.price[size] ?? Number.POSITIVE_INFINITY;
  return (['flat', 'side'] as const).flatMap((panel) => {
    const rows = table.filter((row) => row.panel === panel);
    return rows.flatMap((row, i) => {
      const before = rows[i - 1];
      return PDR_SIZES.flatMap((size, s): TableFault[] => {
        const smaller = PDR_SIZES[s - 1];
        const cheaper =
          (smaller !== undefined && readPrice(row, size) < readPrice(row, smaller)) ||
          (before !== undefined && readPrice(row, size) < readPrice(before, size));
        const misplaced = before !== undefined && row.up_to_dents <= before.up_to_dents;
        if (!cheaper && !misplaced) return [];
        const at = `${where} ${panel} up to ${row.up_to_dents}`;
        return [{ where: at, reason: `${size} is out of order: more or larger dents may not cost less` }];
      });
    });
  });
}
