import { detailAt } from '../api/problem.ts';
import type { Problem, Sealed, SealInput } from '../api/types.ts';
import type { CriterionField } from './criterion-form.ts';
import { bytes, plural } from './format.ts';
import type { Problems } from './start-form.ts';

export type SealKind = SealInput['criterion']['kind'];

/** A check to be sealed as it is typed: texts by the names that the service gives their fields. */
export interface SealForm {
  readonly kind: SealKind;
  readonly values: Readonly<Record<string, string>>;
}

export const emptySeal: SealForm = { kind: 'command', values: {} };

/** An archive that was chosen, as it is sent. */
export interface Archive {
  readonly name: string;
  readonly bytes: number;
  /** null where the browser counts none: over plain HTTP from another machine. */
  readonly sha256: string | null;
  readonly base64: string;
}

/** The service takes no larger one (`MOST_ARCHIVE_BYTES`). */
export const MOST_ARCHIVE_BYTES = 8 * 1024 * 1024;

export const sealKinds: readonly (readonly [SealKind, string])[] = [
  ['command', 'Command exits 0'],
  ['review', 'Second model agrees'],
];

const told: readonly CriterionField[] = [
  { name: 'name', label: 'Name, which the model learns' },
  { name: 'description', label: 'What it asks for, which the model learns' },
];

/** What says it whole, and options behind it. */
export const sealFields: Readonly<
  Record<SealKind, { main: readonly CriterionField[]; options: readonly CriterionField[] }>
> = {
  command: {
    main: [...told, { name: 'command', label: 'Command', isCode: true }],
    options: [
      {
        name: 'hint',
        label: 'The model learns beside “unmet”',
        choices: [
          ['none', 'nothing'],
          ['name', 'the name of a failed test'],
          ['message', 'its first message, which the code can choose'],
        ],
      },
      { name: 'setup', label: 'Setup', isCode: true, hint: 'such as npm ci' },
      { name: 'cwd', label: 'Folder', isCode: true, hint: 'inside the workspace' },
      { name: 'expectExit', label: 'Expected exit code', hint: '0' },
      { name: 'timeoutSeconds', label: 'Time limit, seconds', hint: '600' },
    ],
  },
  review: {
    main: [...told, { name: 'rubric', label: 'Rubric', isLong: true }],
    options: [
      { name: 'model', label: 'Reviewing model', isCode: true, hint: 'the goal’s unless named' },
    ],
  },
};

const NUMBERS = new Set(['expectExit', 'timeoutSeconds']);

/** The problems that keep it from being sent, by field. */
export function sealProblems({ kind, values }: SealForm): Problems {
  const problems: Record<string, string> = {};
  for (const { name } of sealFields[kind].main) {
    if ((values[name] ?? '').trim() === '') problems[name] = 'Fill this in.';
  }
  for (const { name } of sealFields[kind].options) {
    const text = (values[name] ?? '').trim();
    if (NUMBERS.has(name) && text !== '' && !/^\d{1,4}$/.test(text)) {
      problems[name] = 'A whole number';
    }
  }
  return problems;
}

export function sealInput({ kind, values }: SealForm, archive: Archive | null): SealInput {
  const text = (field: string) => values[field]?.trim() ?? '';
  const maybe = (field: string) => (text(field) === '' ? {} : { [field]: text(field) });
  const count = (field: string) => (text(field) === '' ? {} : { [field]: Number(text(field)) });
  const known = { sealed: true as const, name: text('name'), description: text('description') };
  const files = archive === null ? {} : { archive: archive.base64 };
  if (kind === 'review') {
    const review = { kind, rubric: text('rubric'), ...maybe('model'), hint: 'none' as const };
    return { criterion: { ...known, ...review }, ...files };
  }
  const hint: 'none' | 'name' | 'message' =
    (['name', 'message'] as const).find((one) => one === text('hint')) ?? 'none';
  const command = {
    ...{ kind, command: text('command'), hint },
    ...maybe('setup'),
    ...maybe('cwd'),
    ...count('expectExit'),
    ...count('timeoutSeconds'),
  };
  return { criterion: { ...known, ...command }, ...files };
}

/** The service's refusal, at the field of this form that it names; none = it names no such field. */
export function sealRefusal(problem: Problem): Problems {
  const { field } = problem;
  const name = field === 'archive' ? field : /^criterion\.(\w+)/.exec(field ?? '')?.[1];
  return name === undefined ? {} : { [name]: detailAt(problem) };
}

/** In one line: how many files there are, and what they weigh. */
export const filesText = ({ files }: Pick<Sealed, 'files'>): string =>
  files.length === 0
    ? 'no files'
    : `${plural(files.length, 'file')}, ${bytes(files.reduce((sum, one) => sum + one.bytes, 0))}`;
