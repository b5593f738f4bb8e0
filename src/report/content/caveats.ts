import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { formatPercent, readFileName } from '../figures.ts';
import { groupIssues, listOtherNotAssessed, selectWarnings } from '../photo-issues.ts';
import { english, type Say } from '../say.ts';
import { describePart, describeSubject, humanise } from '../words.ts';
import { type Block, makeHeading, makeParagraph, makeTitledTable, type Section } from './blocks.ts';

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

function writeInspectionBlocks(data: VisualInspection, say: Say): Block[] {
  const reported = (data.results?.not_assessed ?? []).map(({ what }) => what);
  const views = data.missing_views
    .filter((view) => !reported.includes(view))
    .map((view) => say.word(humanise(view).toLowerCase()))
    .join(', ');
  return [
    ...(data.partial
      ? [makeParagraph(say`The inspection was interrupted: this report is partial.`, 'bold')]
      : []),
    ...makeTitledTable(
      say`Not assessed`,
      [
        { title: say`What`, share: 32 },
        { title: say`Reason`, share: 68 },
      ],
      listOtherNotAssessed(data).map((one) => ({
        cells: [describeSubject(readFileName(one.what), say), say.stored(one.reason)],
      })),
    ),
    ...(views ? [makeParagraph(say`Not photographed: ${views}.`)] : []),
    ...makeTitledTable(
      say`Photo issues`,
      [
        { title: say`Photo`, share: 24 },
        { title: say`Issue`, share: 50 },
        { title: say`Found`, share: 14, align: 'right' },
        { title: say`Limit`, share: 12, align: 'right' },
      ],
      groupIssues(data.images).map(({ photos, message, measured, limit }) => ({
        cells: [
          namePhotos(photos, data.images.length, say),
          say.stored(message),
          say.figure(measured),
          say.figure(limit),
        ],
      })),
    ),
    ...makeTitledTable(
      say`Photos rejected`,
      [
        { title: say`Photo`, share: 30 },
        { title: say`Reason`, share: 36 },
        { title: say`Found`, share: 17 },
        { title: say`Needed`, share: 17 },
      ],
      data.rejected_images.map((one) => ({
        cells: [
          readFileName(one.url),
          say.stored(one.message),
          say.stored(one.found),
          say.stored(one.needed),
        ],
      })),
    ),
    ...makeTitledTable(
      say`Hidden damage that teardown may find (not in the total)`,
      [
        { title: say`Component`, share: 30 },
        { title: say`Probability`, share: 14, align: 'right' },
        { title: say`Basis`, share: 56 },
      ],
      (data.results?.hidden_damage_risks ?? []).map((one) => ({
        cells: [
          describePart(one.component, say),
          say.figure(formatPercent(one.probability)),
          say.stored(one.basis),
        ],
      })),
    ),
  ];
}

/** Names a single photo by number and file name, and several by number only, because long lists overflow the cell. */
function namePhotos(photos: readonly Photo[], inAll: number, say: Say): string {
  const [only] = photos;
  if (photos.length === inAll && inAll > 3) return say`All ${inAll} photos`;
  if (only && photos.length === 1) return `${only.index + 1}: ${readFileName(only.url)}`;
  return photos.map((photo) => photo.index + 1).join(', ');
}
