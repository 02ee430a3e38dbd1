import { type TextEdit, writtenIn } from '../../../schema/call-subject.ts';
import { missingName } from '../../../schema/missing-name.ts';
import type { Approval } from '../api/types.ts';

/** The command or path that is asked about, if the approval is about one. */
export function approvalSubject({ data }: Pick<Approval, 'data'>): string | null {
  const args = data.arguments;
  if (typeof args !== 'object' || args === null) return null;
  const { command, path } = args as { command?: unknown; path?: unknown };
  if (typeof command === 'string') return command;
  return typeof path === 'string' ? path : null;
}

/** The rule that asks about a call; null where no rule does. */
export const approvalRule = ({ data }: Pick<Approval, 'data'>): string | null =>
  isText(data.rule) ? data.rule : null;

/** What is put in place of what, where the approval is about an edit or a write of a file. */
export const approvalEdits = ({ data }: Pick<Approval, 'data'>): TextEdit[] =>
  typeof data.tool === 'string' ? writtenIn({ tool: data.tool, arguments: data.arguments }) : [];

export interface ApprovalFact {
  readonly name: string;
  readonly text: string;
  readonly isCode: boolean;
}

/** Everything that the decision rests on, as name and text. */
export function approvalFacts({ data, kind }: Pick<Approval, 'data' | 'kind'>): ApprovalFact[] {
  const { arguments: args, result, command, changedFiles, reasons, summary, files } = data;
  return [
    ...entries(args).map(([name, value]) => ({ name, text: valueText(value), isCode: true })),
    // A plan stands in a field, where it can be edited.
    ...(isText(result) && kind !== 'plan' ? [{ name: 'Claim', text: result, isCode: false }] : []),
    ...(isText(command) ? [{ name: 'Shown by', text: command, isCode: true }] : []),
    ...(isText(summary) ? [{ name: 'Evidence', text: summary, isCode: false }] : []),
    ...(Array.isArray(changedFiles) && changedFiles.length > 0
      ? [{ name: 'Changed files', text: changedFiles.join('\n'), isCode: true }]
      : []),
    ...(Array.isArray(files) && files.length > 0
      ? [{ name: 'Files that would count', text: files.join('\n'), isCode: true }]
      : []),
    ...entries(reasons).map(([id, value]) => ({
      name: missingName(id),
      text: valueText(value),
      isCode: false,
    })),
  ];
}

/** The plan that is put to a person; null where the approval is about something else. */
export const plannedText = ({ data, kind }: Pick<Approval, 'data' | 'kind'>): string | null =>
  kind === 'plan' && isText(data.result) ? data.result : null;

export interface PlanForm {
  readonly plan: string;
  /** Shell commands, one a line. */
  readonly commands: string;
}

/** The plan only where it was edited, and what is added to judge the work. */
export function planBody({ plan, commands }: PlanForm, asked: string) {
  const added = commands
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    ...(plan === asked ? {} : { plan }),
    ...(added.length === 0
      ? {}
      : { criteria: added.map((command) => ({ kind: 'command' as const, command })) }),
  };
}

/** What the model says for it, which comes after what is there. */
export const approvalWords = ({ data }: Pick<Approval, 'data'>): string | null =>
  isText(data.why) ? data.why : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1);
const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

export interface ChangedFile {
  readonly path: string;
  readonly diff: string;
}

/** The changes under the checks, where the approval is about them. */
export function approvalDiffs({ data }: Pick<Approval, 'data'>): ChangedFile[] {
  if (!Array.isArray(data.diffs)) return [];
  return data.diffs.flatMap((entry): ChangedFile[] => {
    const { path, name, diff } = (entry ?? {}) as {
      path?: unknown;
      name?: unknown;
      diff?: unknown;
    };
    const title = isText(path) ? path : isText(name) ? name : null;
    return title === null ? [] : [{ path: title, diff: isText(diff) ? diff : '' }];
  });
}
