import type { operations } from '../api/schema.d.ts';
import { type AttachedFile, attachedIn } from './attached-file.ts';
import { type CriterionRow, emptyRow, rowProblems, toCriterion } from './criterion-form.ts';
import { emptyPolicy, type PolicyForm, policyOf, policyProblems } from './policy-form.ts';
import { quoted } from './shell-words.ts';

export type StartBody = operations['startGoal']['requestBody']['content']['application/json'];

export interface StartForm {
  readonly objective: string;
  /** They come with the objective. */
  readonly files: readonly AttachedFile[];
  readonly criteria: readonly CriterionRow[];
  /** Without criteria: the project's own checks, or a person. */
  readonly whenNone: 'detect' | 'judge';
  readonly tokens: string;
  readonly costUsd: string;
  readonly turns: string;
  readonly hours: string;
  readonly workspace: string;
  /** In the workspace itself, or in a git worktree of its own. */
  readonly tree: 'shared' | 'worktree';
  /** Of a worktree: it begins with the files of this goal after the turn; null = with the last commit. */
  readonly begins: { readonly goalId: string; readonly turn: number } | null;
  /** An agent of the settings; empty = the own loop. */
  readonly agent: string;
  readonly model: string;
  readonly fallbackModel: string;
  readonly mode: 'agent' | 'plan' | 'gather';
  /** One a line, as are the next two. */
  readonly requirements: string;
  readonly change: string;
  readonly keep: string;
  /** The commit that the work is measured against; empty = the files as they are. */
  readonly base: string;
  readonly policy: PolicyForm;
}

