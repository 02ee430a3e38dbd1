import type {
  Activity,
  Actor,
  BlockerKind,
  GoalStatus,
  Pause,
  PauseReason,
  WaitOn,
} from '../../../schema/goal.ts';
import type { ChartSnapshot, Wait } from '../../contract/goal-state.ts';

export function statusOf({ value }: ChartSnapshot): GoalStatus {
  if (typeof value === 'string') return value;
  return 'active' in value ? 'active' : 'budget_limited';
}

/** Nothing leads the goal on, whoever speaks. */
export const isOver = ({ value, context }: ChartSnapshot): boolean =>
  value === 'complete' || context.isArchived;

/** May a slice begin steps and calls? */
export function isOpen({ value, context }: ChartSnapshot): boolean {
  if (context.isArchived || typeof value === 'string') return false;
  return 'active' in value || value.budget_limited === 'wrapping_up';
}

export const isWaiting = (chart: ChartSnapshot): boolean => waitOf(chart) !== null;

const waitOf = ({ value, context }: ChartSnapshot): Wait | null =>
  typeof value === 'object' ? context.wait : null;

export function pauseOf(chart: ChartSnapshot): Pause | null {
  return chart.value === 'paused' ? chart.context.pause : null;
}

const ACTOR_OF_WAIT: Record<WaitOn, Actor> = {
  timer: 'Clock',
  condition: 'Clock',
  delegate: 'Team',
  approval: 'You',
  provider: 'Provider',
  worker: 'Worker',
  workspace: 'Team',
  session: 'Agent',
  spend: 'Clock',
  execution: 'You',
};

const IDLE_REASON: Record<PauseReason, string> = {
  person: 'paused by a person',
  program: 'paused by a program',
  message: 'answered your message',
  question: 'asks you',
  blocked: 'reports a blocker',
  no_progress: 'made no progress',
  gate_exhausted: 'could not prove its claim',
  unverified_claim: 'claims to be done; decide',
  protocol_error: 'the model broke the protocol',
  provider_error: 'the provider failed',
  tool_error_cap: 'too many tool errors',
  lifecycle_breaker: 'repeats a call that fails',
  record_altered: 'its record is not to be worked from',
  recovery: 'lost its execution; resume it',
  disputed: 'disputes a criterion; decide',
  infeasible: 'ended: it cannot be reached as it was asked',
};

/** What a blocked goal needs, in words. */
export const blockerWords: Readonly<Record<BlockerKind, string>> = {
  authority: 'needs a right or a decision',
  external: 'something outside of its reach is missing',
  repeated_failure: 'every way failed',
};

function idleReason({ reason, blocker }: Pause): string {
  const words = IDLE_REASON[reason];
  return blocker === undefined ? words : `${words}: ${blockerWords[blocker]}`;
}

/** The goal's present activity and its next actor. */
export function activityOf(chart: ChartSnapshot, now: string): Activity {
  const { limit, next, isArchived } = chart.context;
  const wait = waitOf(chart);
  if (wait !== null) {
    const { on, reason, since, until } = wait;
    const ends = until === null ? {} : { until };
    return { state: 'waiting', on, reason, since, ...ends, actor: ACTOR_OF_WAIT[on] };
  }
  if (isOpen(chart)) {
    return { state: 'running', reason: `turn: ${next}`, since: now, actor: 'Agent' };
  }
  const pause = pauseOf(chart);
  if (pause !== null) {
    const { since, until } = pause;
    const ends = until === undefined ? {} : { until };
    return { state: 'idle', reason: idleReason(pause), since, ...ends, actor: 'You' };
  }
  if (limit !== null) {
    const reason = `${limit.name}: used ${limit.used} of ${limit.allowed}`;
    return { state: 'idle', reason, since: now, actor: 'You' };
  }
  const reason = isArchived ? 'cleared' : 'complete';
  return { state: 'idle', reason, since: now, actor: 'Agent' };
}
