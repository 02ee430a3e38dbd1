import type { Approval, ApprovalKind } from '../../../schema/approval.ts';

type Words = Pick<Approval, 'question' | 'onApprove' | 'onDeny'>;
type Data = Approval['data'];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): string =>
  (Array.isArray(value) ? value : Object.keys((value ?? {}) as object)).join(', ');

const escaped = (name: string): string =>
  JSON.stringify(name).replace(
    /[^ -~]/gu,
    (one) => `<U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );

/** Letters of another alphabet look like those of this one, so both forms are shown. */
const quoted = (value: unknown): string =>
  (Array.isArray(value) ? value : [])
    .map((one) => String(one))
    .map((one) => (/^[ -~]*$/.test(one) ? JSON.stringify(one) : `"${one}" (${escaped(one)})`))
    .join(', ');

/** A name can't end its own quotation, nor look like several names. */
const fileName = (name: unknown): string =>
  /^[\p{L}\p{N}._/@+~-]+$/u.test(String(name)) ? String(name) : escaped(String(name));

const NAMED_FILES = 8;

/** The files come first, because the globs are the model's words. */
function takenIn({ files, count, changed, judges, everything, lifted }: Data): string {
  const names = Array.isArray(files) ? files.slice(0, NAMED_FILES).map(fileName) : [];
  const total = Number(count ?? 0);
  const isLifted = Array.isArray(lifted) && lifted.length > 0;
  const anywhere = [
    ...(everything === true ? [', and whatever it writes anywhere,'] : []),
    ...(isLifted ? [`, although its scope keeps ${quoted(lifted)},`] : []),
  ].join('');
  if (total === 0) return `files that are not there yet${anywhere}`;
  const more = total > names.length ? ` and ${total - names.length} more` : '';
  const facts = [
    ...(Number(changed) > 0 ? [`${changed} changed so far`] : ['none changed so far']),
    ...(Number(judges) > 0 ? [`${judges} judge it by their names`] : []),
  ];
  return `${names.join(', ')}${more} (${facts.join(', ')})${anywhere}`;
}

const GOES_TO_GATE = 'the claim goes to the gate again';

const words: Record<ApprovalKind, (data: Data) => Words> = {
  completion: () => ({
    question: 'The goal claims to be done, and no check of the host proves it. Is it done?',
    onApprove: 'the goal is complete, accepted by you',
    onDeny: 'the goal goes on with your note',
  }),
  plan: () => ({
    question: 'Is this the plan? Once approved, another goal carries it out in the same workspace.',
    onApprove:
      'this goal is complete, and another one carries the plan out, with its conversation, todo list and criteria',
    onDeny: 'the goal plans on with your note',
  }),
  basis: ({ changes }) => ({
    question: `The proof needs changes beyond the goal's scope: ${list(changes)}. Do they belong to the work?`,
    onApprove: `these changes count as work in this form, and ${GOES_TO_GATE}`,
    onDeny: 'the model is told to undo them',
  }),
  manual: ({ content, result, summary }) => ({
    question: `Is "${text(content)}" done? The model says: ${text(result)} (${text(summary)})`,
    onApprove: `the item counts as done, and ${GOES_TO_GATE}`,
    onDeny: 'the item is open again and the model hears your note',
  }),
  approval: ({ question }) => ({
    question: text(question),
    onApprove: `the criterion holds until files are written again, and ${GOES_TO_GATE}`,
    onDeny: 'the goal goes on with your note',
  }),
  criterion: ({ describes }) => ({
    question: `The model proposes to be judged by this as well: ${text(describes)}. Add it?`,
    onApprove: 'the criterion is added; it must fail before it can prove anything',
    onDeny: 'it is not added, and the model is told',
  }),
  unknown_effect: ({ detail }) => ({
    question: `Nobody saw how a call ended: ${text(detail)}. May the goal go on?`,
    onApprove: 'the goal goes on; the model looks at what is there before it repeats anything',
    onDeny: 'the goal goes on with your note and must not rely on that call',
  }),
  requirement: ({ subject, text: what }) => ({
    question: `Nothing checks ${text(subject)}: "${text(what)}". Is it met?`,
    onApprove: `the requirement counts as met until files are written again, and ${GOES_TO_GATE}`,
    onDeny: 'the goal goes on with your note',
  }),
  requirement_change: ({ describes }) => ({
    question: `The model proposes to change what the objective asks for: ${list(describes)}. Change it?`,
    onApprove: 'the requirements are changed',
    onDeny: 'they stay as they are, and the model is told',
  }),
  scope_change: (data) => ({
    question: `May ${takenIn(data)} count as the goal's work? It asks for ${quoted(data.change)}.`,
    onApprove:
      'whatever the goal makes of these files, now and later, counts as its work and no longer judges it',
    onDeny: 'the scope stays as it is, and the model is told',
  }),
  tool: ({ detail, rule }) => ({
    question: `May this call run: ${text(detail)}? Asked by: ${text(rule)}`,
    onApprove: 'it runs once, with exactly these arguments',
    onDeny: 'it is refused, and the model hears your note',
  }),
};

/** The question to a person and the consequences of both answers. */
export const describeApproval = (kind: ApprovalKind, data: Data): Words => words[kind](data);

/** The host's message to the model; null where the goal ends or goes to the gate. */
export function noticeOf(
  kind: ApprovalKind,
  decision: 'approve' | 'deny',
  data: Data,
): string | null {
  const isApproved = decision === 'approve';
  switch (kind) {
    case 'completion':
      return isApproved ? null : 'Your claim to be done was looked at and not accepted.';
    case 'plan':
      return isApproved ? null : 'A person did not approve your plan: change it, then claim again.';
    case 'basis':
      return isApproved
        ? null
        : `A person did not accept changes beyond the scope: ${list(data.changes)}. Undo them with edit_file or write_file, make the checks pass without them, then claim again.`;
    case 'manual':
      return isApproved
        ? null
        : `A person did not accept "${text(data.content)}" as done: the item is open again. Do it, then sign it off with complete_step and evidence of a run, a diff or files.`;
    case 'approval':
      return isApproved ? null : `A person answered "${text(data.question)}" with no.`;
    case 'requirement':
      return isApproved
        ? null
        : `A person does not take ${text(data.subject)} ("${text(data.text)}") as met.`;
    case 'requirement_change':
      return isApproved
        ? `A person accepted your change of the requirements: ${list(data.describes)}. The goal block shows them.`
        : `A person declined your change of the requirements: ${list(data.describes)}. They stay as they are.`;
    case 'criterion':
      return isApproved
        ? `A person accepted the criterion that you proposed: ${text(data.describes)}. The goal block shows it.`
        : `A person declined the criterion that you proposed: ${text(data.describes)}. Go on without it.`;
    case 'scope_change':
      return isApproved
        ? `A person accepted the wider scope that you asked for: ${quoted(data.change)}. The goal block shows it.`
        : `A person declined the wider scope that you asked for: ${quoted(data.change)}. Changes there prove nothing.`;
    case 'unknown_effect':
      return isApproved
        ? 'A person acknowledged the call whose end was not seen. Look at what is there before you run it again.'
        : 'A person does not want you to rely on the call whose end was not seen.';
    case 'tool':
      return null;
  }
}
