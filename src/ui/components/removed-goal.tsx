import { Link } from 'wouter';
import { ApiError } from '../api/problem.ts';
import { IconArchive } from '../generated/icons.tsx';
import { archiveOf, type RemovedGoal } from '../view/removed-goal.ts';
import { buttonClass } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { StateBox } from './state-box.tsx';

/** What the service said of a goal that retention removed; null where it said something else. */
export const removedGoal = (error: unknown): RemovedGoal | null =>
  error instanceof ApiError && error.problem.code === 'goal_removed' ? error.problem : null;

/** Nothing of it comes back by another try: its archive is a file that the command line reads. */
export function RemovedBox(props: { readonly goal: RemovedGoal; readonly isPage?: boolean }) {
  const { goal, isPage = false } = props;
  const read = archiveOf(goal);
  return (
    <StateBox
      icon={<IconArchive size={28} stroke={1.4} aria-hidden="true" />}
      isPage={isPage}
      title="The goal was removed"
      text={goal.detail}
      {...(read === null ? {} : { code: read })}
    >
      {read === null ? null : <CopyButton text={read} words="Copy the command that reads it" />}
      {isPage ? (
        <Link className={buttonClass({})} href="/goals">
          Back to goals
        </Link>
      ) : null}
    </StateBox>
  );
}
