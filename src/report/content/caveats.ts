import type { NotAssessed, Photo, VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { preventsJudgment } from '../../domain/photo.ts';
import { compact } from '../../lib/lists.ts';
import { formatPercent, namePhoto } from '../figures.ts';
import { groupIssues } from '../photo-issues.ts';
import { capitalize, english, type Translator } from '../translator.ts';
import { describePart, describeSubject, endSentence, humanize } from '../words.ts';
import {
  type Block,
  makeHeading,
  makeParagraph,
  makeSection,
  makeTitledTable,
  numberColumn,
  type Section,
  textColumn,
} from './blocks.ts';

/** Builds the section on what was not assessed, photo issues, rejected photos, hidden damage and warnings; null without any. */
export function writeCaveats(
  { inspection, assessment }: Result,
  missing: ReadonlyMap<number, string>,
  t = english,
): Section | null {
  const warnings = [
    ...(inspection ? selectWarnings(inspection.data) : []),
    ...(assessment?.data.warnings ?? []),
  ];
  const tables = inspection ? writeInspectionBlocks(inspection.data, t) : [];
  const notes = [
    ...[...missing].map(([index, reason]) => t`Photo ${index + 1} is not shown: ${t.stored(reason)}`),
    ...warnings.map(({ message }) => capitalize(t.stored(message))),
  ].map((text) => makeParagraph(endSentence(text)));
  // Without a heading, notes after a table would read as part of it.
  const titledNotes = tables.length > 0 && notes.length > 0 ? [makeHeading(t`Warnings`), ...notes] : notes;
  const title = inspection ? t`Not assessed, photo issues, warnings` : t`Warnings`;
  return makeSection('caveats', title, [...tables, ...titledNotes]);
}

/** Selects warnings not shown elsewhere in the report; several vehicles have their own headline and list. */
export function selectWarnings({
  warnings,
  vehicle_groups: groups,
}: Pick<VisualInspection, 'warnings' | 'vehicle_groups'>): VisualInspection['warnings'] {
  return groups.length > 0 ? warnings.filter(({ code }) => code !== 'several_vehicles') : warnings;
}

function writeInspectionBlocks(data: VisualInspection, t: Translator): Block[] {
  const reported = (data.results?.not_assessed ?? []).map(({ what }) => what);
  const views = data.missing_views
    .filter((view) => !reported.includes(view))
    .map((view) => t.word(humanize(view).toLowerCase()))
    .join(', ');
  return compact([
    data.partial && makeParagraph(t`The inspection was interrupted: this report is partial.`, 'bold'),
    ...makeTitledTable(t`Not assessed`, listOtherNotAssessed(data), [
      textColumn(t`What`, 32, ({ what }) => describeSubject(namePhoto(what, data.images), t)),
      textColumn(t`Reason`, 68, ({ reason }) => t.stored(reason)),
    ]),
    views && makeParagraph(t`Not photographed: ${views}.`),
    ...makeTitledTable(t`Photo issues`, groupIssues(data.images), [
      textColumn(t`Photo`, 24, ({ photos }) => namePhotos(photos, data.images, t)),
      textColumn(t`Issue`, 50, ({ message }) => t.stored(message)),
      numberColumn(t`Found`, 14, ({ measured }) => t.figure(measured)),
      numberColumn(t`Limit`, 12, ({ limit }) => t.figure(limit)),
    ]),
    ...makeTitledTable(t`Photos rejected`, data.rejected_images, [
      textColumn(t`Photo`, 30, ({ url }) => namePhoto(url, [...data.images, ...data.rejected_images])),
      textColumn(t`Reason`, 36, ({ message }) => t.stored(message)),
      textColumn(t`Found`, 17, ({ found }) => t.stored(found)),
      textColumn(t`Needed`, 17, ({ needed }) => t.stored(needed)),
    ]),
    ...makeTitledTable(
      t`Hidden damage that teardown may find (not in the total)`,
      data.results?.hidden_damage_risks ?? [],
      [
        textColumn(t`Component`, 30, ({ component }) => describePart(component, t)),
        numberColumn(t`Probability`, 14, ({ probability }) => t.figure(formatPercent(probability))),
        textColumn(t`Basis`, 56, ({ basis }) => t.stored(basis)),
      ],
    ),
  ]);
}

/** Lists unassessed subjects that neither the photo issues nor the first page mention. */
export function listOtherNotAssessed({
  results,
  images,
}: Pick<VisualInspection, 'results' | 'images'>): readonly NotAssessed[] {
  const withoutVehicle = images.filter(({ issues }) => issues.some(preventsJudgment)).map(({ url }) => url);
  const isMentionedElsewhere = (one: NotAssessed) =>
    one.what === 'mechanical' || (preventsJudgment(one) && withoutVehicle.includes(one.what));
  return (results?.not_assessed ?? []).filter((one) => !isMentionedElsewhere(one));
}

/** Names a single photo by number and file name, but several by number only, because long lists overflow the cell. */
function namePhotos(photos: readonly Photo[], all: readonly Photo[], t: Translator): string {
  const [only] = photos;
  if (photos.length === all.length && all.length > 3) return t`All ${all.length} photos`;
  if (only && photos.length === 1) return t`${only.index + 1}: ${namePhoto(only.url, all)}`;
  return photos.map((photo) => photo.index + 1).join(', ');
}
