import type { Pause } from '../../schema/goal.ts';
import type { Fallback, Wait } from './goal-state.ts';
import type { LimitReached, TurnKind, WakeChain } from './turn-facts.ts';

export type GoalEvent =
  | { readonly type: 'turn.continued'; readonly next: TurnKind }
  | { readonly type: 'turn.waits'; readonly wait: Wait; readonly next: TurnKind }
  | { readonly type: 'turn.paused'; readonly pause: Pause }
  | { readonly type: 'turn.limited'; readonly limit: LimitReached }
  | { readonly type: 'turn.completed' }
  | { readonly type: 'turn.held' }
  | { readonly type: 'wait.began'; readonly wait: Wait }
  | { readonly type: 'wait.ended' }
  | { readonly type: 'limit.passed'; readonly limit: LimitReached }
  | { readonly type: 'model.fell_back'; readonly fallback: Fallback }
  | { readonly type: 'goal.paused'; readonly pause: Pause }
  | { readonly type: 'goal.resumed'; readonly limit: LimitReached | null; readonly next: TurnKind }
  | { readonly type: 'goal.messaged'; readonly limit: LimitReached | null; readonly next: TurnKind }
  | { readonly type: 'goal.answered'; readonly limit: LimitReached | null; readonly next: TurnKind }
  | {
      readonly type: 'goal.amended';
      readonly limit: LimitReached | null;
      /** Other criteria than those that a claim was judged by. */
      readonly changesCriteria?: boolean;
      /** Another model or fallback than the one that is waited for. */
      readonly changesModel?: boolean;
    }
  | { readonly type: 'goal.completed' }
  | { readonly type: 'claim.declined'; readonly limit: LimitReached | null }
  | { readonly type: 'claim.granted'; readonly claim: string }
  | { readonly type: 'goal.cleared' }
  | { readonly type: 'goal.rewound'; readonly pause: Pause }
  | { readonly type: 'execution.lost'; readonly pause: Pause }
  /** The row of wakes that the goal is in from now on. */
  | { readonly type: 'chain.set'; readonly chain: WakeChain | null }
  /** A person spoke or cancelled: the next row begins anew, and what was asked for is void. */
  | { readonly type: 'chain.cancelled' }
  /** Next time the first model gets its whole policy. */
  | { readonly type: 'fallback.ended' };

/** What only the workflow itself decides, beside settled turns and waits. */
export type OwnTransition = Extract<GoalEvent, { type: 'limit.passed' | 'model.fell_back' }>;
