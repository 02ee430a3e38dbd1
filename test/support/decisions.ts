import type { Database } from '../../src/db/client.ts';
import { decide } from '../../src/goal/decide.ts';
import type { Decision, DecisionInput } from '../../src/goal/facts.ts';

interface StoredDecision {
  readonly turn: number;
  readonly rule: string;
  readonly action: string;
  readonly sentence: string;
  readonly facts: DecisionInput;
  readonly outcome: Decision['outcome'] & Omit<Decision, 'outcome'>;
  readonly score: Decision['score'];
  readonly missing: string[];
}

/** One settled turn: the decision as its row holds it, and as the row's own input gives it anew. */
export interface Recomputed {
  readonly turn: number;
  readonly stored: Decision;
  readonly computed: unknown;
}

export async function recomputeDecisions(db: Database, goalId: string): Promise<Recomputed[]> {
  const rows = await db<StoredDecision[]>`
    SELECT turn, rule, action, sentence, facts, outcome, score, missing FROM decision
    WHERE goal_id = ${goalId} ORDER BY turn`;
  return rows.map((row) => ({
    turn: row.turn,
    stored: toDecision(row),
    computed: JSON.parse(JSON.stringify(decide(row.facts))),
  }));
}

function toDecision({ rule, sentence, outcome: stored, score, missing }: StoredDecision): Decision {
  const { reasons, receipts, counters, isWarning, ...outcome } = stored;
  return {
    rule: Number(rule) as Decision['rule'],
    sentence,
    outcome: outcome as Decision['outcome'],
    reasons,
    receipts,
    counters,
    isWarning,
    score,
    missing,
  };
}
