import type { ComponentType } from 'preact';
import { type DialogName, dialog } from '../store.ts';
import { ExportDialog } from './export-dialog.tsx';
import { FinishDialog } from './finish-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { PartDialog } from './part-dialog.tsx';
import { RepairDialog } from './repair-dialog.tsx';

const DIALOGS: Readonly<Record<DialogName, ComponentType>> = {
  none: () => null,
  keys: KeysDialog,
  part: PartDialog,
  repair: RepairDialog,
  export: ExportDialog,
  finish: FinishDialog,
};

/** Renders the open dialog, if any. */
export function Dialogs() {
  const Open = DIALOGS[dialog.value];
  return <Open />;
}
