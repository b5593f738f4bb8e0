import type { Line } from './repair-plan.ts';

/**
 * Returns the lines of all panels with the structural work as one procedure: one set-up on the bench, the longest pull
 * in full and each other at half, rounded up. Lines per panel in, lines per panel out.
 */
export function joinStructuralWork(panels: readonly (readonly Line[])[]): Line[][] {
  const longest = (operation: Line['operation']) =>
    panels
      .flat()
      .filter((line) => line.operation === operation)
      .reduce<Line | undefined>(
        (best, line) => (best === undefined || line.hoursTenths > best.hoursTenths ? line : best),
        undefined,
      );
  const setup = longest('Setup');
  const pull = longest('Pull');
  return panels.map((lines) =>
    lines
      .filter((line) => line.operation !== 'Setup' || line === setup)
      .map((line) =>
        line.operation !== 'Pull' || line === pull
          ? line
          : {
              ...line,
              hoursTenths: Math.ceil(line.hoursTenths / 2),
              note: `${line.note}, at half, next to the longest`,
            },
      ),
  );
}
