import type { Budget } from '../../schema/budget.ts';
import type { Continuation, Policy, PolicyInput } from '../../schema/policy.ts';

/** Applies whenever a caller names no limit of that kind. */
export const defaultBudget: Budget = {
  tokens: 5_000_000,
  costUsd: null,
  turns: 100,
  activeSeconds: 28_800,
  deadline: null,
};

/** The numbers of a turn's settlement, a slice and the continuation score. */
export const defaultContinuation: Continuation = {
  enabled: true,
  continueAt: 60,
  warnAt: 40,
  continuationsWithoutReceipt: 3,
  toolFreeTurns: 3,
  turnsWithoutProgress: 10,
  refusalsInRow: 3,
  refusalsWithoutBest: 6,
  truncatedTurns: 3,
  toolErrors: 6,
  repeatsNoted: 3,
  repeatsPaused: 6,
  protocolRetries: 3,
  stepsPerSlice: 50,
  stepsPerTurn: 200,
  secondsPerSlice: 600,
  openProposals: 5,
  delegatesPerTurn: 5,
  delegatesRunning: 5,
  delegateDepth: 3,
  providerRetries: 10,
  providerWaitSeconds: 86_400,
  fallbackSeconds: 600,
  lostCalls: 10,
  delayMinSeconds: 5,
  delayMaxSeconds: 300,
  delayDefaultSeconds: 15,
  chainLength: 10,
  chainTokens: 500_000,
  waitDefaultSeconds: 14_400,
  waitMaxSeconds: 604_800,
  pollMinSeconds: 5,
  pollMaxSeconds: 60,
};

export const defaultPolicy: Policy = {
  completion: 'verified',
  proof: 'scope',
  onUnknown: 'continue',
  continuation: defaultContinuation,
};

/** The caller's values win; everything else stays as `current` has it. */
export function resolvePolicy(input: PolicyInput | undefined, current = defaultPolicy): Policy {
  return {
    completion: input?.completion ?? current.completion,
    proof: input?.proof ?? current.proof,
    onUnknown: input?.onUnknown ?? current.onUnknown,
    ...waitingOf(current),
    ...waitingOf(input),
    ...named({
      sandbox: input?.sandbox ?? current.sandbox,
      coverage: input?.coverage ?? current.coverage,
      dependencies: input?.dependencies ?? current.dependencies,
      felt: input?.felt ?? current.felt,
      onLost: input?.onLost ?? current.onLost,
    }),
    continuation: { ...current.continuation, ...named(input?.continuation) },
  };
}

/** Only what is named: most goals wait for people as long as it takes. */
function waitingOf(policy: PolicyInput | undefined) {
  const { approvalTimeoutSeconds, questionTimeoutSeconds, questionDefault } = policy ?? {};
  return named({ approvalTimeoutSeconds, questionTimeoutSeconds, questionDefault });
}

type Named<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function named<Fields extends object>(fields: Fields | undefined): Named<Fields> {
  const present = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Named<Fields>;
}
