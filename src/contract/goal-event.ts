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
  | { readonly type: 'session.ended' }
  | { readonly type: 'limit.passed'; readonly limit: LimitReached }
  | { readonly type: 'model.fell_back'; readonly fallback: Fallback }
  | { readonly type: 'goal.paused'; readonly pause: Pause }
  | { readonly type: 'goal.resumed'; readonly limit: LimitReached | null; readonly next: TurnKind }
  | { readonly type: 'goal.messaged'; readonly limit: LimitReached | null; readonly next: TurnKind }
  | { readonly type: 'goal.answered'; readonly limit: LimitReached | null; readonly next: TurnKind }
  | {
      readonly type: 'goal.amended';
      readonly limit: LimitReached | null;
      /** The criteria differ from those that a claim was judged by. */
      readonly changesCriteria?: boolean;
      /** The criteria themselves, and not only what is bound to them. */
      readonly amendsCriteria?: boolean;
      /** The model or fallback differs from the one the goal waits for. */
      readonly changesModel?: boolean;
      /** Objective, criteria, requirements or mode are others: what waits for news goes on. */
      readonly asksAnew?: boolean;
    }
  | { readonly type: 'goal.completed' }
  | { readonly type: 'claim.declined'; readonly limit: LimitReached | null }
  | { readonly type: 'claim.granted'; readonly claim: string }
  | { readonly type: 'goal.cleared' }
  /** A person ended it as infeasible. */
  | { readonly type: 'goal.ended'; readonly pause: Pause }
  | { readonly type: 'goal.rewound'; readonly pause: Pause }
  | { readonly type: 'execution.lost'; readonly pause: Pause }
  /** The goal's chain of wakes from now on. */
  | { readonly type: 'chain.set'; readonly chain: WakeChain | null }
  /** A person spoke or cancelled: a new chain begins and earlier wake requests are void. */
  | { readonly type: 'chain.cancelled' }
  /** The first model is tried again, with its full retry policy. */
  | { readonly type: 'fallback.ended' };

/** Transitions that only the workflow decides, beside settled turns and waits. */
export type OwnTransition = Extract<GoalEvent, { type: 'limit.passed' | 'model.fell_back' }>;
