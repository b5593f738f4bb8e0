import type { InspectionEnvelope } from '../contract/inspection.ts';
import { formatDateTime, namePhoto } from '../report/figures.ts';
import { html } from '../report/html/markup.ts';
import { describeFinding } from '../report/words.ts';
import type { EvidenceFile, Manifest } from './manifest.ts';

/** Renders the page that presents an unpacked evidence file in a browser. */
export function writeIndexPage(
  facts: Omit<Manifest, 'files'>,
  files: readonly EvidenceFile[],
  { data }: InspectionEnvelope,
  changes?: string,
): string {
  const photos = files.filter(({ photo }) => photo);
  const damages = data.results?.damages ?? [];
  const policy = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'";
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Evidence: ${facts.vehicle_id}</title>
<style>body{font:16px/1.45 system-ui,sans-serif;color:#1b2430;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #d9dee5}code{word-break:break-all;font-size:.8em}img{width:9rem;height:auto;display:block}.soft{color:#5b6675}</style></head>
<body><h1>Evidence of an inspection</h1>
<p>Inspection ${facts.inspection_id} of vehicle <b>${facts.vehicle_id}</b>, inspected ${formatDateTime(facts.inspected_at)}, packed ${formatDateTime(facts.packed_at)} by ${facts.software}.</p>
${changes && html`<p><b>${changes}</b></p>`}
<h2>Damages</h2>${damages.length === 0 ? html`<p>${data.results ? 'No certain damage.' : (data.failure?.message ?? 'There is no result.')}</p>` : html`<ol>${damages.map((one) => html`<li value="${one.number}">${describeFinding(one)}</li>`)}</ol>`}
<h2>Documents</h2><table>${files.filter(({ photo }) => !photo).map(({ name, about, sha256 }) => html`<tr><td><a href="${name}">${name}</a></td><td>${about}</td><td><code>${sha256}</code></td></tr>`)}</table>
<h2>Photos as they were given</h2><p class="soft">Time, camera and software are what the files say of themselves.</p>
<table><tr><th>Photo</th><th>Taken</th><th>Camera, software</th><th>SHA-256</th></tr>${photos.map(({ name, photo, sha256 }) => html`<tr><td><a href="${name}">${/heic$/.test(name) ? null : html`<img loading="lazy" alt="" src="${name}">`}${namePhoto(photo?.url ?? name, data.images)}</a></td><td>${photo?.taken_at ?? 'not said'}</td><td>${[photo?.camera, photo?.software].filter(Boolean).join(', ') || 'not said'}</td><td><code>${sha256}</code></td></tr>`)}</table>
<h2>What made it</h2><ul>${facts.models.map(({ name, version, sha256 }) => html`<li>${name} ${version}: <code>${sha256}</code></li>`)}${facts.region && html`<li>prices of ${facts.region.name}, table ${facts.region.table_version}${facts.region.tables_sha256 && html`: <code>${facts.region.tables_sha256}</code>`}</li>`}</ul>
<h2>How to check it</h2><p><code>vehi verify FILE.zip --key ${facts.key}</code> names every change. Without vehi, in the unpacked folder: the key is the right one if <code>openssl pkey -pubin -in key.pem -outform DER | sha256sum</code> prints the fingerprint that its owner gave you; it signed the list if <code>openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in manifest.json -sigfile manifest.sig</code> says so; and each file is whole if <code>sha256sum</code> prints what manifest.json lists.</p>
</body></html>
`.text;
}
