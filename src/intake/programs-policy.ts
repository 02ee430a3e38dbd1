import type { Policy, PolicyInput } from '../../schema/policy.ts';
import type { ServiceRules } from '../contract/service-rules.ts';

/**
 * Tells whether `asked` is as strict as `base`, or stricter; a text names the place inside that is
 * not. Called with two that differ.
 */
type AsStrict<Value> = (asked: Value, base: Value | undefined) => boolean | string;

/** A field without a row is a person's: what nobody has judged is refused. */
type Rows<Fields> = { readonly [Field in keyof Fields]?: AsStrict<NonNullable<Fields[Field]>> };

const atMost: AsStrict<number> = (asked, base) => base !== undefined && asked <= base;
const atLeast: AsStrict<number> = (asked, base) => asked >= (base ?? 0);
/** 0 stands for no bound. */
const bounded: AsStrict<number> = (asked, base = 0) => asked > 0 && (base === 0 || asked <= base);
/** From the strictest on; `unnamed` holds where none is named. */
const ordered =
  <Value>(values: readonly Value[], unnamed: Value): AsStrict<Value> =>
  (asked, base = unnamed) =>
    values.indexOf(asked) <= values.indexOf(base);

const CONTINUATION: Rows<Policy['continuation']> = {
  enabled: ordered([false, true], true),
  continueAt: atLeast,
  continuationsWithoutReceipt: atMost,
  toolFreeTurns: atMost,
  turnsWithoutProgress: atMost,
  refusalsInRow: atMost,
  refusalsWithoutBest: atMost,
  truncatedTurns: atMost,
  toolErrors: atMost,
  repeatsNoted: atMost,
  repeatsPaused: atMost,
  protocolRetries: atMost,
  stepsPerSlice: atMost,
  stepsPerTurn: atMost,
  secondsPerSlice: atMost,
  openProposals: atMost,
  delegatesPerTurn: atMost,
  delegatesRunning: atMost,
  delegateDepth: atMost,
  providerRetries: atMost,
  providerWaitSeconds: atMost,
  lostCalls: atMost,
  delayMinSeconds: atLeast,
  delayDefaultSeconds: atLeast,
  chainLength: atMost,
  chainTokens: bounded,
  waitDefaultSeconds: atMost,
  waitMaxSeconds: atMost,
  pollMinSeconds: atLeast,
  pollMaxSeconds: atLeast,
};

const POLICY: Rows<Omit<Policy, 'continuation'>> = {
  completion: ordered(['verified', 'supported'], 'verified'),
  proof: ordered(['scope', 'workspace'], 'scope'),
  felt: (asked, base) => asked.share >= (base?.share ?? 0),
  coverage: ordered(['all', 'open'], 'open'),
  dependencies: ordered(['ask', 'allow'], 'ask'),
  onUnknown: ordered(['ask', 'continue'], 'continue'),
  onLost: ordered(['ask', 'resume'], 'ask'),
  /** They are added to the service's own, of which the strictest holds. */
  tools(asked) {
    const loose = asked.findIndex(({ decision }) => decision === 'allow');
    return loose < 0 || String(loose);
  },
  sandbox: ({ network }) => network === 'none' || 'network',
};

/** The first place that a program asks to be looser than the service has it; null = none. */
export function loosened(asked: PolicyInput, base: Policy): string | null {
  const { continuation = {}, ...rest } = asked;
  const inside = firstLooser(CONTINUATION, continuation, base.continuation);
  return firstLooser(POLICY, rest, base) ?? (inside === null ? null : `continuation.${inside}`);
}

function firstLooser(rows: object, asked: object, base: object): string | null {
  const judges = rows as Readonly<Record<string, AsStrict<unknown> | undefined>>;
  const bases = base as Readonly<Record<string, unknown>>;
  for (const [field, value] of Object.entries(asked)) {
    const own = bases[field] ?? undefined;
    if (JSON.stringify(value ?? null) === JSON.stringify(own ?? null)) continue;
    const verdict = judges[field]?.(value, own) ?? false;
    if (verdict !== true) return verdict === false ? field : `${field}.${verdict}`;
  }
  return null;
}

/** The fields that a program may make stricter, for docs and tests. */
export const PROGRAMS_FIELDS: readonly string[] = [
  ...Object.keys(POLICY),
  ...Object.keys(CONTINUATION).map((field) => `continuation.${field}`),
];

/** A program asks for no more than the service gives by itself. */
export const programsMaximum = ({
  budget,
  budgetMaximum,
}: Pick<ServiceRules, 'budget' | 'budgetMaximum'>): ServiceRules['budgetMaximum'] => ({
  tokens: budget.tokens ?? budgetMaximum.tokens,
  turns: budget.turns ?? budgetMaximum.turns,
  activeSeconds: budget.activeSeconds ?? budgetMaximum.activeSeconds,
  costUsd: budget.costUsd ?? budgetMaximum.costUsd,
});
