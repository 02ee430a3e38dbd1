import { stripVTControlCharacters } from 'node:util';
import type { Goal } from '../../../schema/goal.ts';
import { cutTo, inLines, line, type Part, padded, shownIn } from '../screen/fit.ts';
import { formOf, type Look, type SignName } from '../screen/look.ts';
import { ago, clock, compact, lasting, ticking } from '../screen/units.ts';
import { oneLine } from '../terminal.ts';
import { verbOf } from './call-words.ts';
import { modelWords } from './model-words.ts';

/** What the foot of the screen shows at a moment. */
export interface Now {
  readonly goal: Goal;
  readonly now: number;
  /** The command that runs; of several the oldest. */
  readonly call: {
    readonly tool: string;
    readonly subject: string;
    readonly seq: number | null;
    readonly since: number;
    /** The last lines that it printed, filtered; the colours in them are its own. */
    readonly rows: readonly string[];
    readonly lines: number;
  } | null;
  /** The line that the model writes. */
  readonly saying: string;
  /** Since when the model was asked, or wrote last; null = it is not asked. */
  readonly quietSince: number | null;
  readonly isAway: boolean;
  readonly keys: readonly Key[];
  /** What was done by a key, or is asked for; null = nothing. */
  readonly said: string | null;
}

export interface Key {
  readonly key: string;
  readonly does: string;
}

const LAST_ROWS = 3;
export const MOST_LINES = 8;
/** The list beside it has so many columns. */
const SIDE = 52;
const RESET = '\u001b[0m';

/** At most eight lines; none is wider than the look. */
export function footLines(now: Now, look: Look): string[] {
  if (formOf(look) !== 'wide') return fitted([ruler(look), ...mainLines(now, look)], look);
  const left = { ...look, width: look.width - SIDE - 3 };
  const main = fitted(mainLines(now, left), left);
  const side = fitted(sideLines(now.goal, { ...look, width: SIDE }), { ...look, width: SIDE });
  const height = Math.min(MOST_LINES - 1, Math.max(main.length, side.length));
  const rows = Array.from({ length: height }, (_, index) => {
    const text = padded(main[index] ?? '', left.width);
    return `${text} ${look.paint.dim(look.isAscii ? '|' : '│')} ${side[index] ?? ''}`.trimEnd();
  });
  return [fitted([ruler(look)], look)[0] ?? '', ...rows];
}

const ruler = ({ width, paint }: Look): string => paint.dim('─'.repeat(width));

const fitted = (lines: readonly string[], look: Look): string[] =>
  lines.slice(0, MOST_LINES).map(shownIn(look));

function mainLines(now: Now, look: Look): string[] {
  const acting = actingLines(now, look);
  // Ruler, budget and keys stand around it.
  const room = Math.max(1, MOST_LINES - 3 - acting.length);
  return [
    ...acting,
    ...(now.said === null ? missingLines(now.goal, look) : saidLines(now.said, look, room)),
    budgetLine(now.goal, now.now, look),
    keysLine(now, look),
  ];
}

/** Why something was refused is read to its end. */
const saidLines = (text: string, look: Look, room: number): string[] =>
  inLines(oneLine(text, 400), { ...look, width: look.width - 2 }, room).map(
    (one) => `  ${look.paint.notable(one)}`,
  );

/** Who acts, and on what. */
function actingLines(now: Now, look: Look): string[] {
  const { goal, call, saying, isAway } = now;
  const { paint, signs } = look;
  if (isAway) {
    return [line(look, [{ text: '  the service is away; waiting for it', paint: paint.stale }])];
  }
  const { state, actor, reason, since, until } = goal.activity;
  if (actor === 'You') return waitsForYou(now, look);
  if (call !== null) {
    const right: Part[] = [
      { text: call.lines === 0 ? '' : `${call.lines} lines`, drop: 2, paint: paint.dim },
      { text: call.seq === null ? '' : `  #${call.seq}`, drop: 1, paint: paint.acting },
    ];
    const head = line(
      look,
      [
        { text: `${signs.acting} `, paint: paint.acting },
        ...(call.tool === 'run_command' ? [] : [{ text: `${verbOf(call.tool)} ` }]),
        { text: oneLine(call.subject, 400), gives: true },
        { text: `  ${ticking((now.now - call.since) / 1000)}`, paint: paint.acting },
      ],
      right,
    );
    return [head, ...call.rows.slice(-LAST_ROWS).map((text) => printedLine(text, look))];
  }
  if (state === 'running') {
    const head = line(look, [
      { text: `${signs.acting} `, paint: paint.acting },
      ...modelParts(now, look),
    ]);
    return saying === '' ? [head] : [head, printedLine(saying, look)];
  }
  const end = until === undefined ? '' : `, at ${clock(until)}`;
  return [
    line(look, [
      { text: `  ${actor} acts next${end}: ` },
      { text: oneLine(reason, 300), gives: true },
      { text: `  ${ago((now.now - Date.parse(since)) / 1000)}`, paint: paint.dim },
    ]),
  ];
}

