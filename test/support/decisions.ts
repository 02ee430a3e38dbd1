import type { DecisionInput } from '../../src/contract/decision.ts';
import { decide } from '../../src/goal/decision/decide.ts';
import { ruleNumbers } from '../../src/record/decision/rule-names.ts';
import type { Database } from '../../src/store/client.ts';

interface StoredDecision {
  readonly turn: number;
  readonly rule: string;
  readonly action: string;
  readonly sentence: string;
  readonly facts: DecisionInput;
  readonly outcome: Record<string, unknown>;
  readonly score: unknown;
  readonly missing: string[];
}

/** One settled turn: the decision as its row holds it, and as the row's own input gives it anew. */
export interface Recomputed {
  readonly turn: number;
  readonly stored: Record<string, unknown>;
  readonly computed: Record<string, unknown>;
}

export async function recomputeDecisions(db: Database, goalId: string): Promise<Recomputed[]> {
  const rows = await db<StoredDecision[]>`
    SELECT turn, rule, action, sentence, facts, outcome, score, missing FROM decision
    WHERE goal_id = ${goalId} ORDER BY turn`;
  return rows.map(({ turn, rule, facts, outcome, ...columns }) => ({
    turn,
    stored: { ...outcome, ...columns, rule: Number(rule) },
    computed: computeAgain(facts),
  }));
}

function computeAgain(input: DecisionInput): Record<string, unknown> {
  const { outcome, rule: ruleName, ...rest } = decide(input);
  const rule = ruleNumbers[ruleName];
  return JSON.parse(JSON.stringify({ ...outcome, ...rest, rule, ruleName }));
}
