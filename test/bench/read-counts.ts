/** A reading of a photo by the right value: every value read is right, none is read, or one is wrong. */
type Outcome = 'exact' | 'none' | 'wrong';

/** Counts readings per row of a table, with the processor time of each. */
export function createReadCounts() {
  const rows = new Map<string, Record<Outcome, number> & { readonly timesMs: number[] }>();
  return {
    /** Runs a reading and counts it in a row. @returns the values if one is wrong */
    async count(row: string, read: () => Promise<readonly string[]>, isRight: (value: string) => boolean) {
      const counts = rows.get(row) ?? { exact: 0, none: 0, wrong: 0, timesMs: [] };
      rows.set(row, counts);
      const start = process.cpuUsage();
      const values = await read();
      const { user, system } = process.cpuUsage(start);
      counts.timesMs.push((user + system) / 1000);
      const outcome = values.length === 0 ? 'none' : values.every(isRight) ? 'exact' : 'wrong';
      counts[outcome]++;
      return outcome === 'wrong' ? values : undefined;
    },
    /** Prints the rows as a table of Markdown. */
    print(subject: string): void {
      const lines = [...rows].map(([row, { exact, none, wrong, timesMs }]) => {
        const photos = exact + none + wrong;
        const median = timesMs.sort((one, other) => one - other)[photos >> 1] ?? 0;
        const share = Math.round((100 * exact) / photos);
        return `| ${row} | ${photos} | ${exact} (${share} %) | ${none} | ${wrong} | ${Math.round(median)} |\n`;
      });
      process.stdout.write(
        `| ${subject} | photos | exact | none | wrong | processor ms, median |\n|---|---|---|---|---|---|\n${lines.join('')}`,
      );
    },
  };
}