function modelParts({ goal, saying, quietSince, now }: Now, { paint }: Look): Part[] {
  const quiet = quietSince === null ? null : now - quietSince;
  const does: Part = { text: modelWords(goal, quiet, saying !== ''), gives: true };
  if (quiet === null) return [does];
  return [does, { text: `  ${ticking(quiet / 1000)}`, paint: paint.acting }];
}

function waitsForYou({ goal, now }: Now, look: Look): string[] {
  const { paint, signs } = look;
  const { reason, since } = goal.activity;
  const waits = ago((now - Date.parse(goal.pause?.since ?? since)) / 1000);
  return [
    line(
      look,
      [
        { text: `${signs.you} waits for you  `, paint: paint.you },
        { text: oneLine(goal.pause?.message || reason, 400), gives: true },
      ],
      [{ text: waits, paint: paint.dim }],
    ),
  ];
}

/** A line that a command printed, which keeps its colours and ends them. */
function printedLine(text: string, look: Look): string {
  const bar = `  ${look.isAscii ? '|' : '│'}  `;
  const isPainted = look.paint.bad('') !== '';
  const shown = isPainted ? text : stripVTControlCharacters(text);
  const cut = cutTo(shown.replaceAll('\t', '  '), { ...look, width: look.width - bar.length });
  return look.paint.dim(bar) + cut + (isPainted ? RESET : '');
}

/** The sign of a criterion. Met here is not proved: only a proof run's end is. */
export function signOf(
  goal: Pick<Goal, 'completion'>,
  { state, receipts, spec }: Goal['criteria'][number],
): SignName {
  if (state === 'met') {
    if (spec.kind === 'approval') return 'accepted';
    return goal.completion?.verification === 'verified' ? 'proved' : 'met';
  }
  if (state === 'stale' || state === 'narrowed') return 'stale';
  return receipts.length > 0 ? 'failed' : 'open';
}

export const tintOf = (sign: SignName, { paint }: Look): ((text: string) => string) => {
  if (sign === 'proved') return paint.good;
  if (sign === 'failed') return paint.bad;
  if (sign === 'stale') return paint.stale;
  return sign === 'you' ? paint.you : (text) => text;
};

function missingLines(goal: Goal, look: Look): string[] {
  const { signs, paint } = look;
  const open = goal.criteria.filter(({ state }) => state !== 'met');
  const todos = goal.todos.total - goal.todos.done;
  if (open.length === 0 && todos === 0) {
    const what = goal.criteria.length === 0 ? 'no criteria yet' : 'nothing is missing here';
    return [line(look, [{ text: `  ${what}`, paint: paint.dim }])];
  }
  const parts = open.map((criterion) => {
    const sign = signOf(goal, criterion);
    const receipt = criterion.receipts.at(-1);
    const row = receipt === undefined || formOf(look) === 'narrow' ? '' : ` #${receipt}`;
    return { text: `  ${criterion.criterionId} ${signs[sign]}${row}`, paint: tintOf(sign, look) };
  });
  const list = todos === 0 ? [] : [{ text: `  todo ${goal.todos.done}/${goal.todos.total}` }];
  return [line(look, [{ text: '  missing', paint: paint.dim }, ...fewer(parts, look), ...list])];
}

/** As many as fit, and how many there are more. */
function fewer(parts: readonly Part[], look: Look): Part[] {
  const room = look.width - 9 - 14 - 9;
  let used = 0;
  const kept = parts.filter(({ text }) => {
    used += text.length;
    return used <= room;
  });
  const more = parts.length - kept.length;
  return more === 0 ? kept : [...kept, { text: `  +${more} more` }];
}

export interface Limit {
  readonly name: string;
  /** False = nothing limits it; it is only counted. */
  readonly isLimited: boolean;
  readonly percent: number;
  readonly long: string;
  readonly short: string;
}

const NEAR = 80;

