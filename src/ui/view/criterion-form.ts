import type { operations } from '../api/schema.d.ts';

type Body = operations['startGoal']['requestBody']['content']['application/json'];
export type CriterionSpec = NonNullable<Body['criteria']>[number];
type Of<Kind extends CriterionSpec['kind']> = Extract<CriterionSpec, { kind: Kind }>;

export type CriterionKind = CriterionSpec['kind'];

/** One criterion as it is typed: texts by the names that the service gives their fields. */
export interface CriterionRow {
  readonly id: string;
  readonly kind: CriterionKind;
  readonly values: Readonly<Record<string, string>>;
}

export interface CriterionField {
  readonly name: string;
  readonly label: string;
  readonly isCode?: boolean;
  readonly isLong?: boolean;
  /** Value and words of each choice; the first one is the default. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
  readonly hint?: string;
  /** Shown only where another field has one of these values. */
  readonly only?: { readonly name: string; readonly values: readonly string[] };
}

interface KindWords {
  readonly label: string;
  readonly rule: string;
  /** The first one is the criterion itself; the others are options. */
  readonly fields: readonly CriterionField[];
  /** Can be looked at before there is a goal. */
  readonly canRun: boolean;
}

const name: CriterionField = { name: 'name', label: 'Shown as' };

export const criterionKinds: Readonly<Record<CriterionKind, KindWords>> = {
  command: {
    label: 'Command exits 0',
    rule: 'the host runs it at the gate',
    canRun: true,
    fields: [
      { name: 'command', label: 'Command', isCode: true },
      {
        name: 'check',
        label: 'Checked',
        choices: [
          ['rerun', 'by the host, in the workspace'],
          ['clean', 'by the host, in a fresh checkout'],
          ['receipt', 'by a run of the agent, after its last write'],
        ],
      },
      {
        name: 'setup',
        label: 'Setup of the checkout',
        isCode: true,
        hint: 'such as npm ci',
        only: { name: 'check', values: ['clean'] },
      },
      {
        name: 'scope',
        label: 'Writes that count',
        isCode: true,
        hint: 'globs, separated by commas; all unless given',
        only: { name: 'check', values: ['receipt'] },
      },
      {
        name: 'attempts',
        label: 'Attempts',
        hint: 'more than 1 for flaky checks',
        only: { name: 'check', values: ['', 'rerun', 'clean'] },
      },
      { name: 'cwd', label: 'Folder', isCode: true, hint: 'inside the workspace' },
      { name: 'expectExit', label: 'Expected exit code', hint: '0' },
      { name: 'timeoutSeconds', label: 'Time limit, seconds', hint: '600' },
      name,
    ],
  },
  file: {
    label: 'File',
    rule: 'looked at by the host at the gate',
    canRun: true,
    fields: [
      { name: 'path', label: 'Path', isCode: true },
      {
        name: 'rule',
        label: 'Rule',
        choices: [
          ['exists', 'exists'],
          ['folder', 'exists as a folder'],
          ['gone', 'is gone'],
          ['matches', 'matches a pattern'],
          ['protect', 'stays unchanged'],
        ],
      },
      {
        name: 'matches',
        label: 'Pattern',
        isCode: true,
        hint: 'a regular expression',
        only: { name: 'rule', values: ['matches'] },
      },
      name,
    ],
  },
  git: {
    label: 'Committed in git',
    rule: 'the host asks git at the gate',
    canRun: true,
    fields: [
      { name: 'branch', label: 'Branch', isCode: true, hint: 'any unless named' },
      {
        name: 'allowedPaths',
        label: 'Only these paths change',
        isCode: true,
        hint: 'globs, separated by commas; all unless given',
      },
      {
        name: 'clean',
        label: 'Stray files',
        choices: [
          ['yes', 'none may be left'],
          ['no', 'may be left'],
        ],
      },
      name,
    ],
  },
  diagnostics: {
    label: 'No reported errors',
    rule: 'the host asks the project’s checkers after the last write',
    canRun: true,
    fields: [
      {
        name: 'paths',
        label: 'Paths',
        isCode: true,
        hint: 'separated by commas; the whole project unless given',
      },
      {
        name: 'errors',
        label: 'Errors of the start',
        choices: [
          ['all', 'count as well'],
          ['new', 'don’t count: no new ones'],
        ],
      },
      name,
    ],
  },
  review: {
    label: 'Second model agrees',
    rule: 'a second model reviews with a rubric; never enough alone',
    canRun: false,
    fields: [
      { name: 'rubric', label: 'Rubric', isLong: true },
      { name: 'model', label: 'Reviewing model', isCode: true, hint: 'the goal’s unless named' },
      name,
    ],
  },
  sealed: {
    label: 'Sealed check',
    rule: 'the host runs it in the proof; the agent never sees how',
    canRun: false,
    fields: [
      { name: 'sealedId', label: 'Sealed id', isCode: true, hint: 'as "goalkeeper seal" printed' },
    ],
  },
  approval: {
    label: 'Person approves',
    rule: 'a person answers when all else holds',
    canRun: false,
    fields: [{ name: 'question', label: 'Question' }, name],
  },
};

