import fc from 'fast-check';
import type { Counters, DecisionInput } from '../../src/contract/decision.ts';
import type { CriterionEvidence, Evidence } from '../../src/contract/evidence.ts';
import type { SliceEnd, TurnFacts, WakeRequest } from '../../src/contract/turn-facts.ts';
import { noUsage } from '../../src/goal/budget/budget.ts';
import { defaultContinuation, defaultPolicy } from '../../src/goal/defaults.ts';

const NOW = '2026-01-01T00:00:00.000Z';

const ends: readonly SliceEnd[] = [
  'yield',
  'claim',
  'election',
  'question',
  'blocker',
  'slice_cap',
  'turn_cap',
  'budget',
  'protocol_error',
  'lost_calls',
  'tool_error_cap',
  'repetition',
  'lifecycle_breaker',
  'unknown_effect',
  'approval',
  'interrupted',
  'shutdown',
  'workspace_busy',
  'session',
  'provider_error',
  'record_altered',
];

/** Yields and claims, of which the rules say most, come more often than the other ends. */
const end = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<SliceEnd>('yield', 'claim') },
  { weight: 2, arbitrary: fc.constantFrom(...ends) },
);
const rarely = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 }));
const ids = (of: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([] as string[]) }, fc.subarray([...of]));
const flag = fc.boolean();

const wakeRequest: fc.Arbitrary<WakeRequest | null> = fc.option(
  fc.record({
    callId: fc.constant('t1.s1.0'),
    on: fc.constantFrom('timer', 'condition'),
    seconds: fc.option(fc.integer({ min: 0, max: 400 })),
    until: fc.constant(null),
    generation: fc.integer({ min: 0, max: 1 }),
  }),
);

const limit = fc.constantFrom(
  { name: 'tokens', used: '1001', allowed: '1000' } as const,
  { name: 'tokens', used: '501', allowed: '500' } as const,
);

/** Whatever a slice may come back with, also what no slice does. */
export const anyFacts: fc.Arbitrary<TurnFacts> = fc.record({
  turn: fc.constant(3),
  kind: fc.constantFrom(
    'start',
    'nudge',
    'nudge',
    'wake',
    'message',
    'answer',
    'resume',
    'wrap_up',
  ),
  end,
  mode: fc.constantFrom('agent', 'agent', 'plan', 'gather'),
  steps: fc.nat(3),
  toolCalls: fc.nat(2),
  receipts: fc.nat(2),
  finishReason: fc.constantFrom('stop', 'stop', 'length', 'tool_calls', 'content_filter', 'absent'),
  signals: fc.record({
    isEmpty: flag,
    hasIntent: flag,
    hasCompletion: flag,
    hasSummary: flag,
    plansSummary: flag,
    waitsForPerson: flag,
    asksDirectly: flag,
  }),
  followsToolResult: flag,
  toolRatio: fc.constantFrom(0, 0.6),
  claim: fc.option(fc.constant({ callId: 't1.s1.0' })),
  question: fc.option(
    fc.record({
      questionId: fc.constant('q'),
      callId: fc.constant(null),
      hasDefault: flag,
      timeoutSeconds: fc.nat(100),
    }),
  ),
  blocker: fc.constant(null),
  limit: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, limit),
  provider: fc.constant(null),
  election: wakeRequest,
  failedTargets: ids(['a.ts']),
  openTodos: ids(['t1', 't2']),
  manualTodos: ids(['t3']),
  hasTodos: flag,
  doneTodos: fc.nat(2),
  unread: rarely,
  programs: rarely,
  delegates: fc.record({ unread: rarely, waking: rarely, awaited: rarely }),
  wrote: flag,
  activeMs: fc.nat(10),
  detail: fc.option(fc.constantFrom('why', 'Because of it.')),
});

const criterion: fc.Arbitrary<CriterionEvidence> = fc.record(
  {
    criterionId: fc.constantFrom('c1', 'c2', 'c3'),
    state: fc.constantFrom('met', 'met', 'met', 'unmet', 'stale', 'narrowed'),
    baseline: fc.constantFrom('met', 'unmet', 'not_run'),
    isHostChecked: flag,
    reason: fc.constantFrom('exited 0', 'exited 1\nwith more'),
    receipts: fc.array(fc.nat(5), { maxLength: 2 }),
    person: fc.constantFrom('needed', 'approved'),
  },
  { requiredKeys: ['criterionId', 'state', 'baseline', 'isHostChecked', 'reason', 'receipts'] },
);

export const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  criteria: fc.uniqueArray(criterion, { maxLength: 3, selector: (one) => one.criterionId }),
  criteriaRevision: fc.constant(1),
  writeSeq: fc.constant(1),
  fingerprint: fc.constant('f'),
  weakened: ids(['package.json#test']),
  declined: ids(['package.json#test']),
  moved: ids(['tick.txt']),
});

const counters: fc.Arbitrary<Counters> = fc.record({
  refusalsInRow: fc.nat(3),
  refusalsWithoutBest: fc.nat(6),
  lastMissing: ids(['t1', 'c1']),
  bestMissing: fc.option(fc.nat(2)),
  toolFreeTurns: fc.nat(3),
  turnsWithoutProgress: fc.nat(10),
  bestMet: fc.nat(3),
  metCriteria: fc.nat(2),
  truncatedTurns: fc.nat(3),
  continuationsWithoutReceipt: fc.nat(3),
});

const policy: fc.Arbitrary<DecisionInput['policy']> = fc.record(
  {
    completion: fc.constantFrom('verified', 'supported'),
    proof: fc.constantFrom('scope', 'workspace'),
    onUnknown: fc.constant(defaultPolicy.onUnknown),
    approvalTimeoutSeconds: fc.constant(60),
    questionTimeoutSeconds: fc.constant(60),
    questionDefault: fc.constant('Go on.'),
    continuation: fc
      .constantFrom(true, true, false)
      .map((enabled) => ({ ...defaultContinuation, enabled })),
  },
  { requiredKeys: ['completion', 'proof', 'onUnknown', 'continuation'] },
);

/** Whatever `decide` may be asked; the evidence is there in half of all cases. */
export const anyInput: fc.Arbitrary<DecisionInput> = fc.record(
  {
    status: fc.oneof(
      { weight: 6, arbitrary: fc.constant('active' as const) },
      fc.constantFrom('paused' as const, 'budget_limited' as const, 'complete' as const),
    ),
    facts: anyFacts,
    counters,
    policy,
    budget: fc.constant({
      tokens: 1000,
      costUsd: null,
      turns: 100,
      activeSeconds: null,
      deadline: null,
    }),
    usage: fc.constantFrom(0, 0, 0, 0, 1000).map((tokens) => ({ ...noUsage, tokens })),
    evidence: fc.option(anyEvidence, { freq: 2 }),
    now: fc.constant(NOW),
    chain: fc.option(
      fc.record({
        startedAt: fc.constant(NOW),
        length: fc.nat(11),
        tokensAtStart: fc.constant(0),
      }),
    ),
    generation: fc.integer({ min: 0, max: 1 }),
    isDelegate: fc.constant(true as const),
  },
  {
    requiredKeys: ['status', 'facts', 'counters', 'policy', 'budget', 'usage', 'evidence', 'now'],
  },
);
