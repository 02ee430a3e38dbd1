import type { Approval } from '../api/types.ts';

/** The command or path that is asked about, if the approval is about one. */
export function approvalSubject({ data }: Pick<Approval, 'data'>): string | null {
  const args = data.arguments;
  if (typeof args !== 'object' || args === null) return null;
  const { command, path } = args as { command?: unknown; path?: unknown };
  if (typeof command === 'string') return command;
  return typeof path === 'string' ? path : null;
}

export interface ApprovalFact {
  readonly name: string;
  readonly text: string;
  readonly isCode: boolean;
}

/** Everything that the decision rests on, as name and text. */
export function approvalFacts({ data }: Pick<Approval, 'data'>): ApprovalFact[] {
  const { arguments: args, result, changedFiles, reasons, summary, files } = data;
  return [
    ...entries(args).map(([name, value]) => ({ name, text: valueText(value), isCode: true })),
    ...(isText(result) ? [{ name: 'Claim', text: result, isCode: false }] : []),
    ...(isText(summary) ? [{ name: 'Evidence', text: summary, isCode: false }] : []),
    ...(Array.isArray(changedFiles) && changedFiles.length > 0
      ? [{ name: 'Changed files', text: changedFiles.join('\n'), isCode: true }]
      : []),
    ...(Array.isArray(files) && files.length > 0
      ? [{ name: 'Files that would count', text: files.join('\n'), isCode: true }]
      : []),
    ...entries(reasons).map(([name, value]) => ({ name, text: valueText(value), isCode: false })),
  ];
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
