import type { operations } from '../api/schema.d.ts';
import type { Goal } from '../api/types.ts';

type Body = operations['startGoal']['requestBody']['content']['application/json'];
type Policy = NonNullable<Body['policy']>;
type Rule = NonNullable<Policy['tools']>[number];

export interface RuleRow {
  readonly id: string;
  readonly tool: string;
  readonly command: string;
  readonly path: string;
  readonly decision: Rule['decision'];
}

/** Empty = the default of the service. */
export interface PolicyForm {
  readonly completion: '' | 'verified' | 'supported';
  readonly coverage: '' | 'all';
  readonly onUnknown: '' | 'continue' | 'ask';
  readonly onLost: '' | 'resume';
  readonly network: '' | 'host' | 'listed';
  /** Of a listed network, in any order, apart by spaces, commas or lines. */
  readonly domains: string;
  readonly approvalHours: string;
  readonly questionHours: string;
  readonly questionDefault: string;
  readonly rules: readonly RuleRow[];
  readonly continuation: Readonly<Record<string, string>>;
}

export const emptyPolicy: PolicyForm = {
  completion: '',
  coverage: '',
  onUnknown: '',
  onLost: '',
  network: '',
  domains: '',
  approvalHours: '',
  questionHours: '',
  questionDefault: '',
  rules: [],
  continuation: {},
};

/** The numbers that are moved most; the service has more of them. */
export const continuationFields: readonly (readonly [name: string, label: string])[] = [
  ['turnsWithoutProgress', 'Turns without progress'],
  ['toolFreeTurns', 'Turns without a tool'],
  ['refusalsInRow', 'Refused claims in a row'],
  ['toolErrors', 'Tool errors in a row'],
  ['stepsPerTurn', 'Model calls a turn'],
  ['chainLength', 'Wakes in a row'],
  ['delegatesRunning', 'Delegates at once'],
  ['providerRetries', 'Waits for a provider'],
];

const HOUR = 3600;
const waits = [
  ['approvalHours', 'approvalTimeoutSeconds'],
  ['questionHours', 'questionTimeoutSeconds'],
] as const;

export function policyProblems(form: PolicyForm): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [field, name] of waits) {
    const text = form[field].trim();
    if (text !== '' && !(Number(text) > 0)) problems[`policy.${name}`] = 'Hours above 0';
  }
  for (const [name] of continuationFields) {
    const text = form.continuation[name]?.trim() ?? '';
    if (text !== '' && !/^\d{1,6}$/.test(text))
      problems[`policy.continuation.${name}`] = 'A whole number';
  }
  if (form.network === 'listed' && domainsOf(form).length === 0) {
    problems['policy.sandbox'] = 'Name a domain, such as registry.npmjs.org.';
  }
  form.rules.forEach(({ tool }, index) => {
    if (tool.trim() === '') problems[`policy.tools.${index}.tool`] = 'Name a tool, or * for all.';
  });
  return problems;
}

/** Only what differs from the defaults. */
export function policyOf(form: PolicyForm): Policy {
  const numbers = continuationFields.flatMap(([name]) => {
    const text = form.continuation[name]?.trim() ?? '';
    return text === '' ? [] : [[name, Number(text)] as const];
  });
  const seconds = waits.flatMap(([field, name]) =>
    form[field].trim() === '' ? [] : [[name, Math.round(Number(form[field]) * HOUR)] as const],
  );
  return {
    ...(form.completion === '' ? {} : { completion: form.completion }),
    ...(form.coverage === '' ? {} : { coverage: form.coverage }),
    ...(form.onUnknown === '' ? {} : { onUnknown: form.onUnknown }),
    ...(form.onLost === '' ? {} : { onLost: form.onLost }),
    ...sandboxOf(form),
    ...Object.fromEntries(seconds),
    ...(form.questionDefault.trim() === '' ? {} : { questionDefault: form.questionDefault.trim() }),
    ...(form.rules.length === 0 ? {} : { tools: form.rules.map(toRule) }),
    ...(numbers.length === 0 ? {} : { continuation: Object.fromEntries(numbers) }),
  };
}

const domainsOf = ({ domains }: PolicyForm): string[] =>
  domains.split(/[\s,]+/).filter((domain) => domain !== '');

/** What commands and checks reach; nothing unless it is said. */
export function sandboxOf(form: PolicyForm): Pick<Policy, 'sandbox'> {
  if (form.network === '') return {};
  const network = form.network === 'host' ? form.network : { domains: domainsOf(form) };
  return { sandbox: { network } };
}

/** The policy of a goal that stands, as far as the form has it. */
export function policyFormOf(policy: Goal['policy']): PolicyForm {
  const { sandbox: { network = 'none' } = {}, tools = [], continuation } = policy;
  const hours = (seconds: number | null | undefined): string =>
    seconds == null ? '' : String(seconds / HOUR);
  const numbers = continuationFields.flatMap(([name]) => {
    const value = Object.entries(continuation).find(([one]) => one === name)?.[1];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return {
    completion: policy.completion,
    coverage: policy.coverage === 'all' ? 'all' : '',
    onUnknown: policy.onUnknown,
    onLost: policy.onLost === 'resume' ? 'resume' : '',
    network: network === 'none' ? '' : network === 'host' ? 'host' : 'listed',
    domains: typeof network === 'string' ? '' : network.domains.join('\n'),
    approvalHours: hours(policy.approvalTimeoutSeconds),
    questionHours: hours(policy.questionTimeoutSeconds),
    questionDefault: policy.questionDefault ?? '',
    rules: tools.map(({ tool, command = '', path = '', decision }) => ({
      ...{ id: crypto.randomUUID(), tool, decision },
      ...{ command: String(command), path: String(path) },
    })),
    continuation: Object.fromEntries(numbers),
  };
}

const toRule = ({ tool, command, path, decision }: RuleRow): Rule => ({
  tool: tool.trim(),
  decision,
  ...(command.trim() === '' ? {} : { command: command.trim() }),
  ...(path.trim() === '' ? {} : { path: path.trim() }),
});
