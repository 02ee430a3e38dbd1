import fc from 'fast-check';
import type { Author, StoredMessage } from '../../src/contract/conversation.ts';

/** One step: what a person said before it, the answer, and its calls with their results. */
interface Said {
  readonly said?: string;
  readonly host?: number;
  readonly text?: number;
  readonly calls: number;
  /** Characters of each result. */
  readonly result: number;
  readonly input?: string;
}

/** A conversation as a goal's turns leave it; one step a turn. */
export function talk(steps: readonly Said[], firstTurn = 1, firstSeq = 1): StoredMessage[] {
  const messages: StoredMessage[] = [];
  const add = (turn: number, voice: Author, content: StoredMessage['content']) =>
    messages.push({ seq: firstSeq + messages.length, turn, step: 1, voice, content });
  for (const [index, { said, host, text = 10, calls, result, input }] of steps.entries()) {
    const turn = firstTurn + index;
    if (said !== undefined) add(turn, 'person', { text: said });
    if (host !== undefined) add(turn, 'host', { text: 'h'.repeat(host) });
    const ids = Array.from({ length: calls }, (_, n) => `t${turn}.s1.${n + 1}`);
    const asked = ids.map((callId) => ({
      callId,
      providerId: callId,
      tool: 'read_file',
      input: input ?? '{"path":"a.ts"}',
    }));
    if (calls > 0 || said === undefined)
      add(turn, 'model', { text: 't'.repeat(text), calls: asked });
    for (const callId of ids) {
      add(turn, 'tool', {
        text: 'r'.repeat(result),
        callId,
        providerId: callId,
        tool: 'read_file',
      });
    }
  }
  return messages;
}

/** Characters stand for tokens. */
export const tokensOf = ({ content }: StoredMessage): number =>
  content.text.length + (content.calls ?? []).reduce((sum, { input }) => sum + input.length, 0) + 1;

const step = fc.record(
  {
    said: fc.string({ maxLength: 3000 }),
    host: fc.nat(300),
    text: fc.nat(2000),
    calls: fc.nat(3),
    result: fc.nat(5000),
  },
  { requiredKeys: ['calls', 'result'] },
);

export const talks = fc
  .array(step, { minLength: 1, maxLength: 30 })
  .map((steps) => talk(steps as Said[]))
  .filter((messages) => messages.length > 0);
