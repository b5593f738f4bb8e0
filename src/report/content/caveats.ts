import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { formatPercent, readFileName } from '../figures.ts';
import { groupIssues, listOtherNotAssessed } from '../photo-issues.ts';
import { selectWarnings } from '../warnings.ts';
import { describeSubject, humanise } from '../words.ts';
import {
  type Block,
  type Column,
  makeHeading,
  makeParagraph,
  makeTable,
  type Row,
  type Section,
} from './blocks.ts';

/**
 * Builds the section on unassessed areas, photo issues, rejected or unavailable photos, and all warnings; null for an
 * estimate without photos and without warnings.
 */
export function writeCaveats(
  { inspection, assessment }: Result,
  missing: ReadonlyMap<number, string>,
): Section | null {
  const warnings = [
    ...(inspection ? selectWarnings(inspection.data) : []),
    ...(assessment?.data.warnings ?? []),
  ];
  const found = inspection ? writeInspectionBlocks(inspection.data) : [];
  const notes = [
    ...[...missing].map(([index, reason]) => makeParagraph(`Photo ${index + 1} is not shown: ${reason}`)),
    ...warnings.map((warning) => makeParagraph(warning.message)),
  ];
  // Without a heading, notes after a table would read as part of it.
  const titledNotes = found.length > 0 && notes.length > 0 ? [makeHeading('Warnings'), ...notes] : notes;
  const blocks = [...found, ...titledNotes];
  if (!inspection) return blocks.length === 0 ? null : { id: 'caveats', title: 'Warnings', blocks };
  return {
    id: 'caveats',
    title: 'Not assessed, photo issues, warnings',
    blocks: blocks.length > 0 ? blocks : [makeParagraph('Nothing to note.')],
  };
}

function writeInspectionBlocks(data: VisualInspection): Block[] {
  const reported = (data.results?.not_assessed ?? []).map(({ what }) => what);
  const views = data.missing_views
    .filter((view) => !reported.includes(view))
    .map((view) => humanise(view).toLowerCase())
    .join(', ');
  return [
    ...(data.partial
      ? [makeParagraph('The inspection was interrupted: this report is partial.', 'bold')]
      : []),
    ...makeTitledTable(
      'Not assessed',
      [
        { title: 'What', share: 32 },
        { title: 'Reason', share: 68 },
      ],
      listOtherNotAssessed(data).map((one) => ({
        cells: [describeSubject(readFileName(one.what)), one.reason],
      })),
    ),
    ...(views ? [makeParagraph(`Not photographed: ${views}.`)] : []),
    ...makeTitledTable(
      'Photo issues',
      [
        { title: 'Photo', share: 24 },
        { title: 'Issue', share: 50 },
        { title: 'Found', share: 14, align: 'right' },
        { title: 'Limit', share: 12, align: 'right' },
      ],
      groupIssues(data.images).map(({ photos, message, measured, limit }) => ({
        cells: [namePhotos(photos, data.images.length), message, measured, limit],
      })),
    ),
    ...makeTitledTable(
      'Photos rejected',
      [
        { title: 'Photo', share: 30 },
        { title: 'Reason', share: 36 },
        { title: 'Found', share: 17 },
        { title: 'Needed', share: 17 },
      ],
      data.rejected_images.map((one) => ({
        cells: [readFileName(one.url), one.message, one.found, one.needed],
      })),
    ),
    ...makeTitledTable(
      'Hidden damage that teardown may find (not in the total)',
      [
        { title: 'Component', share: 30 },
        { title: 'Probability', share: 14, align: 'right' },
        { title: 'Basis', share: 56 },
      ],
      (data.results?.hidden_damage_risks ?? []).map((one) => ({
        cells: [humanise(one.component), formatPercent(one.probability), one.basis],
      })),
    ),
  ];
}

function makeTitledTable(title: string, columns: readonly Column[], rows: readonly Row[]): Block[] {
  return rows.length === 0 ? [] : [makeHeading(title), makeTable(columns, rows)];
}

/** Names a single photo by number and file name, and several by number only, because long lists overflow the cell. */
function namePhotos(photos: readonly Photo[], inAll: number): string {
  const [only] = photos;
  if (photos.length === inAll && inAll > 3) return `All ${inAll} photos`;
  if (only && photos.length === 1) return `${only.index + 1}: ${readFileName(only.url)}`;
  return photos.map((photo) => photo.index + 1).join(', ');
}
