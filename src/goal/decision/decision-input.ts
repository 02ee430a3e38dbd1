import type { DecisionInput, Settling } from '../../contract/decision.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import { statusOf } from '../chart/view.ts';
import { resolvePolicy } from '../defaults.ts';

/** The workflow decides on this, and the decision record keeps it: the one is the other. */
export function decisionInput(state: GoalState, settling: Settling): DecisionInput {
  const { chart, counters, policy, budget, criteriaRevision } = state;
  const { facts, evidence, usage, now, asksOnYield } = settling;
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
    ...(facts.dispute ? { criteriaRevision } : {}),
    ...(asksOnYield ? { asksOnYield } : {}),
    ...(state.isDelegate ? { isDelegate: true as const } : {}),
    ...(chain === null ? {} : { chain }),
    ...(generation === 0 ? {} : { generation }),
  };
}
