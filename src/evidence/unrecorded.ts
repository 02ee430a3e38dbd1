import type { JournalPort } from '../contract/journal.ts';
import type { CallEnd } from '../contract/tool-call.ts';

/** Calls that no ledger has rows of; whoever makes them sees how each ended. */
export function unrecorded(
  onEnd: (end: CallEnd) => void = () => {},
): Pick<JournalPort, 'startCall' | 'settleCall'> {
  return {
    startCall: async () => {},
    settleCall: async (_fence, end) => {
      onEnd(end);
      const { callId, tool, outcome, receipt } = end;
      return {
        ...{ seq: 0, phase: 'settled', turn: 0, step: 0, token: 1, effect: 'read' },
        ...{ callId, tool, outcome, receipt },
        ...{ at: new Date().toISOString(), previous: '', hash: '' },
      };
    },
  };
}
