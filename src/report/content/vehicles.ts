import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { pickVehicleId } from '../facts.ts';
import { ABSENT, formatRoundMoney, namePhoto } from '../figures.ts';
import { describeSeveralVehicles, describeVerdict } from '../headline.ts';
import { type SingleVehicle, splitVehicles } from '../split-vehicles.ts';
import { english } from '../translator.ts';
import { makeParagraph, makeTableSection, numberColumn, type Section, textColumn } from './blocks.ts';

/** Formats the title of one of several vehicles: `Vehicle 2 of 3: red`. */
export function titleVehicle({ vehicle, about }: SingleVehicle, count: number, t = english): string {
  return t`Vehicle ${vehicle} of ${count}: ${t.word(about.color)}`;
}

/**
 * Lists the photos of each vehicle if they appear to show several, with the next step for the user.
 * @param hint what else to do on a command line
 */
export function writeVehicles(input: Result, t = english, hint?: string): Section {
  const { results, vehicle_groups: groups = [], images = [] } = input.inspection?.data ?? {};
  const names = groups.map(({ group, color, images: indexes }) => {
    const photos = compact(indexes.map((index) => images.find((one) => one.index === index)));
    const list = photos.map(({ url }) => escapeName(namePhoto(url, images))).join(', ');
    return t`${`${group}  ${t.word(color)}`}: ${list}`;
  });
  return {
    id: 'vehicles',
    title: '',
    blocks: compact([
      results &&
        makeParagraph(t`${pickVehicleId(input)}: ${describeSeveralVehicles(results, t)}.`, 'warning'),
      ...names.map((text) => makeParagraph(text, 'item')),
      makeParagraph(
        t`To divide them yourself, put the photos of each vehicle into a separate folder and inspect each folder.`,
      ),
      hint && makeParagraph(hint),
    ]),
  };
}

/** Builds the table of several vehicles with their figures, without totals; null for one vehicle. */
export function writeVehicleTable(input: Result, t = english): Section | null {
  const formatCost = ({ items, estimated, currency }: SingleVehicle['results']['repair_cost']) =>
    items > 0 ? t.figure(formatRoundMoney(estimated, currency)) : ABSENT;
  return makeTableSection('vehicle-table', '', splitVehicles(input), [
    textColumn(t`Vehicle`, 26, ({ vehicle, about }) => `${vehicle} ${t.word(about.color)}`),
    numberColumn(t`Photos`, 12, ({ about }) => String(about.images.length)),
    textColumn(t`Condition`, 22, ({ results }) => describeVerdict(results, t)),
    numberColumn(t`Damages`, 12, ({ results }) => String(results.damages.length)),
    numberColumn(t`To check`, 12, ({ results }) => String(results.to_check.length)),
    numberColumn(t`Repair`, 16, ({ results }) => formatCost(results.repair_cost)),
  ]);
}
