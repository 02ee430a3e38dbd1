import type { LedgerRow } from '../../../schema/ledger.ts';
import type { StepEvidence, TodoItem, TodoList } from '../../../schema/todo.ts';
import type { ShellReader } from '../../shell/read/script.ts';
import { matchEvidence } from '../evidence.ts';
import { currentStep, findStep, hasOpenSubSteps, inWorkOrder, isOpen } from './todo-steps.ts';
import { listText, todoKey } from './todo-text.ts';

/** An item as the model writes it. */
export interface TodoDraft {
  readonly id?: string | undefined;
  readonly content: string;
  readonly activeForm?: string | undefined;
  readonly status: string;
  readonly level?: number | undefined;
}

export interface TodoRefusal {
  readonly ok: false;
  readonly reason: string;
}

export interface TodoChange {
  readonly ok: true;
  readonly items: TodoItem[];
  /** The text that the model reads. */
  readonly text: string;
}

/** A draft and the item of the present list that it is about. */
interface Pair {
  readonly draft: TodoDraft;
  readonly known: TodoItem | undefined;
}

/** Replaces the list; what was completed stays completed, what is left out is dropped. */
export function applyTodoWrite(
  list: TodoList,
  todos: readonly TodoDraft[],
): TodoChange | TodoRefusal {
  if (todos.length === 0) return { ok: true, items: [], text: 'The todo list is empty now.' };
  const pairs = todos.map((draft) => ({ draft, known: findKnown(list, draft) }));
  const reason = findFormFault(todos) ?? findDoubleFault(pairs) ?? findStatusFault(pairs);
  if (reason !== null) return refuse(reason);
  const items = mergeItems(list, pairs);
  return { ok: true, items, text: listText(items) };
}

const writable: readonly string[] = ['pending', 'in_progress', 'completed', 'dropped'];

function findFormFault(todos: readonly TodoDraft[]): string | null {
  for (const { content, status, level } of todos) {
    if (todoKey(content) === '') return 'Every todo item needs content.';
    if (!writable.includes(status)) return `"${content}" has the unknown status "${status}".`;
    if (level !== undefined && level !== 0 && level !== 1) {
      return `"${content}" has level ${level}; levels are 0 (phase) and 1 (sub-step).`;
    }
  }
  return null;
}

function findDoubleFault(pairs: readonly Pair[]): string | null {
  const keys = pairs.map(
    ({ draft, known }) => known?.id ?? draft.id ?? `=${todoKey(draft.content)}`,
  );
  const contents = pairs.map(({ draft }) => todoKey(draft.content));
  const index = pairs.findIndex(
    (_, at) => keys.indexOf(keys[at] ?? '') < at || contents.indexOf(contents[at] ?? '') < at,
  );
  return index < 0 ? null : `"${pairs[index]?.draft.content}" is in the list twice.`;
}

function findStatusFault(pairs: readonly Pair[]): string | null {
  const isDone = ({ known }: Pair) => known?.status === 'completed';
  const completions = pairs.filter((pair) => pair.draft.status === 'completed' && !isDone(pair));
  if (completions.length > 0) {
    return (
      `todo_write cannot complete items, and this marks ${completions.length} as completed: ` +
      'call complete_step with evidence for one item after the other.'
    );
  }
  const started = pairs.filter((pair) => pair.draft.status === 'in_progress' && !isDone(pair));
  return started.length > 1
    ? `Only one item may be in_progress, and this marks ${started.length}.`
    : null;
}

function findKnown(list: TodoList, draft: TodoDraft): TodoItem | undefined {
  const key = todoKey(draft.content);
  return (
    list.items.find((item) => draft.id !== undefined && item.id === draft.id) ??
    list.items.find((item) => todoKey(item.content) === key)
  );
}

function mergeItems(list: TodoList, pairs: readonly Pair[]): TodoItem[] {
  const taken = new Set([...list.items, ...pairs.map(({ draft }) => draft)].map((one) => one.id));
  const written = pairs.map((pair) => mergeItem(pair, taken));
  const kept = new Set(written.map((item) => item.id));
  const left = list.items.filter((item) => !kept.has(item.id));
  return [
    ...left.filter((item) => item.status === 'completed'),
    ...written,
    ...left.filter((item) => item.status !== 'completed').map(drop),
  ];
}

