import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import type { NotAssessed } from '../../contract/inspection-grounds.ts';
import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { formatPercent, readFileName } from '../figures.ts';
import { groupIssues } from '../photo-issues.ts';
import { english, type Say } from '../say.ts';
import { describePart, describeSubject, humanize } from '../words.ts';
import {
  type Block,
  makeHeading,
  makeParagraph,
  makeTitledTable,
  numberColumn,
  type Section,
  textColumn,
} from './blocks.ts';

/**
 * Builds the section on unassessed areas, photo issues, rejected or unavailable photos, and all warnings; null for an
 * estimate without photos and without warnings.
 */
export function writeCaveats(
  { inspection, assessment }: Result,
  missing: ReadonlyMap<number, string>,
  say: Say = english,
): Section | null {
  const warnings = [
    ...(inspection ? selectWarnings(inspection.data) : []),
    ...(assessment?.data.warnings ?? []),
  ];
  const found = inspection ? writeInspectionBlocks(inspection.data, say) : [];
  const notes = [
    ...[...missing].map(([index, reason]) =>
      makeParagraph(say`Photo ${index + 1} is not shown: ${say.stored(reason)}`),
    ),
    ...warnings.map((warning) => makeParagraph(say.stored(warning.message))),
  ];
  // Without a heading, notes after a table would read as part of it.
  const titledNotes = found.length > 0 && notes.length > 0 ? [makeHeading(say`Warnings`), ...notes] : notes;
  const blocks = [...found, ...titledNotes];
  if (blocks.length === 0) return null;
  const title = inspection ? say`Not assessed, photo issues, warnings` : say`Warnings`;
  return { id: 'caveats', title, blocks };
}

/** Selects warnings not shown elsewhere in the report; several vehicles have their own headline and list. */
export function selectWarnings({
  warnings,
  vehicle_groups: groups,
}: Pick<VisualInspection, 'warnings' | 'vehicle_groups'>): VisualInspection['warnings'] {
  return groups.length > 0 ? warnings.filter(({ code }) => code !== 'several_vehicles') : warnings;
}

function writeInspectionBlocks(data: VisualInspection, say: Say): Block[] {
  const reported = (data.results?.not_assessed ?? []).map(({ what }) => what);
  const views = data.missing_views
    .filter((view) => !reported.includes(view))
    .map((view) => say.word(humanize(view).toLowerCase()))
    .join(', ');
  return compact([
    data.partial && makeParagraph(say`The inspection was interrupted: this report is partial.`, 'bold'),
    ...makeTitledTable(say`Not assessed`, listOtherNotAssessed(data), [
      textColumn(say`What`, 32, ({ what }) => describeSubject(readFileName(what), say)),
      textColumn(say`Reason`, 68, ({ reason }) => say.stored(reason)),
    ]),
    views && makeParagraph(say`Not photographed: ${views}.`),
    ...makeTitledTable(say`Photo issues`, groupIssues(data.images), [
      textColumn(say`Photo`, 24, ({ photos }) => namePhotos(photos, data.images.length, say)),
      textColumn(say`Issue`, 50, ({ message }) => say.stored(message)),
      numberColumn(say`Found`, 14, ({ measured }) => say.figure(measured)),
      numberColumn(say`Limit`, 12, ({ limit }) => say.figure(limit)),
    ]),
    ...makeTitledTable(say`Photos rejected`, data.rejected_images, [
      textColumn(say`Photo`, 30, ({ url }) => readFileName(url)),
      textColumn(say`Reason`, 36, ({ message }) => say.stored(message)),
      textColumn(say`Found`, 17, ({ found }) => say.stored(found)),
      textColumn(say`Needed`, 17, ({ needed }) => say.stored(needed)),
    ]),
    ...makeTitledTable(
      say`Hidden damage that teardown may find (not in the total)`,
      data.results?.hidden_damage_risks ?? [],
      [
        textColumn(say`Component`, 30, ({ component }) => describePart(component, say)),
        numberColumn(say`Probability`, 14, ({ probability }) => say.figure(formatPercent(probability))),
        textColumn(say`Basis`, 56, ({ basis }) => say.stored(basis)),
      ],
    ),
  ]);
}

/**
 * Lists unassessed subjects that are not mentioned elsewhere: photo issues cover unrecognized vehicles, and the first
 * page covers mechanical parts.
 */
export function listOtherNotAssessed({
  results,
  images,
}: Pick<VisualInspection, 'results' | 'images'>): readonly NotAssessed[] {
  const isUnseen = (code: string) => code === 'no_vehicle' || code === 'turned';
  const withoutVehicle = images.filter(({ issues }) => issues.some(({ code }) => isUnseen(code)));
  const isMentionedElsewhere = ({ code, what }: NotAssessed) =>
    what === 'mechanical' || (isUnseen(code) && withoutVehicle.some(({ url }) => url === what));
  return (results?.not_assessed ?? []).filter((one) => !isMentionedElsewhere(one));
}

/** Names a single photo by number and file name, but several by number only, because long lists overflow the cell. */
function namePhotos(photos: readonly Photo[], inAll: number, say: Say): string {
  const [only] = photos;
  if (photos.length === inAll && inAll > 3) return say`All ${inAll} photos`;
  if (only && photos.length === 1) return `${only.index + 1}: ${readFileName(only.url)}`;
  return photos.map((photo) => photo.index + 1).join(', ');
}
