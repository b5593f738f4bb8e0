import { drawTextPaths, measureTextEm } from '../../../src/images/draw/label-glyphs.ts';
import { openImage } from '../../../src/images/sharp.ts';

const SIZE = { width: 1280, height: 800 };

/** Draws a photo of a light label with a line of text, slightly turned, as PNG. */
export async function drawLabel(text: string): Promise<Buffer> {
  const width = 44 * measureTextEm(text);
  const paths = drawTextPaths(text, 330, 420, 44);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}"><rect width="100%" height="100%" fill="#3a4048"/><g transform="rotate(-3 600 400)"><rect x="290" y="340" width="${width + 80}" height="130" fill="#e4e4dc"/>${paths}</g></svg>`;
  return openImage(Buffer.from(svg)).flatten().png().toBuffer();
}
