import type { Goal } from '../../../schema/goal.ts';
import type { InboxItem } from '../../../schema/inbox.ts';
import { type Standing, signOf, titleOf } from '../inbox-text.ts';
import { inLines, line, type Part, padded, shownIn } from '../screen/fit.ts';
import { formOf, goalPaint, type Look } from '../screen/look.ts';
import { shortIds } from '../screen/short-ids.ts';
import { clock, dollars, ticking } from '../screen/units.ts';
import type { RunningCall } from './running-calls.ts';
import {
  cellsOf,
  columnsFor,
  headingsOf,
  nearOf,
  type ShownColumns,
  type ToldRow,
} from './top-columns.ts';

export const SORTS = ['who', 'near', 'cost', 'last'] as const;
export type Sort = (typeof SORTS)[number];

export interface TopView {
  readonly standing: Standing;
  readonly goals: readonly Goal[];
  readonly now: number;
  /** Null where nobody chooses: the table goes to a file. */
  readonly chosen: string | null;
  readonly sort: Sort;
  readonly note: string;
  /** By goal; absent = nobody asked. */
  readonly running?: ReadonlyMap<string, RunningCall>;
  /** Goals that were not read; absent = none. */
  readonly unread?: number;
}

const ACTORS = ['You', 'Agent', 'Team', 'Worker', 'Provider', 'Clock'];

const isOver = ({ status, archivedAt }: Goal): boolean =>
  status === 'complete' || archivedAt !== undefined;

/** Goals in this order; those that are over come last. */
export function sorted(goals: readonly Goal[], sort: Sort): Goal[] {
  const by: Readonly<Record<Sort, (goal: Goal) => number>> = {
    who: (goal) => (isOver(goal) ? ACTORS.length : ACTORS.indexOf(goal.activity.actor)),
    near: (goal) => -(nearOf(goal)?.percent ?? 0),
    cost: (goal) => -Number(goal.usage.costUsd),
    last: (goal) => -Date.parse(goal.updatedAt),
  };
  const place = (goal: Goal) => Number(isOver(goal));
  return [...goals].sort(
    (one, other) =>
      place(one) - place(other) ||
      by[sort](one) - by[sort](other) ||
      one.goalId.localeCompare(other.goalId),
  );
}

/** Rows stay where they are while somebody chooses; new ones come last. */
export function keptInOrder(before: readonly string[], goals: readonly Goal[], sort: Sort): Goal[] {
  const known = new Map(goals.map((goal) => [goal.goalId, goal]));
  const kept = before.flatMap((goalId) => known.get(goalId) ?? []);
  const fresh = goals.filter(({ goalId }) => !before.includes(goalId));
  return [...kept, ...sorted(fresh, sort)];
}

const KEYS =
  '↑↓ choose   ↵ watch   a answer   p pause   r resume   g gate   / filter   s sort   q leave';
const FEWER_KEYS = '↑↓ ↵  a answer  p r  g gate  / s q';

const MOST_NOTE_LINES = 3;

/** All goals at a glance. @param height of the screen; rows beyond it are counted */
export function topLines(view: TopView, look: Look, height = Number.POSITIVE_INFINITY): string[] {
  const form = formOf(look);
  const note = view.note === '' ? [] : inLines(view.note, look, MOST_NOTE_LINES);
  const room = Math.max(1, height - 3 - Math.max(1, note.length));
  const at = view.goals.findIndex(({ goalId }) => goalId === view.chosen);
  const first = Math.max(0, Math.min(at - room + 2, view.goals.length - room));
  const shown = view.goals.slice(first, first + room);
  const left = view.goals.length - shown.length + (view.unread ?? 0);
  const lead = leadOf(view, look);
  const columns = columnsBeside(lead, look);
  const head = columns.hasHeadings ? [headingLine(lead, columns, look)] : [];
  const keys = form === 'narrow' ? FEWER_KEYS : KEYS;
  const lines = [
    summary(view, look),
    ...head,
    ...shown.map((goal) => row(goal, view, lead, columns, look)),
    ...(view.goals.length === 0 ? ['  no goals'] : []),
    ...(view.chosen === null && height === Number.POSITIVE_INFINITY
      ? left > 0
        ? [look.paint.dim(`  ${left} more`)]
        : []
      : [
          ...note.slice(0, -1).map(look.paint.dim),
          line(look, [
            { text: note.at(-1) ?? keys, gives: true, paint: look.paint.dim },
            { text: left > 0 ? `   ${left} more` : '', paint: look.paint.dim },
          ]),
        ]),
  ];
  return lines.map(shownIn(look));
}

