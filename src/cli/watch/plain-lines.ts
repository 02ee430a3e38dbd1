import { oneLine } from '../terminal.ts';
import { deedOf, endOf, isFailure, subjectOf, verbOf } from './call-words.ts';
import type { EndedCall, Told } from './told.ts';

const WHAT_WIDTH = 6;

/**
 * One event a line, for files, pipes and CI: time, goal, turn, what, detail. Nothing is redrawn, and
 * times are UTC.
 */
export function plainLines(goalId: string, told: Told): string[] {
  const { at, turn } = told;
  const line = (what: string, detail: string) =>
    [`${at.slice(11, 19)}Z`, goalId, turn ?? '-', what.padEnd(WHAT_WIDTH), detail]
      .join(' ')
      .trimEnd();
  switch (told.kind) {
    case 'goal':
      return [line('goal', oneLine(told.goal.objective, 400))];
    case 'turn':
      return [line('turn', told.why)];
    case 'say':
      return told.lines.filter((text) => text.trim() !== '').map((text) => line('say', text));
    case 'begun': {
      const { call, seconds } = told;
      const state = seconds < 60 ? 'started' : `runs since ${Math.round(seconds)}s`;
      return [
        line(verbOf(call.tool), joined(quoted(subjectOf(call)), state, seq(call.startedSeq))),
      ];
    }
    case 'call':
      return [line(deedOf(told), callDetail(told)), ...told.why.map((text) => line('fail', text))];
    case 'settled': {
      const { deed, action, sentence, costUsd } = told.end;
      const cost = costUsd === null || costUsd === 0 ? '' : `cost=$${costUsd.toFixed(4)}`;
      const said = oneLine(sentence || action, 500);
      return [line('ends', joined(said, deed === '' ? '' : `(${oneLine(deed, 160)})`, cost))];
    }
    case 'note':
      return [line(told.tone === 'you' ? 'holds' : told.what, told.text)];
  }
}

function callDetail(ended: EndedCall): string {
  const { call, exitCode, change, isBeyondScope } = ended;
  const failed = isFailure(ended) && exitCode === null;
  return joined(
    quoted(subjectOf(call)),
    exitCode === null ? '' : `exit=${exitCode}`,
    change === null ? '' : `+${change.added} -${change.removed}`,
    isBeyondScope ? 'beyond-scope' : '',
    exitCode === null && change === null ? endOf(ended) : '',
    failed && change !== null ? 'failed' : '',
    call?.receipt?.durationMs === undefined
      ? ''
      : `${(call.receipt.durationMs / 1000).toFixed(1)}s`,
    seq(call?.settledSeq ?? null),
  );
}

const seq = (number: number | null): string => (number === null ? '' : `#${number}`);

/** What holds blanks is quoted, so that the fields behind it can be told. */
const quoted = (text: string): string =>
  /\s/.test(text) ? JSON.stringify(oneLine(text, 300)) : text;

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' ');