export function limitsOf({ usage, budget }: Goal): Limit[] {
  const percentOf = (used: number, most: number | null) =>
    most === null || most === 0 ? 0 : (100 * used) / most;
  const limit = (
    name: string,
    used: number,
    most: number | null,
    show: (value: number) => string,
    unit = '',
  ): Limit => {
    const percent = percentOf(used, most);
    const long = `${show(used)}${most === null ? '' : `/${show(most)}`}${unit}`;
    return {
      name,
      isLimited: most !== null,
      percent,
      long,
      short: most === null ? show(used) : `${Math.round(percent)}%`,
    };
  };
  const costs = Number(usage.costUsd);
  const most = budget.costUsd === null ? null : Number(budget.costUsd);
  const turns = limit('turns', usage.turns, budget.turns, String);
  const money = limit('usd', costs, most, (value) => value.toFixed(2));
  const tokens = limit('tok', usage.tokens, budget.tokens, compact, ' tok');
  const time = limit('time', usage.activeSeconds, budget.activeSeconds, lasting);
  return [
    { ...turns, long: `turn ${turns.long}`, short: turns.long },
    // A cost of 0 without a cost limit means that the model's price is unknown.
    ...(costs === 0 && most === null
      ? []
      : [{ ...money, long: `$${money.long}`, short: `$${money.long}` }]),
    { ...tokens, short: `${tokens.short} tok` },
    { ...time, short: `${time.short} time` },
  ];
}

/** What a goal used in its first minutes says nothing of the others. */
const TELLING_MS = 5 * 60_000;

/** The limit that is used most, and when it ends if all goes on as until now. */
export function nearest(
  goal: Goal,
  now: number,
): { readonly limit: Limit; readonly at: number } | null {
  const limits = limitsOf(goal).filter(({ percent }) => percent > 0);
  const [limit] = limits.sort((one, other) => other.percent - one.percent);
  const since = now - Date.parse(goal.createdAt);
  if (limit === undefined || goal.activity.state !== 'running' || since < TELLING_MS) return null;
  return { limit, at: now + (since * Math.max(0, 100 - limit.percent)) / limit.percent };
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ turns: 'turns', usd: 'money', tok: 'tokens', time: 'time' },
};

function budgetLine(goal: Goal, now: number, look: Look): string {
  const isNarrow = formOf({ width: look.width + (look.width >= 100 ? 0 : 1) }) === 'narrow';
  const parts = limitsOf(goal).map(({ long, short, percent }, index) => ({
    text: `${index === 0 ? '' : isNarrow ? '  ' : '   '}${isNarrow ? short : long}`,
    paint: percent >= 100 ? look.paint.bad : percent >= NEAR ? look.paint.stale : look.paint.dim,
    drop: 10 + index,
  }));
  const end = nearest(goal, now);
  const first =
    end === null || end.limit.percent < 1
      ? []
      : [
          {
            text: `first to run out: ${NAMES[end.limit.name] ?? end.limit.name} ≈ ${clock(end.at, false)}`,
            drop: 20,
            paint: look.paint.dim,
          },
        ];
  return line(look, [{ text: '  ' }, ...parts], first);
}

function keysLine({ keys }: Now, look: Look): string {
  const isNarrow = formOf(look) === 'narrow';
  const shown = keys.map(({ key, does }, index) => ({
    text: `${index === 0 ? '  ' : isNarrow ? ' ' : '   '}${isNarrow ? key : `${key} ${does}`}`,
    drop: index + 1,
    paint: look.paint.dim,
  }));
  return line(look, shown, [{ text: 'Ctrl C leaves', paint: look.paint.dim }]);
}

/** Beside the words on a wide screen: criteria, list and changes. */
function sideLines(goal: Goal, look: Look): string[] {
  const { signs, paint } = look;
  const met = goal.criteria.filter(({ state }) => state === 'met').length;
  const rows = goal.criteria.map((criterion) => {
    const sign = signOf(goal, criterion);
    const { spec, criterionId, receipts } = criterion;
    const name = spec.name ?? ('command' in spec ? spec.command : spec.kind);
    const receipt = receipts.at(-1);
    return line(
      look,
      [
        { text: `${signs[sign]} `, paint: tintOf(sign, look) },
        { text: `${criterionId} ` },
        { text: oneLine(name, 200), gives: true },
      ],
      [
        {
          text: `${criterion.state}${receipt === undefined ? '' : ` #${receipt}`}`,
          paint: paint.dim,
        },
      ],
    );
  });
  const room = MOST_LINES - 1 - 2;
  const more = rows.length - room;
  const word = goal.completion?.verification === 'verified' ? 'proved' : 'met here';
  return [
    line(look, [{ text: 'Criteria' }], [{ text: `${met} ${word} of ${goal.criteria.length}` }]),
    ...(more > 0 ? rows.slice(0, room - 1) : rows),
    ...(more > 0 ? [paint.dim(`  and ${more + 1} more`)] : []),
    line(look, [{ text: 'Todo' }], [{ text: `${goal.todos.done} of ${goal.todos.total} proved` }]),
  ];
}
