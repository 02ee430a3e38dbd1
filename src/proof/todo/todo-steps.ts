import type { TodoItem } from '../../../schema/todo.ts';
import { todoKey } from './todo-text.ts';

type FoundStep =
  | { readonly ok: true; readonly item: TodoItem }
  | { readonly ok: false; readonly reason: string };

export function isOpen(item: TodoItem): boolean {
  return item.status === 'pending' || item.status === 'in_progress';
}

/** The sub-steps of a phase follow it in the list. */
function subStepsOf(items: readonly TodoItem[], phase: TodoItem): TodoItem[] {
  if (phase.level !== 0) return [];
  const after = items.slice(items.findIndex((item) => item.id === phase.id) + 1);
  const end = after.findIndex((item) => item.level === 0);
  return end < 0 ? after : after.slice(0, end);
}

export function hasOpenSubSteps(items: readonly TodoItem[], item: TodoItem): boolean {
  return subStepsOf(items, item).some(isOpen);
}

/** The order in which items are signed off: sub-steps before their phase. */
export function inWorkOrder(items: readonly TodoItem[]): TodoItem[] {
  const orphans = items.slice(
    0,
    Math.max(
      0,
      items.findIndex((item) => item.level === 0),
    ),
  );
  const phases = items.filter((item) => item.level === 0);
  if (phases.length === 0) return [...items];
  return [...orphans, ...phases.flatMap((phase) => [...subStepsOf(items, phase), phase])];
}

/** A phase in progress is worked on through its first open sub-step. */
export function currentStep(items: readonly TodoItem[]): TodoItem | undefined {
  const started = items.find((item) => item.status === 'in_progress');
  return started && (subStepsOf(items, started).find(isOpen) ?? started);
}

/** Shorter fragments would match by chance. */
const shortestFragment = 4;

/** By id, number in the shown list, content or active form, then by a unique fragment. */
export function findStep(items: readonly TodoItem[], step: string): FoundStep {
  const listed = items.filter((item) => item.status !== 'dropped');
  const key = todoKey(step);
  const byId = listed.find((item) => todoKey(item.id) === key);
  if (byId) return { ok: true, item: byId };
  const exact = listed.filter((item) => namesOf(item).includes(key));
  if (exact.length > 0) return only(exact, step);
  const number = /^(?:step |item )?#?(\d{1,4})\)?$/.exec(key)?.[1];
  const numbered = number === undefined ? undefined : listed[Number(number) - 1];
  if (numbered) return { ok: true, item: numbered };
  if ([...key].length < shortestFragment) return unknown(step);
  return only(
    listed.filter((item) => namesOf(item).some((name) => overlaps(name, key))),
    step,
  );
}

function overlaps(name: string, key: string): boolean {
  return name.includes(key) || ([...name].length >= shortestFragment && key.includes(name));
}

function namesOf(item: TodoItem): string[] {
  const names = item.activeForm === undefined ? [item.content] : [item.content, item.activeForm];
  return names.map(todoKey);
}

function only(found: readonly TodoItem[], step: string): FoundStep {
  const [item] = found;
  if (item === undefined) return unknown(step);
  if (found.length === 1) return { ok: true, item };
  return { ok: false, reason: `"${step}" fits ${found.length} items; name one by its id.` };
}

function unknown(step: string): FoundStep {
  return { ok: false, reason: `No item of the todo list is called "${step}".` };
}
