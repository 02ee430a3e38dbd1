import { emptyScreen, printed, rowsOnScreen, type Screen } from '../../../schema/terminal-rows.ts';
import type { Call } from '../../../schema/turn.ts';
import type { OutputPiece } from '../../contract/live.ts';
import { subjectOf } from './call-words.ts';
import type { Now } from './foot.ts';

interface Running {
  readonly tool: string;
  readonly since: number;
  readonly call: Call | null;
}

interface Printed {
  readonly callId: string;
  readonly began: number;
  readonly end: number;
  readonly screen: Screen;
}

const prints = (tool: string): boolean => tool === 'run_command' || tool.startsWith('check.');

/** The calls that run, with what they print. */
export function runningCalls() {
  const running = new Map<string, Running>();
  let last: Printed | null = null;
  /** A call may wait for checks of its own: what prints comes first, then what began first. */
  const foremost = (): readonly [string, Running] | undefined => {
    const all = [...running].sort(([, one], [, other]) => one.since - other.since);
    return all.find(([, { tool }]) => prints(tool)) ?? all[0];
  };
  return {
    began: (callId: string, tool: string, at: string) =>
      void running.set(callId, { tool, since: Date.parse(at), call: null }),
    /** What the record has of those that run. */
    known(calls: readonly Call[]): void {
      for (const call of calls) {
        const known = running.get(call.callId);
        if (known !== undefined) running.set(call.callId, { ...known, call });
      }
    },
    ended: (callId: string) => void running.delete(callId),
    isEmpty: () => running.size === 0,
    print({ callId, began, start, text }: OutputPiece): void {
      const isSame = last?.callId === callId && last.began === began;
      const known: Printed =
        isSame && last !== null ? last : { callId, began, end: 0, screen: emptyScreen };
      const fresh = text.slice(Math.max(0, known.end - start));
      if (fresh === '') return;
      const screen = printed(known.screen, fresh, start > known.end);
      last = { ...known, end: start + text.length, screen };
    },
    /** Every line that is kept of what was printed last. */
    output: (): readonly string[] =>
      last === null ? [] : rowsOnScreen(last.screen).map(({ text, isGap }) => (isGap ? '…' : text)),
    /** The command that can be stopped. */
    command: (): string | null =>
      [...running].find(([, { tool }]) => tool === 'run_command')?.[0] ?? null,
    shown(): Now['call'] {
      const first = foremost();
      if (first === undefined) return null;
      const [callId, { tool, since, call }] = first;
      const own = last?.callId === callId ? last.screen : emptyScreen;
      const rows = rowsOnScreen(own).flatMap(({ text, isGap }) => (isGap ? [] : [text]));
      return {
        ...{ tool, since, seq: call?.startedSeq ?? null, lines: rows.length },
        subject: subjectOf(call),
        rows: rows.filter((text) => text.trim() !== '').slice(-3),
      };
    },
  };
}
