import type { Budget } from '../../schema/budget.ts';
import { matchesWord } from '../../schema/glob.ts';
import type { Policy, PolicyInput } from '../../schema/policy.ts';
import type { ServiceRulesInput } from '../../schema/service-rules.ts';
import type { GoalRetention, ServiceRules } from '../contract/service-rules.ts';
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
  const beyond = boundsIssue({ ...UNSAID, ...policy }, bounds);
  if (beyond !== null) return unresolved(inside('policy.default', beyond));
  const beyondByModel = thresholdsIssue(input.thresholds ?? {}, bounds);
  if (beyondByModel !== null) return unresolved(beyondByModel);
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
      goals: goalRetention(input.retention),
    },
    withheld: offered.flatMap(([name, isOffered]) => (isOffered === false ? [name] : [])),
  });
}

function thresholdsIssue(
  thresholds: ServiceRules['thresholds'],
  bounds: ServiceRules['bounds'],
): Issue | null {
  for (const [model, own] of Object.entries(thresholds)) {
    const issue = boundsIssue({ continuation: own }, bounds);
    if (issue === null) continue;
    const field = String(issue.data.field).replace('policy.continuation', `thresholds.${model}`);
    return { ...issue, data: { ...issue.data, field } };
  }
  return null;
}

const goalRetention = (given: ServiceRulesInput['retention']): GoalRetention | null => {
  if (given?.goals === undefined) return null;
  const { complete = null, cleared = null, archive } = given.goals;
  return { complete, cleared, archive };
};

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
export function boundsIssue(asked: PolicyInput, bounds: ServiceRules['bounds']): Issue | null {
  for (const { name, field, value } of numbersOf(asked)) {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds[name] ?? {};
    const size = sizeOf(name, value);
    const [side, bound] = size < min ? ['least', min] : ['most', max];
    if (size >= min && size <= max) continue;
    return {
      code: 'invalid_request',
      detail: `${field} is at ${side} ${bound} in this service.`,
      data: { field, bound, asked: value },
    };
  }
  return null;
}

interface PolicyNumber {
  readonly name: string;
  readonly field: string;
  /** null = for as long as it takes. */
  readonly value: number | null;
}

function numbersOf({ continuation = {}, felt, ...policy }: PolicyInput): PolicyNumber[] {
  const { approvalTimeoutSeconds, questionTimeoutSeconds } = policy;
  const inside = Object.entries(continuation).map(([name, value]) => ({
    ...{ name, field: `policy.continuation.${name}`, value },
  }));
  const beside = [
    ...Object.entries({ approvalTimeoutSeconds, questionTimeoutSeconds }).map(([name, value]) => ({
      ...{ name, field: `policy.${name}`, value },
    })),
    { name: 'felt', field: 'policy.felt.share', value: felt?.share },
  ];
  return [...inside, ...beside].filter(isNumber);
}

const isNumber = (one: { readonly value: unknown }): one is PolicyNumber =>
  typeof one.value === 'number' || one.value === null;

/** 0 tokens of a chain stand for no cap at all, as no number of seconds does. */
const sizeOf = (name: string, value: number | null): number =>
  value === null || (name === 'chainTokens' && value === 0) ? Number.POSITIVE_INFINITY : value;

/** What the numbers that a default leaves open stand for. */
const UNSAID: PolicyInput = {
  approvalTimeoutSeconds: null,
  questionTimeoutSeconds: null,
  felt: { share: 0 },
};

const comes = resolveRules({});
if (comes.issue !== null) throw new Error(comes.issue.detail);

/** The rules of a service whose operator says nothing. */
export const builtInRules: ServiceRules = comes.value;
