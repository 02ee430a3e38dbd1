import { afterKey, type TypedLine } from '../watch/typed-line.ts';
import type { Proposal } from './edit-first.ts';
import type { Way } from './ways.ts';

/** An answer that a key chose, whose line is typed. */
export interface Answering {
  readonly goalId: string;
  readonly way: Way;
  readonly line: TypedLine;
}

export type AfterAnswerKey =
  | { readonly state: 'answering'; readonly answering: Answering }
  | { readonly state: 'edits'; readonly proposal: Proposal }
  | { readonly state: 'sends'; readonly goalId: string; readonly way: Way; readonly text: string }
  | { readonly state: 'nothing' };

/** The key chooses an answer: it is sent, its line is asked for, or an editor is. */
export function chosen(goalId: string, ways: readonly Way[], key: string): AfterAnswerKey {
  const way = ways.find((one) => one.key === key);
  if (way === undefined) return { state: 'nothing' };
  if (way.edits !== undefined) return { state: 'edits', proposal: way.edits };
  if (way.asks === undefined) return { state: 'sends', goalId, way, text: '' };
  return {
    state: 'answering',
    answering: { goalId, way, line: { asks: way.asks.text, text: '' } },
  };
}

/** An empty line is no reason, and no answer. */
export function typedOn({ goalId, way, line }: Answering, key: string): AfterAnswerKey {
  const next = afterKey(line, key);
  if (next.state === 'typing')
    return { state: 'answering', answering: { goalId, way, line: next.line } };
  if (next.state === 'left') return { state: 'nothing' };
  if (way.asks?.isOptional === true) return { state: 'sends', goalId, way, text: '' };
  return next.text.trim() === ''
    ? { state: 'nothing' }
    : { state: 'sends', goalId, way, text: next.text };
}
