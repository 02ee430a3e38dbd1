import type { Goal } from '../../schema/goal.ts';
import type { GoalCounts } from '../../schema/goal-counts.ts';
import type { Inbox, InboxItem } from '../../schema/inbox.ts';
import { line, shownIn } from './screen/fit.ts';
import { formOf, goalPaint, type Look } from './screen/look.ts';
import { shortIds } from './screen/short-ids.ts';
import { ago, dollars } from './screen/units.ts';
import { oneLine } from './terminal.ts';

/**
 * What waits for the person, one line each: what holds a goal first.
 * @param chosen of the item that a person looks at; null = none
 */
export function inboxRows(
  inbox: Inbox,
  now: number,
  look: Look,
  chosen: string | null = null,
): string[] {
  const goals = new Map(inbox.goals.map((goal) => [goal.goalId, goal]));
  const isNarrow = formOf(look) === 'narrow';
  const short = shortIds(inbox.items.map(({ goalId }) => goalId));
  return inbox.items.map((item) => {
    const { paint } = look;
    const id = isNarrow ? short(item.goalId) : item.goalId;
    const sign = item.holds ? signOf(item, look) : ' ';
    const goal = goals.get(item.goalId);
    return line(
      look,
      [
        { text: item.itemId === chosen ? `${look.signs.acting} ` : '  ', paint: paint.acting },
        { text: `${sign} `, paint: paint.you },
        { text: id, paint: goalPaint(look, item.goalId) },
        { text: '  ' },
        { text: titleOf(item, goal), gives: true },
      ],
      [{ text: ago((now - Date.parse(item.since)) / 1000), paint: paint.dim }],
    );
  });
}

/** A proof that holds for a person looks the same wherever it is listed. */
export const signOf = ({ kind }: InboxItem, { signs }: Look): string =>
  kind === 'basis' ? signs.holds : signs.you;

/** What a goal that stands still needs is told by the goal itself. */
export function titleOf({ kind, title }: InboxItem, goal: Goal | undefined): string {
  const said =
    kind === 'budget' && goal !== undefined ? `limit reached: ${goal.activity.reason}` : title;
  return oneLine(said, 300);
}

/** The command that answers an item. */
function answerTo({ kind, goalId, itemId }: InboxItem): string {
  switch (kind) {
    case 'question':
      return `goalkeeper answer ${goalId} TEXT`;
    case 'dispute':
      return `goalkeeper dispute ${goalId}`;
    case 'budget':
      return `goalkeeper amend ${goalId} --budget-…`;
    case 'pause':
      return `goalkeeper resume ${goalId}`;
    case 'criterion':
      return `goalkeeper approve ${goalId} ${itemId} [--criterion COMMAND | --deny --note WHY]`;
    default:
      return `goalkeeper approve ${goalId} ${itemId} [--deny --note WHY]`;
  }
}

/** All that waits, each with the command that answers it. */
export function inboxLines(inbox: Inbox, now: number, look: Look): string[] {
  const rows = inboxRows(inbox, now, look);
  const lines = rows.flatMap((row, index) => {
    const item = inbox.items[index];
    const command = item === undefined ? '' : answerTo(item);
    return [row, line(look, [{ text: `      ${command}`, paint: look.paint.dim }])];
  });
  const left = inbox.total - inbox.items.length;
  const all = [headOf(inbox, look), ...lines, ...(left > 0 ? [`  and ${left} more`] : [])];
  return all.map(shownIn(look));
}

export function headOf({ items, total }: Inbox, look: Look): string {
  if (total === 0) return 'Nothing waits for you.';
  const holding = items.filter(({ holds }) => holds).length;
  return line(look, [
    {
      text:
        holding === 0
          ? 'No goal holds for you.'
          : `${counted(holding, 'item')} ${holding === 1 ? 'holds' : 'hold'} a goal.`,
    },
    { text: total > holding ? `  ${total - holding} can wait.` : '', paint: look.paint.dim },
  ]);
}

const counted = (count: number, thing: string): string =>
  `${count} ${count === 1 ? thing : `${thing}s`}`;

export interface Standing {
  readonly inbox: Inbox;
  readonly counts: GoalCounts;
  /** Spent today, in UTC. */
  readonly spentUsd: number;
  /** The service's limit of a day; null = none, or none that the caller sees. */
  readonly mostUsd: number | null;
}

const MOST_SHOWN = 10;

/** What holds for the person, and how the other goals stand. */
export function standingLines(standing: Standing, now: number, look: Look): string[] {
  const { inbox, counts, spentUsd, mostUsd } = standing;
  const held = { ...inbox, items: inbox.items.filter(({ holds }) => holds) };
  const rows = inboxRows({ ...held, items: held.items.slice(0, MOST_SHOWN) }, now, look);
  const count = held.items.length;
  const head =
    count === 0
      ? ['No goal holds for you.']
      : [
          line(
            look,
            [
              {
                text: `${counted(count, 'goal')} ${count === 1 ? 'holds' : 'hold'} for you`,
                paint: look.paint.you,
              },
            ],
            [{ text: 'goalkeeper inbox', paint: look.paint.dim, drop: 1 }],
          ),
        ];
  const { agent, waiting, team, complete } = counts.groups;
  const money = `${dollars(spentUsd)}${mostUsd === null ? '' : ` of ${mostUsd}`} today`;
  const sums = [
    `${agent} running`,
    `${waiting} ${waiting === 1 ? 'waits' : 'wait'} by ${waiting === 1 ? 'itself' : 'themselves'}`,
    ...(team === 0 ? [] : [`${team} with another operator`]),
    `${complete} complete`,
    money,
  ];
  const all = [...head, ...rows, line(look, [{ text: sums.join('   '), gives: true }])];
  return all.map(shownIn(look));
}
