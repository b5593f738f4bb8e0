import type { Result } from '../../contract/result.ts';
import { listAnswerSections } from '../content/answer.ts';
import { type Block, makeParagraph, type Section } from '../content/blocks.ts';
import { listClaimFacts, nameSoftware, pickVehicleId } from '../facts.ts';
import { splitVehicles } from '../split-vehicles.ts';
import { escapeMarkdown, renderMarkdown } from '../text/markdown.ts';
import type { Formatter } from './format.ts';

/** Sections too long for a comment; the PDF and the terminal include them. */
const LEFT_OUT: readonly string[] = ['options', 'lines'];

/** Renders GitHub-flavored Markdown for a pull request or ticket, with the figures first. */
export const formatMarkdown: Formatter = (input) => {
  const sections = listAnswerSections(input, { options: true }).filter(({ id }) => !LEFT_OUT.includes(id));
  // The figures of several vehicles stay with each vehicle; their table comes first instead.
  const first = splitVehicles(input).length > 0 ? 'vehicle-table' : 'figures';
  const isFirst = ({ id }: Section, { kind }: Block) => id === first || kind === first;
  const select = (isWanted: boolean) =>
    sections
      .map((one) => ({ ...one, blocks: one.blocks.filter((block) => isFirst(one, block) === isWanted) }))
      .filter(({ blocks }) => blocks.length > 0);
  const kind = input.inspection ? 'inspection' : 'damage assessment';
  return [
    `## Vehicle ${kind}: ${escapeMarkdown(pickVehicleId(input))}\n\n`,
    renderMarkdown([...select(true), ...listFiled(input), ...select(false), writeOrigin(input)]),
  ].join('');
};

/** Builds the section of claim and vehicle references, including the reason for a doubtful VIN. */
function listFiled(input: Result): readonly Section[] {
  const facts = listClaimFacts(input).map(([label, value]) => `${label}: ${value}`);
  return facts.length === 0 ? [] : [{ id: 'filed', title: '', blocks: [makeParagraph(facts.join(' · '))] }];
}

/** Builds the small-type section of ids and versions. */
function writeOrigin(input: Result): Section {
  const { inspection, assessment } = input;
  const facts = [
    inspection?.data.inspection_id,
    assessment?.data.assessment_id,
    nameSoftware(input),
    inspection?.meta.ai_model_version,
    inspection?.meta.region ?? assessment?.meta.region,
  ];
  const text = facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
  return { id: 'origin', title: '', small: true, blocks: [makeParagraph(text)] };
}