function mergeItem({ draft, known }: Pair, taken: Set<string | undefined>): TodoItem {
  if (known?.status === 'completed') return known;
  const activeForm = draft.activeForm ?? known?.activeForm;
  const item: TodoItem = {
    id: known?.id ?? draft.id ?? freshId(taken),
    content: draft.content.trim(),
    ...(activeForm === undefined ? {} : { activeForm }),
    status: draft.status === 'in_progress' ? 'in_progress' : 'pending',
    level: (draft.level ?? known?.level ?? 0) === 1 ? 1 : 0,
    receipts: known?.receipts ?? [],
  };
  return draft.status === 'dropped' ? drop(item) : item;
}

function drop(item: TodoItem): TodoItem {
  if (item.status === 'dropped') return item;
  return { ...item, status: 'dropped', reason: item.reason ?? 'taken off the list by todo_write' };
}

function freshId(taken: Set<string | undefined>): string {
  let number = 1;
  while (taken.has(`t${number}`)) number += 1;
  taken.add(`t${number}`);
  return `t${number}`;
}

export interface StepArguments {
  readonly step: string;
  readonly result: string;
  readonly evidence: readonly StepEvidence[];
}

/** Signs off the item in progress with evidence and promotes exactly the next one. */
export function completeStep(
  list: TodoList,
  args: StepArguments,
  receipts: readonly LedgerRow[],
  shell: ShellReader,
): (TodoChange & { readonly receipts: number[] }) | TodoRefusal {
  const fault = findArgumentFault(args);
  if (fault !== null) return refuse(fault);
  const found = findStep(list.items, args.step);
  if (!found.ok) return refuse(`${found.reason}\n${listText(list.items)}`);
  const reason = findOrderFault(list.items, found.item);
  if (reason !== null) return refuse(reason);
  const match = matchEvidence(args.evidence, receipts, shell);
  if (!match.ok) return refuse(match.reason);
  const seqs = [...match.seqs];
  const { isVerified } = match;
  const done: TodoItem = {
    ...found.item,
    status: 'completed',
    result: args.result.trim(),
    receipts: seqs,
    isVerified,
    ...(isVerified ? {} : { summary: args.evidence.map((piece) => piece.summary).join(' ') }),
  };
  const items = promoteNext(list.items.map((item) => (item.id === done.id ? done : item)));
  return { ok: true, items, text: listText(items), receipts: seqs };
}

/** A person's sign-off stands if a completed item has no other evidence. */
export const acceptItem = (
  items: readonly TodoItem[],
  itemId: string,
  acceptedBy: string,
): TodoItem[] => items.map((item) => (item.id === itemId ? { ...item, acceptedBy } : item));

/** Reopens an item that a person declined; it is in progress at once if no other one is. */
export function reopenItem(items: readonly TodoItem[], itemId: string): TodoItem[] {
  const isBusy = items.some((item) => item.status === 'in_progress');
  return items.map((item) => {
    if (item.id !== itemId) return item;
    const { isVerified: _, summary: __, result: ___, ...open } = item;
    return { ...open, status: isBusy ? 'pending' : 'in_progress', receipts: [] };
  });
}

function findArgumentFault({ step, result, evidence }: StepArguments): string | null {
  if (step.trim() === '') return 'complete_step needs the step.';
  if (result.trim() === '') return 'complete_step needs a result.';
  if (evidence.length === 0) return 'complete_step needs at least one piece of evidence.';
  if (evidence.some((piece) => piece.summary.trim() === '')) return 'Evidence needs a summary.';
  return null;
}

function findOrderFault(items: readonly TodoItem[], item: TodoItem): string | null {
  if (item.status === 'completed') return `"${item.content}" is completed already.`;
  if (hasOpenSubSteps(items, item)) {
    return `"${item.content}" is a phase: sign off its sub-steps before it.`;
  }
  const current = currentStep(items);
  if (current?.id === item.id) return null;
  const hint = current ? `that is "${current.content}"` : 'mark one with todo_write';
  return `Only the item in progress can be signed off: ${hint}.`;
}

function promoteNext(items: readonly TodoItem[]): TodoItem[] {
  const next = inWorkOrder(items).find(isOpen);
  return items.map((item) => {
    if (!isOpen(item)) return item;
    return { ...item, status: item.id === next?.id ? 'in_progress' : 'pending' };
  });
}

function refuse(reason: string): TodoRefusal {
  return { ok: false, reason };
}
