import type { Criterion, Goal, TodoItem } from '../api/types.ts';

export type EvidenceState =
  | 'proved'
  | 'stale'
  | 'doing'
  | 'open'
  | 'failed'
  | 'waiting'
  | 'dropped';

export const evidenceWords: Readonly<Record<EvidenceState, string>> = {
  proved: 'Proved',
  stale: 'Stale',
  doing: 'In progress',
  open: 'No evidence',
  failed: 'Failed',
  waiting: 'Waits for you',
  dropped: 'Dropped',
};

export function evidenceOfCriterion(
  { state, spec, receipts }: Criterion,
  asked = false,
): EvidenceState {
  if (state === 'met') return 'proved';
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
  readonly stale: number;
  readonly failed: number;
  readonly open: number;
  readonly total: number;
}

/** Everything that the gate asks for: criteria and todo items. */
export function proofOf({ criteria, todos }: Pick<Goal, 'criteria' | 'todos'>): Proof {
  const states = criteria.map((criterion) => evidenceOfCriterion(criterion));
  const count = (state: EvidenceState) => states.filter((one) => one === state).length;
  const total = criteria.length + todos.total;
  const proved = count('proved') + todos.done;
  const stale = count('stale');
  const failed = count('failed');
  return { proved, stale, failed, open: total - proved - stale - failed, total };
}
