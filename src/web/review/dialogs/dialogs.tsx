import { dialog } from '../store.ts';
import { ExportDialog } from './export-dialog.tsx';
import { FinishDialog } from './finish-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { PartDialog } from './part-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { RepairDialog } from './repair-dialog.tsx';

/** Renders the dialog that is open, if any. */
export function Dialogs() {
  switch (dialog.value) {
    case 'keys':
      return <KeysDialog />;
    case 'part':
      return <PartDialog />;
    case 'plan':
      return <PlanDialog />;
    case 'repair':
      return <RepairDialog />;
    case 'export':
      return <ExportDialog />;
    case 'finish':
      return <FinishDialog />;
    default:
      return null;
  }
}
