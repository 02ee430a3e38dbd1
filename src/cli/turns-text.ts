import { ruleText } from '../../schema/rule-text.ts';
import type { Call, Turn } from '../../schema/turn.ts';
import { isRefusedClaim } from '../../schema/turn-title.ts';
import { broken, line, wrapped } from './screen/fit.ts';
import { formOf, inAscii, type Look } from './screen/look.ts';
import { clock, dollars, lasting } from './screen/units.ts';
import { oneLine } from './terminal.ts';
import { changeOf, isFailure } from './watch/call-words.ts';
import { askedIn, endOfTurn } from './watch/goal-record.ts';
import { callLines } from './watch/screen-lines.ts';
import type { EndedCall } from './watch/told.ts';

export interface FailedCall {
  readonly call: Call;
  readonly why: readonly string[];
}

/** Calls that failed and were not meant to. */
export const failedOf = (calls: readonly Call[]): Call[] =>
  calls.filter((call) => call.settledSeq !== null && isFailure(endedOf(call, [])));

export const endedOf = (call: Call, why: readonly string[]): EndedCall => ({
  ...{ tool: call.tool, outcome: call.outcome ?? 'settled', call, change: changeOf(call), why },
  exitCode: call.receipt?.exitCode ?? null,
  isBeyondScope: false,
});

/** Turns in their order: the deed, what it cost, why it led where it led, and what failed in it. */
export function turnsLines(
  turns: readonly Turn[],
  failed: readonly FailedCall[],
  look: Look,
): string[] {
  const lines = turns.flatMap((turn, index) => {
    const own = failed.filter(({ call }) => call.turn === turn.turn);
    return turnLines(turn, turns[index - 1] ?? null, own, look);
  });
  return look.isAscii ? lines.map(inAscii) : lines;
}

/** The deed first, then what failed, then why it led where it led. */
export function turnLines(
  turn: Turn,
  before: Turn | null,
  failed: readonly FailedCall[],
  look: Look,
): string[] {
  const { paint, signs } = look;
  const isNarrow = formOf(look) === 'narrow';
  const { decision, state } = turn;
  const { deed, costUsd, seconds } = endOfTurn(turn, before);
  const isRefused = decision !== null && isRefusedClaim(decision);
  const sign = state === 'open' ? signs.acting : isRefused ? signs.failed : ' ';
  const head = line(
    look,
    [
      { text: `${String(turn.turn).padStart(4)}  ` },
      ...(isNarrow ? [] : [{ text: `${clock(turn.startedAt, false)}  `, paint: paint.dim }]),
      { text: `${sign} `, paint: state === 'open' ? paint.acting : paint.bad },
      { text: capital(oneLine(deed, 400)), gives: true },
    ],
    [
      ...(costUsd === null || costUsd === 0 ? [] : [{ text: dollars(costUsd) }]),
      ...(seconds === null
        ? []
        : [{ text: lasting(seconds).padStart(10), drop: 1, paint: paint.dim }]),
    ],
  );
  const indent = ' '.repeat(isNarrow ? 8 : 15);
  const why =
    decision === null
      ? [turn.kind]
      : wrapped(
          `${ruleText(decision.rule, decision.ruleName)} → ${decision.action}: ${oneLine(decision.sentence, 400)}`,
          broken(look, indent.length),
        );
  const made = turn.compactions.map(
    ({ tokensBefore, tokensAfter }) => `compacted: ${tokensBefore} → ${tokensAfter} tokens`,
  );
  return [
    head,
    ...failed.flatMap(({ call, why: reasons }) =>
      callLines(endedOf(askedIn(turn, call), reasons), look),
    ),
    ...[...why, ...made].map((text) => paint.dim(indent + text)),
  ];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
