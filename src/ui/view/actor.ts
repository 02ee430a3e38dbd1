import type { Goal } from '../api/types.ts';
import { clock, plural } from './format.ts';

export type ActorKind = 'you' | 'agent' | 'clock' | 'provider' | 'worker' | 'team' | 'none';

/** The chip of a goal: who acts next, and why; nobody, where it is over. */
export interface NextAct {
  readonly kind: ActorKind;
  /** Empty for nobody. */
  readonly actor: string;
  readonly reason: string;
}

const KINDS = {
  You: 'you',
  Agent: 'agent',
  Clock: 'clock',
  Provider: 'provider',
  Worker: 'worker',
  Team: 'team',
} as const satisfies Record<Goal['activity']['actor'], ActorKind>;

/** An act for a person shows as "You" to users who may do it, and as "Team" to others. */
export function nextAct(goal: Goal, mayAct: boolean): NextAct {
  if (goal.archivedAt !== undefined) {
    const reason = goal.pause?.reason === 'infeasible' ? 'ended as infeasible' : 'cleared';
    return { kind: 'none', actor: '', reason };
  }
  if (goal.status === 'complete') return { kind: 'none', actor: '', reason: completionText(goal) };
  const { actor } = goal.activity;
  const reason = reasonText(goal);
  if (actor === 'You' && !mayAct) return { kind: 'team', actor: 'Team', reason };
  return { kind: KINDS[actor], actor, reason };
}

function completionText({ completion, criteria, todos }: Goal): string {
  if (completion?.source === 'person') return 'completed by hand';
  if (completion?.verification === 'accepted_by_person') return 'accepted by a person';
  const proved = criteria.filter(({ state }) => state === 'met').length;
  const facts = [
    ...(criteria.length > 0 ? [`${plural(proved, 'criterion', 'criteria')} proved`] : []),
    ...(todos.total > 0 ? [plural(todos.done, 'item')] : []),
  ];
  const word = completion?.verification === 'supported' ? 'supported' : 'complete';
  return facts.length === 0 ? word : `${word}: ${facts.join(', ')}`;
}

function reasonText(goal: Goal): string {
  const { activity, pause, status, usage } = goal;
  if (status === 'budget_limited' && activity.state === 'idle') return limitText(activity.reason);
  if (pause !== undefined) return pauseText(goal);
  if (activity.on === 'approval')
    return `approve: ${oneLine(activity.reason).replace(/^A person has to approve: /, '')}`;
  if (activity.state === 'running')
    return `turn ${Math.max(1, usage.own.turns)}, ${turnWord(activity.reason)}`;
  if (isTriedAgain(activity) && activity.until !== undefined) {
    return `${oneLine(activity.reason)}, next try at ${clock(activity.until, 'seconds')}`;
  }
  return oneLine(activity.reason);
}

/** Its next model call is tried again at that time. */
const isTriedAgain = ({ on }: Goal['activity']): boolean => on === 'provider' || on === 'spend';

const turnWords: Readonly<Record<string, string>> = {
  start: 'begins',
  nudge: 'nudged on',
  wake: 'woken',
  message: 'reads a message',
  answer: 'reads the answer',
  resume: 'goes on',
  wrap_up: 'wraps up',
};

/** `turn: nudge`, in words. */
function turnWord(reason: string): string {
  const kind = reason.replace(/^turn: /, '');
  return turnWords[kind] ?? (oneLine(kind) || 'works');
}

const limitNames: Readonly<Record<string, string>> = {
  tokens: 'tokens',
  costUsd: 'money',
  turns: 'turns',
  activeSeconds: 'time',
  deadline: 'deadline',
};

/** `tokens: used 12 of 10`, in words. */
function limitText(reason: string): string {
  const [name = ''] = reason.split(':', 1);
  const what = limitNames[name];
  if (what === undefined) return oneLine(reason);
  return what === 'deadline'
    ? 'deadline passed: move or finish'
    : `${what} used up: raise or finish`;
}

/** What a blocked goal needs; absent where an earlier version recorded it. */
const blockers = {
  authority: ' (needs a right or a decision)',
  external: ' (something outside of its reach is missing)',
  repeated_failure: ' (every way failed)',
  unknown: '',
} as const;

function pauseText({ pause, activity }: Goal): string {
  switch (pause?.reason) {
    case 'question':
      return `answer: ${oneLine(pause.message)}`;
    case 'blocked':
      return `blocked${blockers[pause.blocker ?? 'unknown']}: ${oneLine(pause.message)}`;
    case 'disputed':
      return `disputes ${oneLine(pause.message)}`;
    case 'unverified_claim':
      return 'claims to be done: accept or send on';
    case 'gate_exhausted':
      return `claim refused, ${plural(pause.missing.length, 'thing')} missing`;
    case 'provider_error':
      return `provider: ${oneLine(pause.message)}`;
    default:
      return oneLine(activity.reason);
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
