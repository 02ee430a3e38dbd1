import type { Goal } from '../../../schema/goal.ts';
import { ownValue } from '../../../schema/own-value.ts';
import { isRefusedClaim } from '../../../schema/turn-title.ts';
import { line, type Part, shownIn, wrapped } from '../screen/fit.ts';
import { formOf, goalPaint, type Look, shortId } from '../screen/look.ts';
import { clock, dollars, lasting } from '../screen/units.ts';
import { oneLine, printable } from '../terminal.ts';
import { deedOf, endOf, isFailure, subjectOf } from './call-words.ts';
import type { EndedCall, Told, Tone, TurnEnd } from './told.ts';

/** Words of a model are read best in lines of so many columns. */
const WIDEST_TEXT = 96;
/** On a wide screen what a line ends with stays near to what it begins with. */
const WIDEST_LINE = 120;
/** On a narrow screen more lines of one answer are left to `goalkeeper show --turns`. */
const MOST_SAID = 6;

/** What is told, as lines that scroll away. No line is wider than the look. */
export function screenLines(told: Told, look: Look): string[] {
  const lines = linesOf(told, { ...look, width: Math.min(WIDEST_LINE, look.width) });
  return lines.map(shownIn(look));
}

function linesOf(told: Told, look: Look): string[] {
  const { paint } = look;
  const isNarrow = formOf(look) === 'narrow';
  switch (told.kind) {
    case 'goal':
      return headLines(told.goal, told.before, look);
    case 'turn':
      return ['', turnLine(told.turn, told.at, told.why, told.end, look)];
    case 'say':
      return saidLines(told, look);
    case 'begun':
      return [];
    case 'call':
      return callLines(told, look);
    case 'settled':
      return settledLines(told.end, look);
    case 'note': {
      const sign = told.tone === 'you' ? `${look.signs.you} ` : '';
      const time = isNarrow ? '' : `${clock(told.at)}  `;
      const lines = wrapped(
        sign + oneLine(told.text, 2000),
        Math.max(20, look.width - 5 - time.length),
      );
      return lines.map((text, index) => {
        const before = index === 0 ? paint.dim(time) : ' '.repeat(time.length);
        return `     ${before}${painted(told.tone, look)(text)}`;
      });
    }
  }
}

const painted = (tone: Tone, { paint }: Look): ((text: string) => string) =>
  ({
    none: (text: string) => text,
    dim: paint.dim,
    you: paint.you,
    failed: paint.bad,
    stale: paint.stale,
  })[tone];

export function headLines(goal: Goal, before: number, look: Look): string[] {
  const { paint, signs } = look;
  const changes = goal.scope?.change ?? [];
  const scope = changes.length === 0 ? '' : `scope ${changes.join(' ')}`;
  const where = [goal.workspace.name, goal.workspace.branch ?? '', scope, goal.model];
  const older =
    before === 0
      ? []
      : [
          paint.dim(
            `  ${before} turns before: goalkeeper show ${shortId(goal.goalId, look)} --turns`,
          ),
        ];
  return [
    line(look, [
      { text: `${signs.goal} `, paint: paint.acting },
      { text: shortId(goal.goalId, look), paint: goalPaint(look, goal.goalId) },
      { text: '  ' },
      { text: oneLine(goal.objective, 1000), gives: true },
    ]),
    line(look, [
      { text: '  ' },
      { text: where.filter((text) => text !== '').join('  '), gives: true, paint: paint.dim },
    ]),
    ...older,
  ];
}

const BEGINS: Readonly<Record<string, string>> = {
  ...{ start: 'begins', nudge: 'nudged on', wake: 'woken', resume: 'goes on' },
  ...{ message: 'reads a message', answer: 'reads the answer', wrap_up: 'wraps up' },
};

function turnLine(
  turn: number | null,
  at: string,
  why: string,
  end: TurnEnd | null,
  look: Look,
): string {
  const { paint } = look;
  const isNarrow = formOf(look) === 'narrow';
  const title = end === null || end.deed === '' ? (ownValue(BEGINS, why) ?? why) : end.deed;
  const deed = oneLine(title, 400);
  return line(
    look,
    [
      { text: `${String(turn ?? '').padStart(3)} ` },
      ...(isNarrow ? [] : [{ text: ` ${clock(at)}  `, paint: paint.dim }]),
      { text: deed.charAt(0).toUpperCase() + deed.slice(1), gives: true },
    ],
    end === null ? [] : sums(end, look),
  );
}

