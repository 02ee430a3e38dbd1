import type { Criterion, Goal, TodoItem } from '../api/types.ts';

export type EvidenceState =
  /** Met by a proof run; of an item, by its fresh receipt. */
  | 'proved'
  /** Met, and a person decides whether that is a proof. */
  | 'holds'
  /** Met as far as the host looked, and no proof yet. */
  | 'here'
  | 'stale'
  | 'doing'
  | 'open'
  | 'failed'
  | 'waiting'
  | 'dropped';

export const evidenceWords: Readonly<Record<EvidenceState, string>> = {
  proved: 'Proved',
  holds: 'Holds, not proved',
  here: 'Met, not proved yet',
  stale: 'Stale',
  doing: 'In progress',
  open: 'No evidence',
  failed: 'Failed',
  waiting: 'Waits for you',
  dropped: 'Dropped',
};

type Standing = Pick<Goal, 'status' | 'activity' | 'pause' | 'completion'>;

/** What a met criterion is worth: green says that a proof run carried the completion. */
export function worthOfMet({ status, activity, pause, completion }: Standing): EvidenceState {
  if (status === 'complete') return completion?.verification === 'verified' ? 'proved' : 'here';
  return holdsForPerson({ status, activity, pause }) ? 'holds' : 'here';
}

/** It stands still until a person decides. */
export const holdsForPerson = ({
  status,
  activity,
  pause,
}: Pick<Goal, 'status' | 'activity'> & { readonly pause?: Goal['pause'] | undefined }): boolean =>
  status !== 'complete' && (activity.on === 'approval' || pause?.approvalId !== undefined);

export function evidenceOfCriterion(
  goal: Standing,
  { state, spec, receipts }: Criterion,
  asked = false,
): EvidenceState {
  if (state === 'met') return worthOfMet(goal);
  if (spec.kind === 'approval' && asked) return 'waiting';
  if (state === 'stale' || state === 'narrowed') return 'stale';
  return receipts.length > 0 ? 'failed' : 'open';
}

export function evidenceOfTodo({ status }: Pick<TodoItem, 'status'>): EvidenceState {
  switch (status) {
    case 'completed':
      return 'proved';
    case 'in_progress':
      return 'doing';
    case 'dropped':
      return 'dropped';
    case 'pending':
      return 'open';
  }
}

export interface Proof {
  readonly proved: number;
  /** Met, and not proved: the goal goes on, or holds for a person. */
  readonly here: number;
  readonly holds: number;
  readonly stale: number;
  readonly failed: number;
  readonly open: number;
  readonly total: number;
}

/** Everything that the gate asks for: criteria and todo items. */
export function proofOf(goal: Standing & Pick<Goal, 'criteria' | 'todos'>): Proof {
  const { criteria, todos } = goal;
  const states = criteria.map((criterion) => evidenceOfCriterion(goal, criterion));
  const count = (state: EvidenceState) => states.filter((one) => one === state).length;
  const total = criteria.length + todos.total;
  const proved = count('proved') + todos.done;
  const [here, holds] = [count('here'), count('holds')];
  const stale = count('stale');
  const failed = count('failed');
  const open = total - proved - here - holds - stale - failed;
  return { proved, here, holds, stale, failed, open, total };
}

/** How far the criteria are, in a few words. */
export function criteriaWords(goal: Standing & Pick<Goal, 'criteria'>): string {
  const { criteria } = goal;
  if (criteria.length === 0) return 'none';
  const { proved, here, holds } = proofOf({ ...goal, todos: { revision: 0, total: 0, done: 0 } });
  const met = here + holds;
  const beside = met === 0 ? '' : `, ${met} ${met === 1 ? 'holds' : 'hold'}`;
  return `${proved} of ${criteria.length} proved${beside}`;
}
