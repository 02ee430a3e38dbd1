import type { Approval, ApprovalKind } from '../../../schema/approval.ts';

type Data = Approval['data'];

const MOST = 300;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): string =>
  (Array.isArray(value) ? value : Object.keys((value ?? {}) as object)).join(', ');

const deeds: ReadonlyMap<string, string> = new Map([
  ['edit_file', 'Edit'],
  ['write_file', 'Write'],
]);

function callTitle({ tool, arguments: args, detail }: Data): string {
  const { command, path } = (args ?? {}) as { command?: unknown; path?: unknown };
  if (text(command) !== '') return `Run ${text(command)}`;
  if (text(path) === '') return text(detail) || text(tool);
  return `${deeds.get(text(tool)) ?? text(tool)} ${text(path)}`;
}

function filesTitle({ changes }: Data): string {
  const names = Object.keys((changes ?? {}) as object);
  return names.length === 1
    ? `The proof needs ${names[0]}, which is yours to keep`
    : `The proof needs ${names.length} files that are yours to keep`;
}

const titles: Record<ApprovalKind, (data: Data) => string> = {
  tool: callTitle,
  basis: filesTitle,
  manual: ({ content }) => `Is “${text(content)}” done?`,
  criterion: ({ describes }) => `New criterion: ${text(describes)}`,
  approval: ({ question }) => text(question),
  completion: () => 'It claims to be done, and no check of the host proves it',
  unknown_effect: ({ detail }) => `Nobody saw how a call ended: ${text(detail)}`,
  requirement: ({ subject, text: what }) => `Is ${text(subject)} met? ${text(what)}`,
  requirement_change: ({ describes }) => `Change the requirements: ${list(describes)}`,
  scope_change: ({ change }) => `Add ${list(change)} to the scope`,
  plan: () => 'Is this the plan?',
};

/** What an approval asks, in one line of at most 300 characters. */
export const approvalTitle = (kind: ApprovalKind, data: Data): string =>
  oneLine(titles[kind](data));

export const oneLine = (said: string): string => {
  const line = said.replace(/\s+/g, ' ').trim();
  return line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line;
};
