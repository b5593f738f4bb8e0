import { writeReference } from '../escape.ts';

/** Text that is already HTML; all other values are escaped on insertion. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Child = string | number | Markup | null | undefined | false | readonly Child[];

/** Builds HTML from a template without its indentation; values are escaped unless they are markup. */
export function html(parts: TemplateStringsArray, ...children: readonly Child[]): Markup {
  const written = parts.map((part) => part.replace(/\n +/g, ''));
  return new Markup(written.reduce((text, part, index) => text + render(children[index - 1]) + part));
}

/** Marks text of our own as markup: style sheet, script, attributes. */
export const raw = (text: string): Markup => new Markup(text);

function render(child: Child): string {
  if (child === null || child === undefined || child === false) return '';
  if (child instanceof Markup) return child.text;
  if (Array.isArray(child)) return child.map(render).join('');
  return escapeHtml(String(child));
}

/** Escapes text, and drops NUL, lone surrogates and characters that reorder the text around them. */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, writeReference)
    .replace(/\p{Surrogate}|[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll('\0', '');
}
