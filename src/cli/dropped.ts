/**
 * Dropped parts of the command line, with their replacements. A key is a flag (`--shard`), a flag of one command
 * (`inspect --baseline`), a command (`admin schema`) including its subcommands, a help topic or an output kind.
 */
export const DROPPED: Readonly<Record<string, string>> = {
  'inspect --baseline': 'Inspect with -o return.json, then vehi compare handover.json return.json.',
  'inspect --decide':
    'Inspect with -o return.json, then vehi compare handover.json return.json --decide ROW=….',
  'inspect --review': 'Inspect with -o result.json, then vehi review result.json.',
  'review --host': 'The page is served on this machine; over ssh, forward the port of its link.',
  'review --allow-host': 'The page is served on this machine only.',
  'review --idle-minutes': 'The command ends when the review is finished.',
  'inspect --shard':
    'Give each machine a part of the list: vehi inspect --many part.03.csv (docs/using/inspect.md).',
  'output kind ems': 'The lines of the estimate: -o FILE.lines.csv.',
  'output kind lines-json': 'The JSON has them under estimate.lines.',
  'output kind concise': 'One row per finding: csv.',
  'output kind sarif': 'The JSON has every finding; github annotates a run, junit is for CI systems.',
  'output kind coco': 'The JSON has the boxes; a review exports its corrections as COCO.',
  'inspect --edit':
    'Inspect with -o result.json, then vehi assess result.json --edit LINE:hours=3.5, or vehi review.',
  '--settlement':
    'A deductible, towing or rental is not part of the repair: add it where the claim is settled.',
  '--supplement': 'Price the whole list again: vehi assess with all damages prints the new estimate.',
  '--associated':
    'Put it into the JSON of the request: "assessment_options": {"associated_operations": "all"}.',
  '--no-part-prices':
    'Put it into the JSON of the request: "assessment_options": {"include_part_prices": false}.',
  '--no-timeline':
    'Put it into the JSON of the request: "assessment_options": {"include_repair_timeline": false}.',
  '--overrides': 'Put overrides and line_edits into the JSON of the request, or change lines with --edit.',
  'config list': 'List every setting with its value and source: vehi config.',
  'config get': 'Read it from the list: vehi config.',
  'config path': 'The files are named below the list: vehi config.',
  'config --sources': 'The list shows the sources: vehi config.',
  'init --yes': 'Leave the flag out: vehi init asks nothing.',
  'help formats': 'The kinds are listed by vehi inspect --help and docs/using/reports.md.',
  'help prices': 'What amounts include is said in docs/using/assess.md.',
  history: 'Keep results as files: vehi inspect -o result.json.',
  '--save': 'Write the result to a file: -o result.json.',
  models:
    'The models are verified by vehi doctor, described by models/*.md, and measured by npm run models:measure in the repository.',
  'regions fit --code': 'The region is MY_SHOP: change its code in the file.',
  'regions new': 'Change a row that is there: vehi regions show EU_GERMANY --json > mine.json.',
  '--precision': 'Each model has one file: leave the flag and the setting out.',
  '--standard': 'The comparison shows the size of new damage and both pictures.',
  '--remote':
    'Work on the page /app of the service, or send photos with any HTTP client (docs/using/serve.md).',
  'admin keys rotate':
    'Replace a key by POST /v1/keys/ID/rotate of the service, or create one and revoke the other.',
  'admin data purge --inspection':
    'Remove it at the service: DELETE /v1/inspections/visual/ID or /v1/inspections/damage-assessment/ID.',
  'admin data migrate': 'The tables are migrated by the first vehi serve or vehi work that starts.',
  'admin webhooks': 'Manage them at the service: curl -H "Authorization: Bearer KEY" URL/v1/webhooks.',
  'admin data import':
    'Begin a service on several machines with an empty database; vehi serve --data still reads the directory.',
  ...Object.fromEntries(
    ['keep-days', 'keep-photos', 'keep-views', 'region', 'currency', 'min-confidence', 'results-url'].map(
      (flag) => [
        `work --${flag}`,
        `An inspection has it from the service that took it: vehi serve --${flag}.`,
      ],
    ),
  ),
  '--api-key-file': 'Pipe the key into vehi auth login (vehi auth login < FILE), or set VEHI_API_KEY.',
  'serve --allow-files': 'Send the photos themselves, in a multipart body or to POST /v1/uploads.',
  'serve --no-app':
    'Refuse /app/ in the proxy in front of the service; the page needs a key as the API does.',
  'doctor --base-url': 'Ask the service: vehi auth test --base-url URL, or curl URL/healthz.',
  '--redis': 'PostgreSQL distributes the work of several machines: leave the flag out.',
  'admin schema': 'A service serves its OpenAPI document: curl http://127.0.0.1:8080/v1/openapi.json.',
};

/**
 * Returns why a word after the command `path` (without `vehi`) is refused, and its replacement; undefined for a word
 * that was never a flag or command.
 */
export function findDropped(path: string, word: string): string | undefined {
  const called = `${path} ${word}`.trim();
  const name = [called, word.startsWith('-') ? word : called].find((key) => Object.hasOwn(DROPPED, key));
  return name === undefined ? undefined : `${name} was removed. ${DROPPED[name]}`;
}
