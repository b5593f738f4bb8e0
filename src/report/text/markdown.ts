import { type Block, readCell, type Section } from '../content/blocks.ts';

/** Renders sections as GitHub-flavored Markdown; the text ends with a line break. */
export function renderMarkdown(sections: readonly Section[]): string {
  const texts = sections.flatMap(({ title, blocks, small, nested }) => [
    ...(title === '' ? [] : [`${nested ? '####' : '###'} ${escapeMarkdown(title)}`]),
    ...blocks.map((block) => (small ? `<sub>${renderBlock(block)}</sub>` : renderBlock(block))),
  ]);
  // Removes the blank lines between items of a list.
  return `${texts.join('\n\n').replace(/\n\n(?=- )(?<=\n- .*\n\n)/g, '\n')}\n`;
}

function renderBlock(block: Block): string {
  if (block.kind === 'heading') return `**${escapeMarkdown(block.text)}**`;
  if (block.kind === 'paragraph') {
    // A name at the start of a paragraph, such as `1. front.jpg`, would begin a list.
    const text = escapeMarkdown(block.text).replace(/^([-+]|\d+[.)])(?= )/, (mark) =>
      mark.replace(/.$/, '\\$&'),
    );
    if (block.tone === 'item') return `- ${text}`;
    return block.tone === 'bold' || block.tone === 'warning' ? `**${text}**` : text;
  }
  if (block.kind === 'figures')
    return block.figures
      .map(({ label, value, note }) =>
        [`**${escapeMarkdown(label)}** ${escapeMarkdown(value)}`, escapeMarkdown(note)]
          .filter(Boolean)
          .join(', '),
      )
      .join(' · ');
  if (block.kind !== 'table') return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = block.rows.map(({ cells, bold, note }) =>
    cells.map((cell, index) => {
      const text = escapeMarkdown(readCell(cell));
      const noted = index === 1 && note ? `${text} (${escapeMarkdown(note)})` : text;
      return bold && noted !== '' ? `**${noted}**` : noted;
    }),
  );
  return [
    line(block.columns.map(({ title }) => escapeMarkdown(title))),
    `|${block.columns.map(({ align }) => (align === 'right' ? '---:' : '---')).join('|')}|`,
    ...rows.map(line),
  ].join('\n');
}

/** Escapes text for Markdown on a single line, including HTML markup and mentions. */
export function escapeMarkdown(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('#', '&#35;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
}
