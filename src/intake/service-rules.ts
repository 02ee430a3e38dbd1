import type { Budget } from '../../schema/budget.ts';
import { matchesWord } from '../../schema/glob.ts';
import type { Policy, PolicyInput } from '../../schema/policy.ts';
import type { ServiceRulesInput } from '../../schema/service-rules.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import type { SpendLimit } from '../contract/spend.ts';
import { defaultBudget, resolvePolicy } from '../goal/defaults.ts';
import { resolveBudget } from './budget.ts';
import { type Issue, type Resolved, resolved, unresolved } from './issue.ts';

const NO_MAXIMUM = { tokens: null, costUsd: null, turns: null, activeSeconds: null };

/** The rules as the service comes, with what the operator says otherwise. */
export function resolveRules(input: ServiceRulesInput): Resolved<ServiceRules> {
  const budgetMaximum = { ...NO_MAXIMUM, ...given(input.budget?.maximum) };
  const within = lowered(defaultBudget, budgetMaximum, input.budget?.default ?? {});
  const budget = resolveBudget(input.budget?.default, budgetMaximum, within);
  if (budget.issue !== null) return unresolved(inside('budget.default', budget.issue));
  const policy = resolvePolicy(input.policy?.default);
  const bounds = input.policy?.bounds ?? {};
  const beyond = boundsIssue(policy, bounds);
  if (beyond !== null) return unresolved(inside('policy.default', beyond));
  const offered = Object.entries(input.tools ?? {});
  return resolved({
    budget: budget.value,
    budgetMaximum,
    spend: spendLimits(input.spend),
    policy,
    bounds,
    thresholds: input.thresholds ?? {},
    phrases: {
      intent: input.phrases?.intent ?? [],
      completion: input.phrases?.completion ?? [],
    },
    retention: {
      deliveries: input.retention?.deliveries ?? null,
      events: input.retention?.events ?? null,
    },
    withheld: offered.flatMap(([name, isOffered]) => (isOffered === false ? [name] : [])),
  });
}

const spendLimits = (given: ServiceRulesInput['spend']): readonly SpendLimit[] =>
  (given ?? []).map(({ of, name, per, timeZone, costUsd, tokens }) => ({
    ...{ of, name: name ?? null, per, timeZone },
    ...{ costUsd: costUsd ?? null, tokens: tokens ?? null },
  }));

/** A maximum below what the service comes with is the new default where the operator names none. */
function lowered(
  budget: Budget,
  maximum: ServiceRules['budgetMaximum'],
  asked: NonNullable<NonNullable<ServiceRulesInput['budget']>['default']>,
): Budget {
  const least = (name: 'tokens' | 'turns' | 'activeSeconds') => {
    const [own, most] = [budget[name], maximum[name]];
    if (asked[name] !== undefined || most === null) return own;
    return own === null ? most : Math.min(own, most);
  };
  return {
    ...budget,
    tokens: least('tokens'),
    turns: least('turns'),
    activeSeconds: least('activeSeconds'),
    costUsd: budget.costUsd ?? maximum.costUsd,
  };
}

const given = <Fields extends object>(fields: Fields | undefined) =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined));

const inside = (place: string, issue: Issue): Issue => ({
  ...issue,
  data: { ...issue.data, field: `${place}.${String(issue.data.field).replace(/^\w+\./, '')}` },
});

/** The policy of a goal of this model that names nothing itself. */
export function policyFor(rules: ServiceRules, model: string | null): Policy {
  const { policy, thresholds } = rules;
  const [, own] = Object.entries(thresholds).find(([glob]) => matchesWord(glob, model ?? '')) ?? [];
  return own === undefined ? policy : resolvePolicy({ continuation: own }, policy);
}

/** A number that the operator bounds, beyond its bound. */
export function boundsIssue(
  { continuation = {} }: PolicyInput,
  bounds: ServiceRules['bounds'],
): Issue | null {
  for (const [name, asked] of Object.entries(continuation)) {
    if (typeof asked !== 'number') continue;
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds[name] ?? {};
    // 0 tokens of a chain stand for no cap at all.
    const size = name === 'chainTokens' && asked === 0 ? Number.POSITIVE_INFINITY : asked;
    const [side, bound] = size < min ? ['least', min] : ['most', max];
    if (size >= min && size <= max) continue;
    return {
      code: 'invalid_request',
      detail: `policy.continuation.${name} is at ${side} ${bound} in this service.`,
      data: { field: `policy.continuation.${name}`, bound, asked },
    };
  }
  return null;
}

const comes = resolveRules({});
if (comes.issue !== null) throw new Error(comes.issue.detail);

/** The rules of a service whose operator says nothing. */
export const builtInRules: ServiceRules = comes.value;
