/** What stands in the place of commands that are gone, by their words behind `vehi`. */
export const MOVED_COMMANDS: Readonly<Record<string, string>> = {
  cluster: 'docs/compose.yml and docs/systemd start a service of several processes (docs/scale.md)',
};
