import type { Goal } from '../../../api/types.ts';

export interface GoalDialogProps {
  readonly goal: Goal;
  readonly onClose: () => void;
}
