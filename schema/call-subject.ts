import type { Call } from './turn.ts';

/** The subject of a call, in one line. */
export function callSubject({
  tool,
  arguments: args,
  receipt,
}: Pick<Call, 'tool' | 'arguments' | 'receipt'>): string {
  if (receipt?.command !== undefined) return oneLine(receipt.command);
  if (typeof args === 'string') return oneLine(args);
  if (typeof args !== 'object' || args === null) return '';
  const known = args as Record<string, unknown>;
  for (const name of [
    'command',
    'path',
    'pattern',
    'step',
    'question',
    'reason',
    'task',
    'result',
  ]) {
    const value = known[name];
    if (typeof value === 'string' && value !== '') return oneLine(value);
  }
  if (tool === 'todo_write' && Array.isArray(known.todos)) return `${known.todos.length} items`;
  return oneLine(JSON.stringify(args));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300);

/** Seconds; null while it runs. */
export function callSeconds({
  receipt,
  startedAt,
  settledAt,
}: Pick<Call, 'receipt' | 'startedAt' | 'settledAt'>): number | null {
  if (receipt?.durationMs !== undefined) return receipt.durationMs / 1000;
  if (startedAt === null || settledAt === null) return null;
  return (Date.parse(settledAt) - Date.parse(startedAt)) / 1000;
}

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** The replacements that an edit of a file asked for; none where it is another call. */
export function editsIn({ tool, arguments: args }: Pick<Call, 'tool' | 'arguments'>): TextEdit[] {
  if (tool !== 'edit_file' || typeof args !== 'object' || args === null) return [];
  const { path, edits } = args as { readonly path?: unknown; readonly edits?: unknown };
  if (typeof path !== 'string' || !Array.isArray(edits)) return [];
  const known = edits.filter(
    (edit): edit is TextEdit =>
      typeof edit?.oldText === 'string' && typeof edit?.newText === 'string',
  );
  return known.length === edits.length ? known : [];
}

/** The same, with what a write of a whole file puts there: what stood there before is not in its call. */
export function writtenIn(call: Pick<Call, 'tool' | 'arguments'>): TextEdit[] {
  const { tool, arguments: args } = call;
  if (tool !== 'write_file' || typeof args !== 'object' || args === null) return editsIn(call);
  const { path, content } = args as { readonly path?: unknown; readonly content?: unknown };
  if (typeof path !== 'string' || typeof content !== 'string') return [];
  return [{ oldText: '', newText: content }];
}

/** The number that names a call: of its end, or of its beginning while it runs. */
export const callSeq = ({
  startedSeq,
  settledSeq,
}: Pick<Call, 'startedSeq' | 'settledSeq'>): number => settledSeq ?? startedSeq ?? 0;
