import type { Photo, PhotoIssue, VisualInspection } from '../../contract/inspection.ts';
import { fileName, percent, plain } from '../figures.ts';
import type { ReportInput } from '../input.ts';
import { humanise, subjectWords } from '../words.ts';
import { type Block, type Column, heading, paragraph, type Row, type Section, table } from './blocks.ts';

/** What was not assessed, what is wrong with photos, which were rejected or cannot be shown, and every warning. */
export function caveatsSection(
  { inspection, assessment }: ReportInput,
  missing: ReadonlyMap<number, string>,
): Section {
  const warnings = [...(inspection?.data.warnings ?? []), ...(assessment?.data.warnings ?? [])];
  const found = inspection ? inspectionBlocks(inspection.data) : [];
  const notes = [
    ...[...missing].map(([index, reason]) => paragraph(`Photo ${index + 1} is not shown: ${reason}`)),
    ...warnings.map((warning) => paragraph(warning.message)),
  ];
  // After a table, notes without a heading would read as part of it.
  const titledNotes = found.length > 0 && notes.length > 0 ? [heading('Warnings'), ...notes] : notes;
  const blocks = [...found, ...titledNotes];
  return {
    id: 'caveats',
    title: 'Not assessed, photo issues, warnings',
    blocks: blocks.length > 0 ? blocks : [paragraph('Nothing to note.')],
  };
}

function inspectionBlocks(data: VisualInspection): Block[] {
  const issues = groupedIssues(data.images);
  const views = data.missing_views.map((view) => humanise(view).toLowerCase()).join(', ');
  return [
    ...(data.partial ? [paragraph('The inspection was interrupted: this report is partial.', 'bold')] : []),
    ...titled(
      'Not assessed',
      [
        { title: 'What', share: 32 },
        { title: 'Reason', share: 68 },
      ],
      (data.results?.not_assessed ?? []).map((one) => ({ cells: [subjectWords(one.what), one.reason] })),
    ),
    ...(views ? [paragraph(`Nobody photographed: ${views}.`)] : []),
    ...titled(
      'Photo issues',
      [
        { title: 'Photo', share: 30 },
        { title: 'Issue', share: 46 },
        { title: 'Found', share: 12, align: 'right' },
        { title: 'Limit', share: 12, align: 'right' },
      ],
      issues.map(({ photos, issue }) => ({
        cells: [photoNames(photos), issue.message, plain(issue.value, 2), plain(issue.limit, 2)],
      })),
    ),
    ...titled(
      'Photos rejected',
      [
        { title: 'Photo', share: 30 },
        { title: 'Reason', share: 36 },
        { title: 'Found', share: 17 },
        { title: 'Needed', share: 17 },
      ],
      data.rejected_images.map((one) => ({ cells: [fileName(one.url), one.message, one.found, one.needed] })),
    ),
    ...titled(
      'Hidden damage that may be found on dismantling (in no total)',
      [
        { title: 'Component', share: 30 },
        { title: 'Probability', share: 14, align: 'right' },
        { title: 'Basis', share: 56 },
      ],
      (data.results?.hidden_damage_risks ?? []).map((one) => ({
        cells: [humanise(one.component), percent(one.probability), one.basis],
      })),
    ),
  ];
}

function titled(title: string, columns: readonly Column[], rows: readonly Row[]): Block[] {
  return rows.length === 0 ? [] : [heading(title), table(columns, rows)];
}

/** Issues of equal wording and figures once, with all photos they hold for. */
function groupedIssues(images: readonly Photo[]): readonly { photos: Photo[]; issue: PhotoIssue }[] {
  const groups = new Map<string, { photos: Photo[]; issue: PhotoIssue }>();
  for (const photo of images) {
    for (const issue of photo.issues) {
      const key = JSON.stringify([issue.code, issue.message, issue.value, issue.limit]);
      const group = groups.get(key) ?? { photos: [], issue };
      group.photos.push(photo);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** One photo by number and name, several by their numbers alone: names of fifty would not fit a cell. */
function photoNames(photos: readonly Photo[]): string {
  const [only] = photos;
  if (only && photos.length === 1) return `${only.index + 1}: ${fileName(only.url)}`;
  return photos.map((photo) => photo.index + 1).join(', ');
}
