import type { Approval, Dispute, Goal, InboxItem } from '../api/types.ts';
import { nextAct } from './actor.ts';
import { clock, compact, dollars, duration, plural } from './format.ts';

export type InboxKind = InboxItem['kind'];

export const kindWords: Readonly<Record<InboxKind, string>> = {
  tool: 'Approval',
  basis: 'Holds',
  manual: 'Item',
  criterion: 'Criterion',
  approval: 'Approval',
  completion: 'Claim',
  unknown_effect: 'Unknown end',
  requirement: 'Requirement',
  requirement_change: 'Requirements',
  scope_change: 'Scope',
  plan: 'Plan',
  question: 'Question',
  dispute: 'Dispute',
  budget: 'Budget',
  pause: 'Paused',
};

/** What granting it is called; a name that ends in `…` asks for more first. */
export const grantWords: Readonly<
  Record<Exclude<InboxKind, 'question' | 'dispute' | 'budget' | 'pause'>, string>
> = {
  tool: 'Approve once',
  basis: 'Accept as work',
  manual: 'It is done',
  criterion: 'Add it',
  approval: 'Approve',
  completion: 'Accept as done',
  unknown_effect: 'Go on',
  requirement: 'It is met',
  requirement_change: 'Change them',
  scope_change: 'Accept into the scope',
  plan: 'Edit and approve…',
};

export type ApprovalItemKind = keyof typeof grantWords;

export const isApproval = (kind: InboxKind): kind is ApprovalItemKind => kind in grantWords;

/** In a line; what a goal that stands still needs is told as everywhere else. */
export function itemTitle({ kind, title }: InboxItem, goal: Goal): string {
  if (kind !== 'budget' && kind !== 'pause') return title;
  const { reason } = nextAct(goal, true);
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** What it costs that nobody answers. */
export function waitingCost({ holds, kind }: InboxItem, goal: Goal): string {
  if (!holds) {
    return kind === 'pause'
      ? 'A person paused it; it asks nothing and goes on when it is resumed.'
      : 'Does not hold the goal: it goes on, and the answer counts from then on.';
  }
  const { deadline } = goal.budget;
  const { until } = goal.activity;
  const behind = goal.then?.length ?? 0;
  return [
    'Holds the goal: nothing of it runs meanwhile.',
    ...(until === undefined ? [] : [untilText(kind, until)]),
    ...(deadline ? [`Its deadline is at ${clock(deadline)}.`] : []),
    ...(goal.parentGoalId === undefined ? [] : ['The goal that gave it the work waits with it.']),
    ...(behind === 0 ? [] : [`${plural(behind, 'goal')} begin after it.`]),
  ].join(' ');
}

const untilText = (kind: InboxKind, until: string): string =>
  kind === 'question'
    ? `Its default answer holds from ${clock(until)} on.`
    : `Without a decision by ${clock(until)} it counts as declined.`;

export interface Raise {
  readonly budget: Partial<Pick<Goal['budget'], 'tokens' | 'costUsd' | 'turns' | 'activeSeconds'>>;
  readonly label: string;
}

const HALF_MORE = 1.5;

/** The reached limit and half as much again, in round numbers; null where no number was reached. */
export function halfMore({ activity, budget, usage }: Goal): Raise | null {
  const [name] = activity.reason.split(':', 1);
  const more = (limit: number | null, used: number, step: number): number | null =>
    limit === null ? null : Math.ceil((Math.max(limit, used) * HALF_MORE) / step) * step;
  switch (name) {
    case 'tokens': {
      const tokens = more(budget.tokens, usage.tokens, 1000);
      return tokens === null
        ? null
        : { budget: { tokens }, label: `Raise to ${compact(tokens)} tokens` };
    }
    case 'turns': {
      const turns = more(budget.turns, usage.turns, 1);
      return turns === null ? null : { budget: { turns }, label: `Raise to ${turns} turns` };
    }
    case 'activeSeconds': {
      const activeSeconds = more(budget.activeSeconds, usage.activeSeconds, 60);
      if (activeSeconds === null) return null;
      return { budget: { activeSeconds }, label: `Raise to ${duration(activeSeconds)}` };
    }
    case 'costUsd': {
      if (budget.costUsd === null) return null;
      const cents = more(Number(budget.costUsd) * 100, Number(usage.costUsd) * 100, 1) ?? 0;
      const costUsd = (cents / 100).toFixed(2);
      return { budget: { costUsd }, label: `Raise to ${dollars(costUsd)}` };
    }
    default:
      return null;
  }
}

export const decisionWords: Readonly<Record<Approval['state'] | Dispute['state'], string>> = {
  open: 'Being decided',
  approved: 'Approved',
  denied: 'Declined',
  superseded: 'The goal went on before anybody decided',
  insisted: 'Insisted on',
  amended: 'The criteria were amended',
  infeasible: 'Ended as infeasible',
};

/** Who decided, and how. */
/** Who was first with an answer; the default one is the clock's. */
export const answeredText = ({ by, at }: { readonly by: string; readonly at: string }): string =>
  by === 'Clock'
    ? `Nobody answered in time: its default answer holds since ${clock(at)}.`
    : `Answered by ${by} at ${clock(at)}.`;

export function decidedText({
  state,
  decidedBy,
  decidedAt,
  note,
}: Pick<Approval | Dispute, 'state' | 'decidedBy' | 'decidedAt' | 'note'>): string {
  const by = decidedBy === null ? '' : ` by ${decidedBy}`;
  const at = decidedAt === null ? '' : ` at ${clock(decidedAt)}`;
  const said = note === null || note === '' ? '' : `: “${note}”`;
  return `${decisionWords[state]}${by}${at}${said}.`;
}
