import type { ComponentType } from 'react';
import { ApplyDialog } from './apply-dialog.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { ChainDialog } from './chain-dialog.tsx';
import { ClearDialog } from './clear-dialog.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { CriteriaDialog } from './criteria-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';
import { MessageDialog } from './message-dialog.tsx';
import { ModelDialog } from './model-dialog.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { RequirementsDialog } from './requirements-dialog.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { RewindDialog } from './rewind-dialog.tsx';

const dialogs = {
  apply: ApplyDialog,
  approve: ApproveDialog,
  budget: BudgetDialog,
  chain: ChainDialog,
  clear: ClearDialog,
  complete: CompleteDialog,
  criteria: CriteriaDialog,
  edit: EditDialog,
  message: MessageDialog,
  model: ModelDialog,
  pause: PauseDialog,
  requirements: RequirementsDialog,
  resume: ResumeDialog,
  rewind: RewindDialog,
} as const satisfies Record<string, ComponentType<GoalDialogProps>>;

export type DialogName = keyof typeof dialogs;

export function GoalDialog({ name, ...props }: GoalDialogProps & { readonly name: DialogName }) {
  const Shown = dialogs[name];
  return <Shown {...props} />;
}
