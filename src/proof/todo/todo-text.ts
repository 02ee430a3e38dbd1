import type { TodoItem } from '../../../schema/todo.ts';
import { checksBeforeClaim } from '../../record/claim-order.ts';

/** Normalises an item's width, case, spaces and final marks, to compare spellings. */
export function todoKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!。…:;]+$/u, '')
    .trim();
}

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]', dropped: '[-]' } as const;

/** The list as the model reads it, and what to do next. */
export function listText(items: readonly TodoItem[]): string {
  const listed = items.filter((item) => item.status !== 'dropped');
  const lines = listed.map((item, index) => {
    const indent = item.level === 1 ? '  ' : '';
    return `${indent}${index + 1}. ${marks[item.status]} ${item.content} (id ${item.id})`;
  });
  return [...lines, nextHint(listed)].join('\n');
}

function nextHint(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The todo list is empty.';
  if (items.every((item) => item.status === 'completed')) {
    return `Every item is completed. To finish, ${checksBeforeClaim('agent')}, then call attempt_completion with the result.`;
  }
  const current = items.find((item) => item.status === 'in_progress');
  return current
    ? `In progress: "${current.content}". Sign it off with complete_step and evidence.`
    : 'No item is in progress: mark one as in_progress with todo_write.';
}
