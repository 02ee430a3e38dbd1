import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { TodoItem } from '../../schema/todo.ts';
import type { GoalBrief } from '../../src/contract/goal-brief.ts';

const noUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  tokens: 1000,
  costUsd: '0.25',
  turns: 3,
  steps: 7,
  activeSeconds: 12.4,
};

export const testCriterion: TrackedCriterion = {
  criterionId: 'c1',
  spec: { kind: 'command', name: 'Tests', command: 'npm test' },
  state: 'unmet',
  baseline: 'unmet',
  origin: 'caller',
  reason: 'exited 1',
  receipts: [],
};

export const testTodo: TodoItem = {
  id: 'T1',
  content: 'Fix the parser',
  status: 'in_progress',
  level: 0,
  receipts: [],
};

/** A goal as the journal hands it to a slice. */
export function briefOf(change: Partial<GoalBrief> = {}): GoalBrief {
  return {
    goalId: 'goal-1',
    objective: 'Make the tests pass',
    mode: 'agent',
    model: 'compatible/scripted',
    fallbackModel: null,
    fallback: null,
    revision: 1,
    generation: 0,
    textTokens: false,
    election: null,
    criteria: [testCriterion],
    criteriaRevision: 1,
    budget: { tokens: 5000, costUsd: '1.00', turns: 10, activeSeconds: null, deadline: null },
    usage: noUsage,
    // The goal block shows nothing of the policy.
    policy: {} as GoalBrief['policy'],
    todos: { revision: 1, items: [testTodo] },
    plan: null,
    workspace: { name: 'main', path: '/w', marker: 'm', writeSeq: 0 },
    limit: null,
    baseline: null,
    detectsCriteria: false,
    lastDecision: null,
    ...change,
  };
}
