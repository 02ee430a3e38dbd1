import type { operations } from '../api/schema.d.ts';

export type StartBody = operations['startGoal']['requestBody']['content']['application/json'];
type Criterion = NonNullable<StartBody['criteria']>[number];

export type CriterionKind = 'command' | 'file' | 'approval';

export interface CriterionRow {
  readonly id: string;
  readonly kind: CriterionKind;
  readonly text: string;
}

export interface StartForm {
  readonly objective: string;
  readonly criteria: readonly CriterionRow[];
  readonly tokens: string;
  readonly costUsd: string;
  readonly turns: string;
  readonly hours: string;
  readonly workspace: string;
  readonly model: string;
}

export const kindWords: Readonly<Record<CriterionKind, { label: string; rule: string }>> = {
  command: { label: 'Command exits 0', rule: 'the host runs it at the gate' },
  file: { label: 'File exists', rule: 'looked for at the gate' },
  approval: { label: 'Person approves', rule: 'a person answers when all else holds' },
};

/** What is wrong with a row; empty where nothing is. */
export function rowProblem({ kind, text }: CriterionRow): string {
  if (text.trim() === '') return 'Fill this in or remove the criterion.';
  const isOutside = text.startsWith('/') || text.split('/').includes('..');
  return kind === 'file' && isOutside
    ? 'Use a path inside the workspace, such as docs/sync.md.'
    : '';
}

function toCriterion({ kind, text }: CriterionRow): Criterion {
  const value = text.trim();
  if (kind === 'file') return { kind, path: value, exists: true };
  return kind === 'command' ? { kind, command: value } : { kind, question: value };
}

/** A path is a workspace that has no name yet; everything else names one. */
const isPath = (workspace: string): boolean => /^[/~.]/.test(workspace);

/** The request, or what keeps it from being one, by field. */
export function readStartForm(form: StartForm): { body: StartBody; problems: readonly string[] } {
  const number = (text: string) => Number(text.replace(/[,\s]/g, ''));
  const problems = [
    ...(form.objective.trim() === '' ? ['Say what the goal is.'] : []),
    ...(form.workspace.trim() === '' ? ['Say where it works.'] : []),
    ...(form.criteria.some((row) => rowProblem(row) !== '') ? ['A criterion needs a fix.'] : []),
    ...([form.tokens, form.costUsd, form.turns, form.hours].some(
      (text) => text.trim() !== '' && !(number(text) > 0),
    )
      ? ['Budgets are numbers above 0.']
      : []),
  ];
  const budget = {
    ...(form.tokens.trim() === '' ? {} : { tokens: Math.round(number(form.tokens)) }),
    ...(form.costUsd.trim() === '' ? {} : { costUsd: form.costUsd.trim() }),
    ...(form.turns.trim() === '' ? {} : { turns: Math.round(number(form.turns)) }),
    ...(form.hours.trim() === '' ? {} : { activeSeconds: Math.round(number(form.hours) * 3600) }),
  };
  const workspace = form.workspace.trim();
  const body: StartBody = {
    objective: form.objective.trim(),
    workspace: isPath(workspace) ? { path: workspace } : { name: workspace },
    ...(form.criteria.length === 0 ? {} : { criteria: form.criteria.map(toCriterion) }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(form.model === '' ? {} : { model: form.model }),
  };
  return { body, problems };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same from the command line, as far as it goes there: it knows no other kinds of criteria. */
export function cliTwin(form: StartForm): string {
  const { body } = readStartForm(form);
  const { workspace, budget, model } = body;
  const place =
    workspace === undefined || ('name' in workspace && workspace.name === '')
      ? []
      : 'name' in workspace
        ? [`--workspace-name ${quoted(workspace.name)}`]
        : [`--workspace ${quoted(workspace.path)}`];
  const parts = [
    `goalkeeper run ${quoted(body.objective === '' ? '…' : body.objective)}`,
    ...place,
    ...form.criteria
      .filter(({ kind, text }) => kind === 'command' && text.trim() !== '')
      .map(({ text }) => `--criterion ${quoted(text.trim())}`),
    ...(budget?.tokens == null ? [] : [`--budget-tokens ${budget.tokens}`]),
    ...(budget?.costUsd == null ? [] : [`--budget-cost ${budget.costUsd}`]),
    ...(budget?.turns == null ? [] : [`--budget-turns ${budget.turns}`]),
    ...(budget?.activeSeconds == null ? [] : [`--budget-seconds ${budget.activeSeconds}`]),
    ...(model === undefined ? [] : [`--model ${model}`]),
  ];
  return parts.join(' \\\n  ');
}
