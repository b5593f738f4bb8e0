import { createHash } from 'node:crypto';
import type { Translator } from '../translator.ts';
import { html, type Markup, raw } from './markup.ts';

/** Writes a self-contained page whose policy allows only its own style sheet and script. */
export function writePage(
  t: Translator,
  title: string,
  body: Markup,
  style: string,
  script?: string,
): string {
  const scripts = script === undefined ? '' : ` script-src 'sha256-${hashForPolicy(script)}';`;
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hashForPolicy(style)}';${scripts} base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="${t.code}"><head>
    <meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
    <title>${title}</title><style>${raw(style)}</style></head>
<body>${body}${script !== undefined && html`<script>${raw(script)}</script>`}</body></html>
`.text;
}

function hashForPolicy(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
