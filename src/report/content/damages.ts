import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { ABSENT, formatAssessedSize, formatPercent, formatSize } from '../figures.ts';
import { type DamageRow, listPhotoNumbers } from '../finding-rows.ts';
import { english, type Translator } from '../translator.ts';
import { describeDamage, describeFindingPart, humanize } from '../words.ts';
import { makeSection, numberColumn, type Section, type Table, tabulate, textColumn } from './blocks.ts';
import { makeFindingRef } from './photos.ts';
import { describeListedCost, nameListedRepair } from './repair.ts';

/** Builds the table of damages that no photo shows; null without any. */
export function writeDamages(input: Result, all: readonly DamageRow[], t: Translator): Section | null {
  const rows = all.filter(({ found }) => found === null);
  return makeSection('damages', t`Damages`, rows.length > 0 ? [makeDamageTable(input, rows, t)] : []);
}

/** Builds the table of damages; photo columns are omitted without an inspection. */
export function makeDamageTable(input: Result, rows: readonly DamageRow[], t = english): Table {
  const { inspection, assessment } = input;
  return tabulate(
    rows,
    [
      numberColumn(t`No.`, 5, ({ number }) => String(number)),
      textColumn(t`Part`, 17.9, (row) => describeFindingPart(row, t)),
      textColumn(t`Damage`, 13.6, ({ type, subtype, part }) => describeDamage(type, subtype, part, t)),
      textColumn(t`Severity`, 11, ({ severity }) => ({ severity, label: t.word(humanize(severity)) })),
      numberColumn(t`Score`, 7, ({ score }) => t.figure(score.toFixed(1))),
      textColumn(t`Size`, inspection ? 15.5 : 9, (row) => writeSizeCell(row, t)),
      inspection !== null &&
        numberColumn(t`Sure`, 6.4, ({ confirmedBy, found }) =>
          confirmedBy === null ? t.figure(formatPercent(found?.confidence)) : t`confirmed`,
        ),
      inspection !== null &&
        numberColumn(t`Photo`, 9.5, ({ found }) => (found ? listPhotoNumbers([found]).join(', ') : ABSENT)),
      numberColumn(assessment ? t`Recommended repair` : t`Cost`, inspection ? 20.5 : 32, (row) =>
        formatCost(input, row, t),
      ),
    ],
    (row) => ({
      ...(row.remark === undefined ? {} : { note: t.stored(row.remark) }),
      finding: makeFindingRef(row, t),
    }),
  );
}

/** Formats the chosen repair and the price of the part, which its damages share; a place to check has none. */
function formatCost(input: Result, row: DamageRow, t: Translator): string {
  return compact([nameListedRepair(input, row, t), describeListedCost(input, row.id, t)]).join(' ') || ABSENT;
}

/** Formats the size with no-break spaces, so it wraps only before its uncertainty. */
function writeSizeCell({ found, assessed }: DamageRow, t: Translator): string {
  const stated = (assessed && formatAssessedSize(assessed)) ?? ABSENT;
  return t.figure((found && formatSize(found)) ?? stated).replaceAll(/ (?!±)/g, '\u00A0');
}