const sums = ({ costUsd, seconds }: TurnEnd, { paint }: Look): Part[] => [
  ...(costUsd === null || costUsd === 0 ? [] : [{ text: dollars(costUsd), drop: 2 }]),
  ...(seconds === null ? [] : [{ text: lasting(seconds).padStart(9), drop: 1, paint: paint.dim }]),
];

function saidLines(told: Extract<Told, { kind: 'say' }>, look: Look): string[] {
  const isNarrow = formOf(look) === 'narrow';
  const indent = isNarrow ? '    ' : '     ';
  const width = Math.min(WIDEST_TEXT, look.width - indent.length);
  const shown = told.lines.flatMap((text) =>
    wrapped(printable(text).replaceAll('\t', '  '), width),
  );
  if (!isNarrow) return shown.map((text) => indent + text);
  const room = Math.max(0, MOST_SAID - told.before);
  const over = shown.length - room;
  const kept = shown.slice(0, room).map((text) => indent + text);
  if (over <= 0) return kept;
  if (room === 0 && !told.isWhole) return kept;
  return [...kept, look.paint.dim(`${indent}… ${over} lines more`)];
}

export function callLines(ended: EndedCall, look: Look): string[] {
  const { paint, signs } = look;
  const isNarrow = formOf(look) === 'narrow';
  const { call, isBeyondScope } = ended;
  const isBad = isFailure(ended);
  const end = endOf(ended);
  const seconds = call?.receipt?.durationMs;
  const verb = deedOf(ended);
  const change = ended.change;
  const edit: Part[] =
    change !== null && end.startsWith('+')
      ? [
          { text: `+${change.added}`, paint: paint.added },
          { text: ' ' },
          { text: `−${change.removed}`, paint: paint.removed },
        ]
      : [{ text: end, ...(isBad ? { paint: paint.bad } : {}) }];
  const first = line(
    look,
    [
      { text: isNarrow ? ' ' : '   ' },
      { text: isBad ? signs.failed : ' ', paint: paint.bad },
      { text: ' ' },
      { text: `${verb.padEnd(isNarrow ? 4 : 6)} `, paint: paint.dim },
      { text: oneLine(subjectOf(call), 400), gives: true },
    ],
    [
      ...edit,
      ...(isBeyondScope ? [{ text: '  beyond scope', paint: paint.stale }] : []),
      ...(seconds === undefined
        ? []
        : [{ text: lasting(seconds / 1000).padStart(9), drop: 2, paint: paint.dim }]),
      ...(call?.settledSeq == null
        ? []
        : [{ text: `  #${call.settledSeq}`, drop: 1, paint: paint.acting }]),
    ],
  );
  return [first, ...whyLines(ended.why, look)];
}

/** The reasons of a failure, below it. */
export function whyLines(why: readonly string[], look: Look): string[] {
  const indent = formOf(look) === 'narrow' ? '     ' : '            ';
  return why.map((text) =>
    line(look, [
      { text: `${indent}│ `, paint: look.paint.dim },
      { text: oneLine(text, 400), gives: true },
    ]),
  );
}

function settledLines(end: TurnEnd, look: Look): string[] {
  const { paint, signs } = look;
  const isRefused = isRefusedClaim(end);
  const said = oneLine(end.sentence === '' ? end.action : end.sentence, 500);
  const indent = formOf(look) === 'narrow' ? '   ' : '     ';
  const sign = isRefused ? `${signs.failed} ` : '→ ';
  const beside = sums(end, look).length === 0 ? 0 : 20;
  const width = Math.max(20, Math.min(WIDEST_TEXT, look.width - indent.length - 2 - beside));
  const [first = '', ...more] = wrapped(said, width);
  const tone = isRefused ? paint.bad : paint.dim;
  return [
    line(
      look,
      [
        { text: indent + sign, paint: tone },
        { text: first, gives: true, paint: tone },
      ],
      sums(end, look).map((part) => ({ ...part, drop: 1 })),
    ),
    ...more.map((text) => tone(`${indent}  ${text}`)),
  ];
}
