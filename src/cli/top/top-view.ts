import type { Goal } from '../../../schema/goal.ts';
import type { InboxItem } from '../../../schema/inbox.ts';
import { type Standing, signOf, titleOf } from '../inbox-text.ts';
import { cutTo, inLines, line, type Part, padded, shownIn } from '../screen/fit.ts';
import { type Form, formOf, goalPaint, type Look, shortId } from '../screen/look.ts';
import { ago, clock, dollars } from '../screen/units.ts';
import { oneLine } from '../terminal.ts';
import { limitsOf } from '../watch/foot.ts';

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
}

const ACTORS = ['You', 'Agent', 'Team', 'Worker', 'Provider', 'Clock'];

const isOver = ({ status, archivedAt }: Goal): boolean =>
  status === 'complete' || archivedAt !== undefined;

const nearOf = (goal: Goal) =>
  [...limitsOf(goal)].sort((one, other) => other.percent - one.percent)[0];

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
  const left = view.goals.length - shown.length;
  const head = form === 'narrow' ? [] : [columnNames(look)];
  const keys = form === 'narrow' ? FEWER_KEYS : KEYS;
  const lines = [
    summary(view, look),
    ...head,
    ...shown.map((goal) => row(goal, view, look)),
    ...(view.goals.length === 0 ? ['  no goals'] : []),
    ...(view.chosen === null && height === Number.POSITIVE_INFINITY
      ? []
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

interface Widths {
  readonly what: number;
  readonly bars: boolean;
}

const [ID, ACTOR, NEAR, WIDE_NEAR] = [20, 9, 12, 19];

const widthsOf = ({ width }: Look, form: Form): Widths =>
  form === 'wide'
    ? { what: width - 2 - ACTOR - ID - 9 - WIDE_NEAR - 9 - 7 - 38, bars: true }
    : { what: width - 2 - ACTOR - ID - 9 - NEAR - 9 - 7, bars: false };

function columnNames(look: Look): string {
  const form = formOf(look);
  const { what } = widthsOf(look, form);
  const near = form === 'wide' ? WIDE_NEAR : NEAR;
  const names = [
    `  ${'WHO'.padEnd(ACTOR)}${'GOAL'.padEnd(ID)}${'WHAT'.padEnd(what)}`,
    `${'PROVED'.padStart(8)} ${'NEAR'.padEnd(near)}${'COST'.padStart(8)} ${'LAST'.padStart(7)}`,
    form === 'wide' ? `  ${'WORKSPACE'.padEnd(14)}${'MODEL'.padEnd(22)}` : '',
  ];
  return line(look, [{ text: names.join(''), gives: true, paint: look.paint.dim }]);
}

function row(goal: Goal, { chosen, now, standing }: TopView, look: Look): string {
  const form = formOf(look);
  const { paint, signs } = look;
  const actor = isOver(goal) ? '' : goal.activity.actor;
  const asks = standing.inbox.items.find(({ goalId, holds }) => holds && goalId === goal.goalId);
  const sign = signFor(goal, asks, look);
  const what = whatOf(goal, asks);
  const tint =
    actor === 'You' ? paint.you : actor === 'Agent' ? paint.acting : (text: string) => text;
  const id = shortId(goal.goalId, look);
  const gap = ' '.repeat(Math.max(0, (form === 'narrow' ? 10 : ID) - id.length));
  const near = nearOf(goal);
  const isChosen = goal.goalId === chosen;
  const limit = near === undefined ? '' : `${near.name} ${Math.round(near.percent)}%`;
  const lead: Part[] = [
    { text: padded(`${sign} `, Math.max(2, signs.you.length + 1)), paint: tint },
    { text: actor.padEnd(ACTOR), paint: tint },
    { text: id, paint: goalPaint(look, goal.goalId) },
    { text: gap },
  ];
  const tone = near !== undefined && near.percent >= 80 ? paint.stale : paint.dim;
  if (form === 'narrow') {
    const percent = near === undefined ? '' : `${Math.round(near.percent)}%`;
    const shown = line(
      look,
      [...lead, { text: what, gives: true }],
      [{ text: percent.padStart(4), paint: tone }],
    );
    return isChosen ? reversed(shown, look) : shown;
  }
  const widths = widthsOf(look, form);
  const met = goal.criteria.filter(({ state }) => state === 'met').length + goal.todos.done;
  const all = goal.criteria.length + goal.todos.total;
  const end = `${`${met}/${all}`.padStart(8)} `;
  const cost = Number(goal.usage.costUsd) === 0 ? '' : Number(goal.usage.costUsd).toFixed(2);
  const last = ago((now - Date.parse(goal.updatedAt)) / 1000);
  const more = form === 'wide' ? `  ${cell(goal.workspace.name, 14)}${cell(goal.model, 22)}` : '';
  const shown = line(look, [
    ...lead,
    { text: cell(what, widths.what) },
    { text: end },
    {
      text: cell(form === 'wide' ? barOf(near, limit) : limit, form === 'wide' ? WIDE_NEAR : NEAR),
      paint: tone,
    },
    { text: `${cost.padStart(8)} ${last.padStart(7)}`, paint: paint.dim },
    { text: more, gives: true, paint: paint.dim },
  ]);
  return isChosen ? reversed(shown, look) : shown;
}

/** Which row is chosen shows without colours as well. */
const reversed = (text: string, { paint }: Look): string =>
  paint.bad('') === '' ? `>${text.slice(1)}` : `\u001b[7m${text}\u001b[27m`;

function barOf(near: { readonly percent: number } | undefined, limit: string): string {
  const full = Math.max(0, Math.min(6, Math.round((near?.percent ?? 0) / (100 / 6))));
  return `${'█'.repeat(full)}${'░'.repeat(6 - full)} ${limit}`;
}

function cell(text: string, width: number): string {
  const look = { width: Math.max(1, width - 1), isAscii: false };
  return padded(cutCell(oneLine(text, 400), look), width);
}

const cutCell = (text: string, look: Pick<Look, 'width' | 'isAscii'>): string => cutTo(text, look);

function signFor(goal: Goal, asks: InboxItem | undefined, look: Look): string {
  const { signs } = look;
  if (goal.status === 'complete')
    return goal.completion?.verification === 'verified' ? signs.proved : ' ';
  if (goal.activity.actor === 'You') return asks === undefined ? signs.you : signOf(asks, look);
  return goal.activity.state === 'running' ? signs.acting : ' ';
}

/** What it does or waits for, as the inbox says it, and for people also what it is about. */
function whatOf(goal: Goal, asks: InboxItem | undefined): string {
  const { status, pause, activity, completion, objective } = goal;
  if (status === 'complete') return `${completion?.verification ?? 'complete'}: ${objective}`;
  if (asks !== undefined && activity.actor === 'You') return titleOf(asks, goal);
  if (pause !== undefined) return `${pause.reason}: ${pause.message}`;
  if (activity.state === 'running') return objective;
  const until = activity.until === undefined ? '' : ` until ${clock(activity.until, false)}`;
  return `${activity.reason}${until}`;
}
