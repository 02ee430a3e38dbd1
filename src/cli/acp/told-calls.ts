import type { Call } from '../../../schema/turn.ts';
import type { Client } from '../client.ts';
import { shownCall, shownEnd, statusOf } from './call-update.ts';
import type { Editor } from './editor.ts';

/** Calls of one goal, each told when it begins and when it ends. */
export interface ToldCalls {
  /** @param root of the goal's workspace */
  tell(call: Call, root: string): Promise<void>;
  /** All calls of the ledger up to this row have been told to their end. */
  through(): number;
  /** @param calls that were told just now */
  advance(calls: readonly Call[]): void;
}

const MOST_OUTPUT = 8000;

export const placeOf = ({ startedSeq, settledSeq }: Call): number => startedSeq ?? settledSeq ?? 0;

export function toldCalls(client: Client, editor: Editor, path: string): ToldCalls {
  const states = new Map<string, string>();
  let through = 0;
  const outputOf = async ({ hasOutput, settledSeq }: Call): Promise<string | null> =>
    hasOutput && settledSeq !== null
      ? await client
          .text(`${path}/ledger/${settledSeq}/output?offset=0&limit=${MOST_OUTPUT}`)
          .catch(() => null)
      : null;
  return {
    async tell(call, root) {
      const before = states.get(call.callId);
      const now = statusOf(call);
      if (before === now) return;
      states.set(call.callId, now);
      if (before === undefined) {
        // A message under way goes on after it: checks run while a model speaks.
        editor.tell({ sessionUpdate: 'tool_call', ...shownCall(call, root) });
        return;
      }
      const { callId: toolCallId } = call;
      const end = shownEnd(call, await outputOf(call));
      editor.tell({ sessionUpdate: 'tool_call_update', toolCallId, ...end });
    },
    through: () => through,
    advance(calls) {
      const open = calls.filter(({ outcome }) => outcome === null).map(placeOf);
      const end = open.length > 0 ? Math.min(...open) - 1 : Math.max(0, ...calls.map(placeOf));
      through = Math.max(through, end);
    },
  };
}
