import type { Approval } from '../../schema/approval.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import { changeLines } from './change-text.ts';
import { oneLine, printable } from './terminal.ts';

/** Everything that a person needs to decide, and how. */
export function approvalText(approval: Approval): string {
  const { approvalId, goalId, kind, question, onApprove, onDeny, data, state, always } = approval;
  const decide = `goalkeeper approve ${goalId} ${approvalId}`;
  const edit =
    kind === 'plan'
      ? [`  ${decide} --plan FILE --criterion COMMAND`, '      the same, with your text and checks']
      : kind === 'criterion'
        ? [
            `  ${decide} --criterion COMMAND`,
            '      yours takes its place; of another kind by --criteria-file FILE',
          ]
        : [];
  const commands = [
    `  ${decide}`,
    `      ${onApprove}`,
    ...edit,
    ...(always === null
      ? []
      : [
          `  ${decide} --always`,
          `      the same, and from now on in ${always.workspace}: ${printable(always.says)}`,
        ]),
    `  ${decide} --deny --note WHY`,
    `      ${onDeny}`,
  ];
  return [
    `${kind} ${approvalId}${state === 'open' ? '' : ` (${state})`}`,
    `  ${printable(question)}`,
    ...basisLines(kind, data),
    ...(state === 'open' ? commands : []),
  ].join('\n');
}

/** What it rests on, in indented lines. */
export function basisLines(kind: Approval['kind'], data: Approval['data']): string[] {
  const {
    result,
    command,
    changedFiles,
    diffs,
    reasons,
    receipts,
    arguments: args,
    files,
    why,
  } = data;
  return [
    ...(isRecord(args) ? argumentLines(args) : []),
    ...(typeof result === 'string' && result !== ''
      ? [`  ${nameOf(kind)}: ${printable(result)}`]
      : []),
    ...(typeof command === 'string' ? [`  shown by: ${oneLine(command, 2000)}`] : []),
    ...named('changed files', changedFiles),
    ...named('files that would count', files),
    ...(Array.isArray(diffs) ? changeLines(diffs as ShownChange[], ...titleOf(kind)) : []).map(
      (line) => `  ${line}`,
    ),
    ...(typeof why === 'string' ? [`  the model says: ${oneLine(why, 2000)}`] : []),
    ...(isRecord(reasons)
      ? Object.values(reasons).map((why) => `  why: ${oneLine(String(why), 400)}`)
      : []),
    ...named('receipts (goalkeeper ledger)', receipts),
  ];
}

const nameOf = (kind: Approval['kind']): string => (kind === 'plan' ? 'plan' : 'claim');

const titleOf = (kind: Approval['kind']): [string] | [] =>
  kind === 'scope_change' ? ['changed so far:'] : [];

const argumentLines = (args: Record<string, unknown>): string[] =>
  Object.entries(args).map(
    ([name, value]) =>
      `  ${name}: ${printable(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );

function named(name: string, values: unknown): string[] {
  if (!Array.isArray(values) || values.length === 0) return [];
  return [`  ${name}: ${oneLine(values.join(', '), 600)}`];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
