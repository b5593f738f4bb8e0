import type { Result } from '../../contract/result.ts';
import { escapeName } from '../../lib/names.ts';
import { ABSENT, formatRoundMoney, readFileName } from '../figures.ts';
import { readVehicleId } from '../finding-rows.ts';
import { describeMixed, describeVerdict } from '../headline.ts';
import { english, type Say } from '../say.ts';
import { splitVehicles, type VehiclePart } from '../vehicles.ts';
import { makeParagraph, makeTable, type Section } from './blocks.ts';

/** Formats the title of one of several vehicles: `Vehicle 2 of 3: red`. */
export function titleVehicle({ vehicle, about }: VehiclePart, count: number, say: Say = english): string {
  return say`Vehicle ${vehicle} of ${count}: ${say.word(about.colour)}`;
}

/** Lists the photos of each vehicle if they appear to show several, with the next step for the user. @param hint what else to do on a command line */
export function writeVehicles(input: Result, say: Say = english, hint?: string): Section {
  const { results, vehicle_groups: groups = [], images = [] } = input.inspection?.data ?? {};
  const names = groups.map(({ group, colour, images: indexes }) => {
    const photos = indexes
      .map((index) => images.find((one) => one.index === index))
      .filter((one) => one !== undefined);
    return `${group}  ${say.word(colour)}: ${photos.map(({ url }) => escapeName(readFileName(url))).join(', ')}`;
  });
  return {
    id: 'vehicles',
    title: '',
    blocks: [
      ...(results
        ? [makeParagraph(`${readVehicleId(input)}: ${describeMixed(results, say)}.`, 'warning')]
        : []),
      ...names.map((text) => makeParagraph(text, 'item')),
      makeParagraph(
        say`To divide them yourself, put the photos of each vehicle into a separate folder and inspect each folder.`,
      ),
      ...(hint ? [makeParagraph(hint)] : []),
    ],
  };
}

/** Builds the table of several vehicles with their figures, without totals; null for one vehicle. */
export function writeVehicleTable(input: Result, say: Say = english): Section | null {
  const parts = splitVehicles(input);
  if (parts.length === 0) return null;
  const rows = parts.map(({ vehicle, about, results }) => {
    const { repair_cost: cost, damages, to_check: places } = results;
    return {
      cells: [
        `${vehicle} ${say.word(about.colour)}`,
        String(about.images.length),
        describeVerdict(results, say),
        String(damages.length),
        String(places.length),
        cost.items > 0 ? say.figure(formatRoundMoney(cost.estimated, cost.currency)) : ABSENT,
      ],
    };
  });
  return {
    id: 'vehicle-table',
    title: '',
    blocks: [
      makeTable(
        [
          { title: say`Vehicle`, share: 26 },
          { title: say`Photos`, share: 12, align: 'right' },
          { title: say`Condition`, share: 22 },
          { title: say`Damages`, share: 12, align: 'right' },
          { title: say`To check`, share: 12, align: 'right' },
          { title: say`Repair`, share: 16, align: 'right' },
        ],
        rows,
      ),
    ],
  };
}