function summary({ standing, goals, now }: TopView, look: Look): string {
  const { counts, spentUsd, mostUsd } = standing;
  const { you, agent } = counts.groups;
  const money = `${dollars(spentUsd)}${mostUsd === null ? '' : `/${mostUsd}`} today`;
  return line(
    look,
    [
      ...(formOf(look) === 'narrow' ? [] : [{ text: 'Goalkeeper  ' }]),
      { text: `${Math.max(counts.total, goals.length)} goals` },
      { text: `  ${you} need you`, ...(you > 0 ? { paint: look.paint.you } : {}) },
      { text: `  ${agent} running` },
      { text: `  ${money}`, drop: 1 },
    ],
    [{ text: clock(now, formOf(look) !== 'narrow'), paint: look.paint.dim }],
  );
}

const ACTOR = 9;

/** What stands before the columns: who acts, and which goal it is. */
interface Lead {
  readonly sign: number;
  readonly id: number;
  readonly shown: (goalId: string) => string;
}

function leadOf({ goals }: TopView, look: Look): Lead {
  const ids = goals.map(({ goalId }) => goalId);
  const shown = look.isFile ? (goalId: string) => goalId : shortIds(ids);
  const id = Math.max(0, ...ids.map((goalId) => shown(goalId).length)) + 2;
  return { sign: Math.max(2, look.signs.you.length + 1), id: Math.max(6, id), shown };
}

const columnsBeside = ({ sign, id }: Lead, { width }: Look): ShownColumns =>
  columnsFor(width - sign - ACTOR - id);

function headingLine(lead: Lead, shown: ShownColumns, look: Look): string {
  const names = `${' '.repeat(lead.sign)}${'WHO'.padEnd(ACTOR)}${'GOAL'.padEnd(lead.id)}`;
  const text = `${names}${headingsOf(shown)}`.trimEnd();
  return line(look, [{ text, gives: true, paint: look.paint.dim }]);
}

function row(
  goal: Goal,
  { chosen, now, standing, running }: TopView,
  lead: Lead,
  columns: ShownColumns,
  look: Look,
): string {
  const { paint } = look;
  const actor = isOver(goal) ? '' : goal.activity.actor;
  const asks = standing.inbox.items.find(({ goalId, holds }) => holds && goalId === goal.goalId);
  const tint =
    actor === 'You' ? paint.you : actor === 'Agent' ? paint.acting : (text: string) => text;
  const id = lead.shown(goal.goalId);
  const parts: Part[] = [
    { text: padded(signFor(goal, asks, look), lead.sign), paint: tint },
    { text: actor.padEnd(ACTOR), paint: tint },
    { text: id, paint: goalPaint(look, goal.goalId) },
    { text: ' '.repeat(Math.max(0, lead.id - id.length)) },
    ...cellsOf(columns, { goal, ...whatOf(goal, asks, running?.get(goal.goalId), now), now }, look),
  ];
  const shown = line(look, parts).trimEnd();
  return goal.goalId === chosen ? reversed(shown, look) : shown;
}

/** Which row is chosen shows without colours as well. */
const reversed = (text: string, { paint }: Look): string =>
  paint.bad('') === '' ? `>${text.slice(1)}` : `\u001b[7m${text}\u001b[27m`;

function signFor(goal: Goal, asks: InboxItem | undefined, look: Look): string {
  const { signs } = look;
  if (goal.status === 'complete')
    return goal.completion?.verification === 'verified' ? signs.proved : ' ';
  if (goal.activity.actor === 'You') return asks === undefined ? signs.you : signOf(asks, look);
  return goal.activity.state === 'running' ? signs.acting : ' ';
}

/** What it does or waits for, as the inbox says it, and for people also what it is about. */
function whatOf(
  goal: Goal,
  asks: InboxItem | undefined,
  call: RunningCall | undefined,
  now: number,
): Pick<ToldRow, 'what' | 'lasts'> {
  const { status, pause, activity, completion, objective } = goal;
  if (status === 'complete')
    return { what: `${completion?.verification ?? 'complete'}: ${objective}` };
  if (asks !== undefined && activity.actor === 'You') return { what: titleOf(asks, goal) };
  if (pause !== undefined) return { what: `${pause.reason}: ${pause.message}` };
  if (activity.state === 'running') {
    if (call === undefined) return { what: objective };
    return {
      what: call.text,
      ...(call.since === null ? {} : { lasts: ticking((now - call.since) / 1000) }),
    };
  }
  const until = activity.until === undefined ? '' : ` until ${clock(activity.until, false)}`;
  return { what: `${activity.reason}${until}` };
}
