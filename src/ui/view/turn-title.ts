import type { Turn } from '../api/types.ts';

const LONGEST = 160;

/** A turn in a line: the model's own last words, else the reason why it ended as it did. */
export function turnTitle({ messages, decision, state, kind }: Turn): string {
  const said = messages.findLast(({ voice, text }) => voice === 'model' && text.trim() !== '');
  if (said !== undefined) return firstLine(said.text);
  const calls = messages.flatMap((message) => message.calls);
  const last = calls.at(-1);
  if (last !== undefined) {
    return calls.length === 1 ? last.tool : `${last.tool} and ${calls.length - 1} more`;
  }
  if (decision !== null) return firstLine(decision.sentence);
  return state === 'open' ? 'Works…' : kind;
}

export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const [sentence = ''] = /^.{10,}?[.!?](?=\s|$)/.exec(line) ?? [line];
  return sentence.length <= LONGEST ? sentence : `${sentence.slice(0, LONGEST)}…`;
}