export const emptyForm = (): StartForm => ({
  objective: '',
  files: [],
  criteria: [{ ...emptyRow(), values: { command: 'npm test' } }],
  whenNone: 'detect',
  tokens: '',
  costUsd: '',
  turns: '',
  hours: '',
  workspace: '',
  tree: 'shared',
  begins: null,
  agent: '',
  model: '',
  fallbackModel: '',
  mode: 'agent',
  requirements: '',
  change: '',
  keep: '',
  base: '',
  policy: emptyPolicy,
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function scopeOf({ change, keep, base }: StartForm): StartBody['scope'] {
  const scope = {
    ...(linesOf(change).length === 0 ? {} : { change: linesOf(change) }),
    ...(linesOf(keep).length === 0 ? {} : { keep: linesOf(keep) }),
    ...(base.trim() === '' ? {} : { base: base.trim() }),
  };
  return Object.keys(scope).length === 0 ? undefined : scope;
}

/** The problems, by the name that the service gives the field. */
export type Problems = Readonly<Record<string, string>>;

/** A path is a workspace that has no name yet; everything else names one. */
const isPath = (workspace: string): boolean => /^[/~.]/.test(workspace);

export const workspaceOf = (text: string): NonNullable<StartBody['workspace']> =>
  isPath(text.trim()) ? { path: text.trim() } : { name: text.trim() };

/** The request, and the problems that keep it from being sent. */
export function readStartForm(form: StartForm): { body: StartBody; problems: Problems } {
  const budget = budgetOf(form);
  const policy = policyOf(form.policy);
  const criteria = form.criteria.map(toCriterion);
  const scope = scopeOf(form);
  const requirements = linesOf(form.requirements).map((text) => ({ text }));
  const body: StartBody = {
    objective: form.objective.trim(),
    workspace: {
      ...workspaceOf(form.workspace),
      ...(form.tree === 'worktree' ? { mode: form.tree } : {}),
      ...(form.tree === 'worktree' && form.begins !== null ? { from: form.begins } : {}),
    },
    ...attachedIn(form.files),
    ...(criteria.length > 0 || form.whenNone === 'judge' ? { criteria } : {}),
    ...(requirements.length === 0 ? {} : { requirements }),
    ...(scope === undefined ? {} : { scope }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...loopOf(form),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  };
  return { body, problems: problemsOf(form) };
}

type Loop = Pick<StartBody, 'agent' | 'model' | 'fallbackModel' | 'mode'>;

/** An agent of the settings brings its tools, and chooses its models. */
function loopOf({ agent, model, fallbackModel, mode }: StartForm): Loop {
  if (agent !== '') return { agent };
  return {
    ...(model === '' ? {} : { model }),
    ...(fallbackModel === '' ? {} : { fallbackModel }),
    ...(mode === 'agent' ? {} : { mode }),
  };
}

const limits = [
  ['tokens', 'budget.tokens', true],
  ['costUsd', 'budget.costUsd', false],
  ['turns', 'budget.turns', true],
  ['hours', 'budget.activeSeconds', false],
] as const;

const plain = (text: string): string => text.replace(/[,\s]/g, '');
const isNone = (text: string): boolean => plain(text).toLowerCase() === 'none';

function problemsOf(form: StartForm): Problems {
  const problems: Record<string, string> = { ...policyProblems(form.policy) };
  if (form.objective.trim() === '') problems.objective = 'Say what the goal is.';
  if (linesOf(form.keep).length > 0 && linesOf(form.change).length === 0) {
    problems['scope.keep'] = 'It says what the scope leaves out: name that as well.';
  }
  if (form.workspace.trim() === '') problems.workspace = 'Say where it works.';
  form.criteria.forEach((row, index) => {
    for (const [field, problem] of Object.entries(rowProblems(row))) {
      problems[`criteria.${index}.${field}`] = problem;
    }
  });
  for (const [field, path, isWhole] of limits) {
    const text = plain(form[field]);
    if (text === '' || isNone(text)) continue;
    const value = Number(text);
    if (!(value > 0) || (isWhole && !Number.isInteger(value))) {
      problems[path] = isWhole ? 'A whole number above 0' : 'A number above 0';
    }
  }
  return problems;
}

/** Empty takes the default of the service; none lifts the limit. */
function budgetOf(form: StartForm): NonNullable<StartBody['budget']> {
  const read = <Value>(text: string, value: (text: string) => Value) =>
    isNone(text) ? null : value(plain(text));
  const { tokens, costUsd, turns, hours } = form;
  return {
    ...(plain(tokens) === '' ? {} : { tokens: read(tokens, Number) }),
    ...(plain(costUsd) === '' ? {} : { costUsd: read(costUsd, String) }),
    ...(plain(turns) === '' ? {} : { turns: read(turns, Number) }),
    ...(plain(hours) === ''
      ? {}
      : { activeSeconds: read(hours, (text) => Math.round(Number(text) * 3600)) }),
  };
}

/** The meaning of the chosen tree. */
export const treeWords = {
  shared: 'It changes the files there; one goal at a time does, others wait in line.',
  worktree:
    'It starts from the last commit on a branch of its own, waits for nobody and leaves your files alone. Needs a git repository.',
} as const;

/** The problem of a field, also where the service names a part of it. */
export function problemAt(problems: Problems, field: string): string {
  const exact = problems[field];
  if (exact !== undefined) return exact;
  const part = Object.keys(problems).find((name) => name.startsWith(`${field}.`));
  return part === undefined ? '' : (problems[part] ?? '');
}

/** The same from the command line, as far as flags go: the rest has its place in a file. */
export function cliTwin(form: StartForm): string {
  const {
    workspace,
    budget,
    model,
    fallbackModel,
    objective,
    scope,
    requirements,
    policy,
    mode,
    agent,
  } = readStartForm(form).body;
  const isNamed = workspace !== undefined && 'name' in workspace;
  const place = isNamed
    ? `--workspace-name ${quoted(workspace.name)}`
    : `--workspace ${quoted(workspace?.path ?? '.')}`;
  const parts = [
    `goalkeeper run ${quoted(objective === '' ? '…' : objective)}`,
    ...(form.workspace.trim() === '' ? [] : [place]),
    ...(form.tree === 'worktree' && form.begins === null ? ['--worktree'] : []),
    ...(form.tree === 'worktree' && form.begins !== null
      ? [`--from-turn ${form.begins.goalId}:${form.begins.turn}`]
      : []),
    ...form.files.map(({ name }) => `--attach ${quoted(name)}`),
    ...form.criteria.flatMap(({ kind, values }) =>
      kind === 'command' && (values.command ?? '').trim() !== ''
        ? [`--criterion ${quoted((values.command ?? '').trim())}`]
        : [],
    ),
    ...form.criteria.flatMap(({ kind, values }) =>
      kind === 'sealed' && (values.sealedId ?? '').trim() !== ''
        ? [`--sealed ${quoted((values.sealedId ?? '').trim())}`]
        : [],
    ),
    ...(form.criteria.length === 0 && form.whenNone === 'judge' ? ['--judge-myself'] : []),
    ...(requirements ?? []).map(({ text }) => `--requirement ${quoted(text)}`),
    ...(policy?.coverage === 'all' ? ['--cover-all'] : []),
    ...networkOption(policy),
    ...(scope?.change ?? []).map((glob) => `--change ${quoted(glob)}`),
    ...(scope?.keep ?? []).map((glob) => `--keep ${quoted(glob)}`),
    ...(scope?.base === undefined ? [] : [`--base ${quoted(scope.base)}`]),
    ...(budget?.tokens == null ? [] : [`--budget-tokens ${budget.tokens}`]),
    ...(budget?.costUsd == null ? [] : [`--budget-cost ${budget.costUsd}`]),
    ...(budget?.turns == null ? [] : [`--budget-turns ${budget.turns}`]),
    ...(budget?.activeSeconds == null ? [] : [`--budget-seconds ${budget.activeSeconds}`]),
    ...(agent === undefined ? [] : [`--agent ${agent}`]),
    ...(mode === undefined ? [] : [`--mode ${mode}`]),
    ...(model === undefined ? [] : [`--model ${model}`]),
    ...(fallbackModel == null ? [] : [`--fallback-model ${fallbackModel}`]),
  ];
  return parts.join(' \\\n  ');
}

function networkOption(policy: StartBody['policy']): string[] {
  const network = policy?.sandbox?.network;
  if (network === undefined) return [];
  return [`--network ${quoted(typeof network === 'string' ? network : network.domains.join(','))}`];
}

/** Parts of the form that no flag of the command line expresses. */
export const isBeyondCli = (form: StartForm): boolean =>
  form.criteria.some(
    ({ kind, values }) =>
      (kind !== 'command' && kind !== 'sealed') || Object.keys(values).length > 1,
  ) || Object.keys(policyOf({ ...form.policy, coverage: '', network: '' })).length > 0;
