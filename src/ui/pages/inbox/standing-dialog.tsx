import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import type { Goal } from '../../api/types.ts';
import { loadingDialog } from '../../components/dialog.tsx';
import { lazyView } from '../../components/lazy-view.tsx';
import { isSamePause } from '../../view/version-text.ts';
import type { DialogName } from '../goal/dialogs/goal-dialog.tsx';

// Most answers need none of them.
const GoalDialog = lazyView(
  'The dialog',
  loadingDialog,
  async () => (await import('../goal/dialogs/goal-dialog.tsx')).GoalDialog,
);

/** A dialog of the goal's page; once it is closed, a goal that waits no longer counts as answered. */
export function StandingDialog(props: {
  readonly name: DialogName;
  readonly goal: Goal;
  readonly onClose: () => void;
  readonly onAnswered: () => void;
}) {
  const { goal, onClose, onAnswered } = props;
  const client = useQueryClient();
  const close = () => {
    onClose();
    const now = client.getQueryData<Goal>(keys.goal(goal.goalId));
    if (now !== undefined && now.revision > goal.revision && !isSamePause(goal, now)) onAnswered();
  };
  return <GoalDialog name={props.name} goal={goal} onClose={close} />;
}
