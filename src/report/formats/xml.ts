const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Escapes text for an XML attribute or element, and replaces characters that XML 1.0 forbids even as references. */
export function escapeXml(text: string): string {
  return replaceIllegal(text).replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character] ?? character);
}

function replaceIllegal(text: string): string {
  return Array.from(text.replace(/\p{Surrogate}/gu, '\uFFFD'), (character) =>
    isLegal(character.codePointAt(0) ?? 0) ? character : '\uFFFD',
  ).join('');
}

/** Returns true if XML 1.0 allows the character (production 2, Char). */
function isLegal(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    code >= 0x10000
  );
}
