import { afterKey, type TypedLine } from '../watch/typed-line.ts';
import { SORTS, type Sort } from './top-view.ts';

/** What a person at the table chose. */
export interface Choice {
  readonly chosen: string | null;
  readonly sort: Sort;
  readonly filter: string;
  readonly typing: TypedLine | null;
}

export type TopAct = 'watch' | 'answer' | 'pause' | 'resume' | 'gate' | 'sort' | 'leave' | null;

const ACTS: Readonly<Record<string, Exclude<TopAct, null>>> = {
  ...{ '\r': 'watch', '\n': 'watch', a: 'answer', p: 'pause', r: 'resume', g: 'gate' },
  ...{ q: 'leave', '\u0003': 'leave', '\u001b': 'leave' },
};
const DOWN = ['j', '\u001b[B', '\u001bOB'];
const UP = ['k', '\u001b[A', '\u001bOA'];

/** The choice behind a key, and what is to be done. @param ids of the rows, in their order */
export function afterTopKey(
  choice: Choice,
  key: string,
  ids: readonly string[],
): { readonly choice: Choice; readonly act: TopAct } {
  if (choice.typing !== null) {
    if (key === '\u0003') return { choice, act: 'leave' };
    const next = afterKey(choice.typing, key);
    if (next.state === 'typing')
      return { choice: { ...choice, typing: next.line, filter: next.line.text }, act: null };
    const filter = next.state === 'sent' ? next.text : '';
    return { choice: { ...choice, typing: null, filter }, act: null };
  }
  const at = ids.indexOf(choice.chosen ?? '');
  const step = DOWN.includes(key) ? 1 : UP.includes(key) ? -1 : 0;
  if (step !== 0) {
    const to = Math.max(0, Math.min(ids.length - 1, at + step));
    return { choice: { ...choice, chosen: ids[to] ?? null }, act: null };
  }
  if (key === '/') {
    const typing = { asks: 'filter', text: choice.filter };
    return { choice: { ...choice, typing }, act: null };
  }
  if (key === 's') {
    const sort = SORTS[(SORTS.indexOf(choice.sort) + 1) % SORTS.length] ?? 'who';
    return { choice: { ...choice, sort }, act: 'sort' };
  }
  return { choice, act: ACTS[key] ?? null };
}