export const emptyRow = (kind: CriterionKind = 'command'): CriterionRow => ({
  id: crypto.randomUUID(),
  kind,
  values: {},
});

/** The fields of a kind that its values ask for. */
export function shownFields({ kind, values }: CriterionRow): readonly CriterionField[] {
  return criterionKinds[kind].fields.filter(
    ({ only }) => only === undefined || only.values.includes(values[only.name] ?? ''),
  );
}

const fieldText = ({ values }: CriterionRow, field: string): string => values[field]?.trim() ?? '';

/** The words by which a row is known. */
export function rowTitle(row: CriterionRow): string {
  const [first] = criterionKinds[row.kind].fields;
  return fieldText(row, 'name') || fieldText(row, first?.name ?? '');
}

const NEEDED = {
  command: 'command',
  file: 'path',
  review: 'rubric',
  sealed: 'sealedId',
  approval: 'question',
} as const;
const numbers = ['attempts', 'expectExit', 'timeoutSeconds'] as const;

/** The problems of a row, by field. */
export function rowProblems(row: CriterionRow): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const needed = row.kind in NEEDED ? NEEDED[row.kind as keyof typeof NEEDED] : null;
  if (needed !== null && fieldText(row, needed) === '') {
    problems[needed] = 'Fill this in or remove the criterion.';
  }
  if (row.kind === 'file' && isOutside(fieldText(row, 'path'))) {
    problems.path = 'Use a path inside the workspace, such as docs/sync.md.';
  }
  if (row.kind === 'file' && row.values.rule === 'matches' && fieldText(row, 'matches') === '') {
    problems.matches = 'Give a pattern.';
  }
  for (const field of shownFields(row).filter((one) => isNumber(one.name))) {
    const text = fieldText(row, field.name);
    if (text !== '' && !/^\d{1,4}$/.test(text)) problems[field.name] = 'A whole number';
  }
  return problems;
}

const isNumber = (field: string): boolean => (numbers as readonly string[]).includes(field);

const isOutside = (path: string): boolean => path.startsWith('/') || path.split('/').includes('..');

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function toCriterion(row: CriterionRow): CriterionSpec {
  const shown = new Set(shownFields(row).map((field) => field.name));
  const text = (field: string) => (shown.has(field) ? fieldText(row, field) : '');
  const maybe = (field: string) => (text(field) === '' ? {} : { [field]: text(field) });
  const count = (field: string) => (text(field) === '' ? {} : { [field]: Number(text(field)) });
  const list = (field: string) => {
    const parts = listOf(text(field));
    return parts.length === 0 ? {} : { [field]: parts };
  };
  const named = maybe('name');
  switch (row.kind) {
    case 'command': {
      const check = text('check') as NonNullable<Of<'command'>['check']> | '';
      return {
        kind: 'command',
        command: text('command'),
        ...(check === '' || check === 'rerun' ? {} : { check }),
        ...maybe('setup'),
        ...maybe('cwd'),
        ...list('scope'),
        ...count('attempts'),
        ...count('expectExit'),
        ...count('timeoutSeconds'),
        ...named,
      };
    }
    case 'file':
      return { kind: 'file', path: text('path'), ...fileRule(text('rule'), text), ...named };
    case 'git': {
      const clean = text('clean') === 'no' ? { clean: false } : {};
      return { kind: 'git', ...maybe('branch'), ...list('allowedPaths'), ...clean, ...named };
    }
    case 'diagnostics':
      return {
        kind: 'diagnostics',
        ...list('paths'),
        ...(text('errors') === 'new' ? { onlyNew: true as const } : {}),
        ...named,
      };
    case 'review':
      return { kind: 'review', rubric: text('rubric'), ...maybe('model'), ...named };
    case 'sealed':
      return { kind: 'sealed', sealedId: text('sealedId') };
    case 'approval':
      return { kind: 'approval', question: text('question'), ...named };
  }
}

function fileRule(rule: string, text: (field: string) => string) {
  if (rule === 'matches') return { matches: text('matches') };
  if (rule === 'folder') return { exists: true as const, type: 'folder' as const };
  return rule === 'protect' ? { protect: true as const } : { exists: rule !== 'gone' };
}

/** A criterion that stands, to be changed. */
export function rowOf(spec: CriterionSpec): CriterionRow {
  const { kind, ...rest } = spec;
  const values: Record<string, string> = {};
  for (const [field, value] of Object.entries(rest)) {
    if (Array.isArray(value)) values[field] = value.join(', ');
    else if (typeof value === 'string' || typeof value === 'number') values[field] = String(value);
  }
  if (spec.kind === 'git') values.clean = spec.clean === false ? 'no' : 'yes';
  if (spec.kind === 'file') values.rule = ruleOf(spec);
  if (spec.kind === 'diagnostics') values.errors = spec.onlyNew === true ? 'new' : 'all';
  return { ...emptyRow(kind), values };
}

function ruleOf({ exists, type, matches, protect }: Of<'file'>): string {
  if (protect === true) return 'protect';
  if (matches !== undefined) return 'matches';
  if (exists === false) return 'gone';
  return type === 'folder' ? 'folder' : 'exists';
}
