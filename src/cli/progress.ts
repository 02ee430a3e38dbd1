import { oneLine, type Paint } from './terminal.ts';

export interface ProgressEvent {
  readonly type: string;
  readonly data: unknown;
  readonly at: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** One event as one line; null for events that a person at a terminal need not see. */
export function progressLine(event: ProgressEvent, paint: Paint): string | null {
  const fields = (
    typeof event.data === 'object' && event.data !== null ? event.data : {}
  ) as Fields;
  const words = wordsOf(event.type, fields, paint);
  return words === null ? null : `${paint.dim(event.at.slice(11, 19))} ${words}`;
}

function wordsOf(type: string, fields: Fields, paint: Paint): string | null {
  const word = (name: string) => oneLine(String(fields[name] ?? ''), 160);
  switch (type) {
    case 'turn.opened':
      return `turn ${word('turn')} ${word('kind')}`;
    case 'step.started':
    case 'message.added':
    case 'step.committed':
      return null;
    case 'call.started':
      return paint.dim(`  ${word('tool')} …`);
    case 'call.settled':
      return `  ${word('tool')} ${outcome(word('outcome'), paint)}${exitOf(fields)}`;
    case 'turn.settled':
      return `turn ${word('turn')} settled: ${word('sentence') || word('action')}`;
    case 'goal.changed':
      return `goal is ${paint.notable(word('status') || 'changed')}`;
    default:
      return `${type} ${paint.dim(rest(fields))}`.trimEnd();
  }
}

function outcome(text: string, paint: Paint): string {
  return text === 'succeeded' ? paint.good(text) : paint.bad(text || 'settled');
}

function exitOf({ exitCode }: Fields): string {
  return typeof exitCode === 'number' && exitCode !== 0 ? ` (exit ${exitCode})` : '';
}

function rest(fields: Fields): string {
  const simple = Object.entries(fields).filter(
    ([, value]) => value !== null && typeof value !== 'object',
  );
  return oneLine(simple.map(([name, value]) => `${name}=${String(value)}`).join(' '), 120);
}
