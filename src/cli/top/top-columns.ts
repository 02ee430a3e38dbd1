import type { Goal } from '../../../schema/goal.ts';
import { cutTo, type Part, padded } from '../screen/fit.ts';
import type { Look } from '../screen/look.ts';
import { ago } from '../screen/units.ts';
import { oneLine } from '../terminal.ts';
import { limitsOf } from '../watch/foot.ts';

/** What a row tells beside who acts and which goal it is. */
export interface ToldRow {
  readonly goal: Goal;
  readonly what: string;
  /** How long that lasts already, which no width cuts; absent = it says nothing. */
  readonly lasts?: string;
  readonly now: number;
}

type ColumnName =
  | 'what'
  | 'proved'
  | 'percent'
  | 'near'
  | 'bars'
  | 'cost'
  | 'last'
  | 'objective'
  | 'workspace'
  | 'model';

interface Column {
  readonly heading: string;
  /** With the blank behind it. */
  readonly least: number;
  /** Columns that it tells more of, and takes the place of. */
  readonly instead?: ColumnName;
  /** Gets what room is left. */
  readonly flexes?: true;
  readonly cell: (row: ToldRow, look: Look) => readonly Part[] | string;
  /** Stands behind the text, which is cut before it; absent = nothing. */
  readonly end?: (row: ToldRow) => string | undefined;
}

const COLUMNS: Readonly<Record<ColumnName, Column>> = {
  what: {
    heading: 'WHAT',
    least: 32,
    flexes: true,
    cell: ({ what }) => what,
    end: ({ lasts }) => lasts,
  },
  proved: {
    heading: ' PROVED',
    least: 8,
    cell: ({ goal }) => [{ text: provedOf(goal).padStart(7) }],
  },
  percent: { heading: '', least: 5, cell: ({ goal }, look) => percentOf(goal, look) },
  near: {
    ...{ heading: 'NEAR', least: 11, instead: 'percent' },
    cell: ({ goal }, look) => nearPart(goal, look),
  },
  bars: {
    ...{ heading: 'TURNS     USD       TOK       TIME', least: 40, instead: 'near' },
    cell: ({ goal }, look) => barsOf(goal, look),
  },
  cost: {
    ...{ heading: '   COST', least: 8 },
    cell: ({ goal }, { paint }) => [{ text: costOf(goal).padStart(7), paint: paint.dim }],
  },
  last: {
    ...{ heading: '  LAST', least: 7 },
    cell: ({ goal, now }, { paint }) => [
      { text: ago((now - Date.parse(goal.updatedAt)) / 1000).padStart(6), paint: paint.dim },
    ],
  },
  objective: {
    ...{ heading: 'OBJECTIVE', least: 18, flexes: true },
    cell: ({ goal }) => goal.objective,
  },
  workspace: { heading: 'WORKSPACE', least: 12, cell: ({ goal }) => goal.workspace.name },
  model: {
    ...{ heading: 'MODEL', least: 14 },
    cell: ({ goal }) => goal.agent ?? modelName(goal),
  },
};

/** Which column comes first where not all of them have room. */
const PRIORITY: readonly ColumnName[] = [
  ...(['what', 'percent', 'proved', 'near', 'cost', 'last'] as const),
  ...(['bars', 'objective', 'workspace', 'model'] as const),
];
/** Told without headings. */
const PLAIN = 2;

export interface ShownColumns {
  readonly columns: readonly { readonly name: ColumnName; readonly width: number }[];
  readonly hasHeadings: boolean;
}

/** The columns that have room, by their priority; what is left widens those that flex. */
export function columnsFor(room: number): ShownColumns {
  let taken: readonly ColumnName[] = [];
  for (const name of PRIORITY) {
    const more = [...taken.filter((one) => one !== COLUMNS[name].instead), name];
    if (taken.length > 0 && widthOf(more) > room) break;
    taken = more;
  }
  const order = Object.keys(COLUMNS) as ColumnName[];
  const shown = order.filter((name) => taken.includes(name));
  const flexible = shown.filter((name) => COLUMNS[name].flexes);
  const left = room - widthOf(shown);
  const share = Math.floor(left / flexible.length);
  const columns = shown.map((name) => {
    const at = flexible.indexOf(name);
    const more = at === -1 ? 0 : share + (at === 0 ? left - share * flexible.length : 0);
    return { name, width: COLUMNS[name].least + more };
  });
  return { columns, hasHeadings: shown.length > PLAIN };
}

const widthOf = (names: readonly ColumnName[]): number =>
  names.reduce((sum, name) => sum + COLUMNS[name].least, 0);

export const headingsOf = ({ columns }: ShownColumns): string =>
  columns.map(({ name, width }) => padded(COLUMNS[name].heading, width)).join('');

export const cellsOf = ({ columns }: ShownColumns, row: ToldRow, look: Look): Part[] =>
  columns.flatMap(({ name, width }) => {
    const cell = COLUMNS[name].cell(row, look);
    if (typeof cell === 'string') {
      const end = COLUMNS[name].end?.(row);
      return [{ text: oneCell(cell, end === undefined ? '' : `  ${end}`, width, look) }];
    }
    const used = cell.reduce((sum, { text }) => sum + text.length, 0);
    return [...cell, { text: ' '.repeat(Math.max(0, width - used)) }];
  });

const oneCell = (text: string, end: string, width: number, { isAscii }: Look): string => {
  const room = Math.max(1, width - 1 - end.length);
  return padded(cutTo(oneLine(text, 400), { width: room, isAscii }) + end, width);
};

export const nearOf = (goal: Goal) =>
  [...limitsOf(goal)].sort((one, other) => other.percent - one.percent)[0];

const MOST_PERCENT = 999;
const rounded = (percent: number): number => Math.min(MOST_PERCENT, Math.round(percent));

function tintOf(percent: number, { paint }: Look) {
  return percent >= 80 ? paint.stale : paint.dim;
}

function percentOf(goal: Goal, look: Look): Part[] {
  const percent = nearOf(goal)?.percent ?? 0;
  return [{ text: `${rounded(percent)}%`.padStart(5), paint: tintOf(percent, look) }];
}

function nearPart(goal: Goal, look: Look): Part[] {
  const near = nearOf(goal);
  if (near === undefined || near.percent === 0) return [];
  const text = `${near.name.padEnd(5)} ${`${rounded(near.percent)}%`.padStart(4)}`;
  return [{ text, paint: tintOf(near.percent, look) }];
}

const BAR = 5;
const LIMITS = ['turns', 'usd', 'tok', 'time'] as const;

/** A bar for each limit that the goal has. */
function barsOf(goal: Goal, look: Look): Part[] {
  const limits = limitsOf(goal);
  return LIMITS.map((name) => {
    const limit = limits.find((one) => one.name === name && one.isLimited);
    if (limit === undefined) return { text: ' '.repeat(BAR + 5) };
    const full = Math.max(0, Math.min(BAR, Math.round((limit.percent * BAR) / 100)));
    const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
    const text = `${bar} ${String(rounded(limit.percent)).padStart(3)} `;
    return { text, paint: tintOf(limit.percent, look) };
  });
}

const costOf = ({ usage }: Goal): string =>
  Number(usage.costUsd) === 0 ? '' : Number(usage.costUsd).toFixed(2);

function provedOf({ criteria, todos }: Goal): string {
  const met = criteria.filter(({ state }) => state === 'met').length + todos.done;
  return `${met}/${criteria.length + todos.total}`;
}

/** Without its provider, which `show` tells. */
const modelName = ({ model }: Goal): string => model.slice(model.indexOf('/') + 1);
