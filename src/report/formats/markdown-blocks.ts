/** Returns a table of texts; `alignment` is the row below its header. */
export function writeTable(
  header: readonly string[],
  alignment: string,
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [line(header), alignment, ...rows.map(line), ''];
}

/** Returns a list under a bold title; nothing where it has no items. */
export function writeBullets(title: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`**${title}**`, '', ...items.map((item) => `- ${escapeMarkdown(item)}`), ''];
}

/**
 * Returns the text on one line, with every character escaped that Markdown or HTML would read as markup or as a
 * mention.
 */
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
