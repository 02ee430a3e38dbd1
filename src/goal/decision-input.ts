import { resolvePolicy } from './defaults.ts';
import type { DecisionInput } from './facts.ts';
import type { GoalState } from './state.ts';
import { statusOf } from './view.ts';

/** What a finished turn brings; everything else that `decide` looks at is the goal's own state. */
export type Settling = Pick<DecisionInput, 'facts' | 'evidence' | 'usage' | 'now'>;

/** The workflow decides on this, and the decision record keeps it: the one is the other. */
export function decisionInput(state: GoalState, settling: Settling): DecisionInput {
  const { chart, counters, policy, budget } = state;
  const { facts, evidence, usage, now } = settling;
  // A goal that was cleared or replaced is as finished as a complete one.
  const status = chart.context.isArchived ? 'complete' : statusOf(chart);
  const { chain = null, generation = 0 } = chart.context;
  return {
    status,
    facts,
    counters,
    // A run may have read its state before the newest numbers were there.
    policy: resolvePolicy(policy),
    budget,
    usage,
    evidence,
    now,
    ...(state.isDelegate ? { isDelegate: true as const } : {}),
    ...(chain === null ? {} : { chain }),
    ...(generation === 0 ? {} : { generation }),
  };
}
