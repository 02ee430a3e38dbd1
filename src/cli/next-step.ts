import type { Goal } from '../../schema/goal.ts';

/** The command that leads on; null where none does. */
export function nextStep(goal: Goal): string | null {
  const { goalId, status, pause, archivedAt, workspace } = goal;
  if (archivedAt !== undefined) return null;
  if (status === 'budget_limited') return `raise the limit: ${amendment(goal)}`;
  if (status === 'complete' && workspace.mode === 'worktree')
    return `take it: goalkeeper apply ${goalId}, or goalkeeper pr ${goalId}`;
  if (pause === undefined) return null;
  if (pause.questionId !== undefined) return `answer it: goalkeeper answer ${goalId} TEXT`;
  if (pause.approvalId !== undefined) {
    return `decide: goalkeeper approve ${goalId}, or goalkeeper approve ${goalId} --deny --note WHY`;
  }
  return `go on: goalkeeper resume ${goalId}`;
}

/** The option for the reached limit; the reason begins with the limit's name. */
function amendment({ goalId, activity }: Goal): string {
  const options: Record<string, string> = {
    tokens: '--budget-tokens N',
    turns: '--budget-turns N',
    activeSeconds: '--budget-seconds N',
    costUsd: '--budget-cost USD',
  };
  const name = activity.reason.split(':', 1)[0] ?? '';
  return `goalkeeper amend ${goalId} ${options[name] ?? '--budget-…'}`;
}
