/** What stands in the place of commands that are gone, by their words behind `vehi`. */
export const MOVED_COMMANDS: Readonly<Record<string, string>> = {
  cluster: 'docs/compose.yml and docs/systemd start a service of several processes (docs/scale.md)',
  licenses: 'THIRD-PARTY.txt of the package lists them, NOTICE what they contain',
  man: 'man vehi shows the page that is installed (dist/vehi.1)',
  show: 'vehi history ID',
  keys: 'vehi admin keys',
  accounts: 'vehi admin accounts',
  webhooks: 'vehi admin webhooks',
  data: 'vehi admin data',
  schema: 'vehi admin schema',
};

/** What stands in the place of flags that are gone, by command and flag. */
export const MOVED_FLAGS: Readonly<Record<string, string>> = {
  'assess --fail-on-cost': '--fail-on "cost>AMOUNT"',
  'assess --claim': '--set KEY=VALUE',
  'assess --vehicle': '--set KEY=VALUE',
  'inspect --claim': '--set KEY=VALUE',
  'inspect --concurrency': 'VEHI_CONCURRENCY, or the setting concurrency',
  'inspect --per-folder': '--many FOLDER',
  'inspect --vehicle': '--set KEY=VALUE',
  'inspect --vehicles': '--many LIST.csv',
  'inspect --fail-on-cost': '--fail-on "cost>AMOUNT"',
  'inspect --fail-on-unchecked': '--fail-on unchecked',
  'inspect --min-score': '--fail-on "score<NUMBER"',
  'inspect --split-vehicles': 'a folder for each vehicle, then --many',
  'report --claim': '--set KEY=VALUE',
  'report --vehicle': '--set KEY=VALUE',
  'report --fail-on-unchecked': '--fail-on unchecked',
  'compare --redact-regions': '--redact FILE',
  'compare --redact-strict': '--redact strict',
  'inspect --redact-regions': '--redact FILE',
  'inspect --redact-strict': '--redact strict',
  'report --redact-regions': '--redact FILE',
  'report --redact-strict': '--redact strict',
  'review --in-terminal': 'the page, or --decisions FILE',
};
