/** A flag that was dropped, with what to do instead as a sentence. */
interface DroppedFlag {
  /** Words of the command after `vehi`; every command if absent. */
  readonly command?: string;
  readonly flag: string;
  readonly instead: string;
}

const DROPPED_FLAGS: readonly DroppedFlag[] = [
  {
    command: 'inspect',
    flag: '--baseline',
    instead: 'inspect with -o return.json, then vehi compare handover.json return.json',
  },
  {
    command: 'inspect',
    flag: '--decide',
    instead: 'inspect with -o return.json, then vehi compare handover.json return.json --decide ROW=…',
  },
  { flag: '--standard', instead: 'the comparison shows the size of new damage and both pictures' },
];

/** Returns what to do instead of a dropped flag; undefined for any other. */
export function findDroppedFlag(command: string, flag: string): string | undefined {
  return DROPPED_FLAGS.find((one) => one.flag === flag && (one.command ?? command) === command)?.instead;
}
