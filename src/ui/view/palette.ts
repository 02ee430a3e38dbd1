import { callSeq, callSubject } from '../../../schema/call-subject.ts';
import { textsOfTurn, wordsAround } from '../../../schema/words-around.ts';
import type { Call, Found, Goal, Inbox, Turn } from '../api/types.ts';
import { itemTitle, kindWords } from './inbox-text.ts';
import { ownTree } from './own-tree.ts';

/** Of the dialogs of a goal, those that the palette opens. */
type GoalDialogName =
  | 'approve'
  | 'budget'
  | 'chain'
  | 'clear'
  | 'complete'
  | 'criteria'
  | 'edit'
  | 'message'
  | 'model'
  | 'pause'
  | 'resume'
  | 'rewind'
  | 'apply';

/** What choosing it does. */
export type Deed =
  | { readonly kind: 'dialog'; readonly dialog: GoalDialogName }
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'copy'; readonly text: string }
  /** In all goals; further back, once some of them were looked at. */
  | { readonly kind: 'search' }
  | { readonly kind: 'template'; readonly workspace: string };

export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Act' | 'This goal' | 'Found in it' | 'Goals' | 'Go to' | 'All goals';
  readonly words: string;
  /** Other words that find it. */
  readonly also?: string;
  /** The key that does it without the palette. */
  readonly shownKey?: string;
  readonly isCode?: boolean;
  /** A found goal, which can be acted on from here. */
  readonly goal?: Goal;
  /** What it was found in, instead of who acts there. */
  readonly within?: string;
  readonly deed: Deed;
}

/** What the viewer's role lets them do. */
export interface PaletteRights {
  /** Decide, resume, edit and pay. */
  readonly mayAct: boolean;
  /** Start, pause and message. */
  readonly mayPause: boolean;
  /** Sums over all goals. */
  readonly seesAll: boolean;
}

const dialog = (
  name: GoalDialogName,
  words: string,
  more: Pick<PaletteEntry, 'also' | 'shownKey'> = {},
): PaletteEntry => ({
  id: `dialog:${name}`,
  group: 'Act',
  words,
  ...more,
  deed: { kind: 'dialog', dialog: name },
});

/** Acts on one goal; what its state or the role rules out is not offered. */
export function goalActs(
  goal: Goal,
  inbox: Inbox | undefined,
  { mayAct, mayPause }: PaletteRights,
): PaletteEntry[] {
  const { goalId, status, archivedAt } = goal;
  const isOver = status === 'complete' || archivedAt !== undefined;
  const acts = isOver || !mayAct;
  const messages = isOver || !mayPause;
  return [
    ...(mayAct ? waitingActs(goal, inbox) : []),
    ...(status === 'active' && !messages
      ? [dialog('pause', 'Pause this goal…', { shownKey: 'p' })]
      : []),
    ...(status === 'paused' && !acts
      ? [dialog('resume', 'Resume this goal…', { shownKey: 'r', also: 'go on continue' })]
      : []),
    ...(messages ? [] : [dialog('message', 'Message the goal…', { also: 'say steer' })]),
    ...(acts
      ? []
      : [
          dialog('budget', 'Raise the budget…', { also: 'limit tokens cost' }),
          dialog('edit', 'Edit objective and limits…'),
          dialog('criteria', 'Edit criteria…'),
          dialog('model', 'Change model…'),
          dialog('rewind', 'Take the files back…', { also: 'rewind undo' }),
          dialog('complete', 'Complete by hand…', { also: 'finish' }),
        ]),
    ...(mayAct && ownTree(goal)?.isApplicable === true
      ? [dialog('apply', 'Apply its branch…', { also: 'merge take over result' })]
      : []),
    ...(mayAct && archivedAt === undefined && goal.chain !== undefined
      ? [dialog('chain', 'End the chain of wakes…')]
      : []),
    ...(mayAct && archivedAt === undefined
      ? [dialog('clear', 'Clear this goal…', { also: 'delete remove archive' })]
      : []),
    ...(mayPause
      ? [
          {
            id: 'copy-of',
            group: 'Act',
            words: 'Start it again, or a changed copy…',
            also: 'duplicate',
            deed: { kind: 'go', path: `/new?of=${goalId}` },
          } as const,
          {
            id: 'template',
            group: 'Act',
            words: `Start from a template of ${goal.workspace.name}…`,
            also: 'new',
            deed: { kind: 'template', workspace: goal.workspace.name },
          } as const,
        ]
      : []),
    ...twins(goal).map(
      (text): PaletteEntry => ({
        id: `copy:${text}`,
        group: 'Act',
        words: `Copy ${text}`,
        also: 'cli twin command line terminal',
        isCode: true,
        deed: { kind: 'copy', text },
      }),
    ),
  ];
}

/** Approvals are decided in their dialog; what else waits has its answers in the inbox. */
function waitingActs(goal: Goal, inbox: Inbox | undefined): PaletteEntry[] {
  const items = inbox?.items.filter(({ goalId }) => goalId === goal.goalId) ?? [];
  const first = items.find(({ kind }) => kind === 'tool');
  return [
    ...(first === undefined
      ? []
      : [
          dialog('approve', `Approve or decline: ${first.title}`, {
            shownKey: 'a',
            also: 'deny answer review',
          }),
        ]),
    ...items
      .filter((item) => item !== first && (item.kind !== 'pause' || item.holds))
      .map(
        (item): PaletteEntry => ({
          id: `item:${item.itemId}`,
          group: 'Act',
          words: `${kindWords[item.kind]}: ${itemTitle(item, goal)}`,
          also: 'answer approve decline decide inbox',
          deed: { kind: 'go', path: `/inbox?item=${encodeURIComponent(item.itemId)}` },
        }),
      ),
  ];
}

/** The command line's words for what the page shows. */
function twins({ goalId, status, workspace, archivedAt }: Goal): string[] {
  const isOver = status === 'complete' || archivedAt !== undefined;
  return [
    isOver ? `goalkeeper show ${goalId} --turns` : `goalkeeper watch ${goalId}`,
    ...(status === 'complete' ? [`goalkeeper proof export ${goalId}`] : []),
    ...(status === 'complete' && workspace.branch !== undefined ? [`goalkeeper pr ${goalId}`] : []),
  ];
}

const PARTS = [
  ['', 'Overview', '1'],
  ['/changes', 'Changes', '2'],
  ['/gate', 'Completion gate', '3'],
  ['/proof', 'Proof', '4'],
  ['/history', 'History', '5'],
  ['/ledger', 'Ledger', '6'],
  ['/compare', 'Compare two turns', undefined],
] as const;

/** Where the goal's page leads; a number leads to that turn. */
export function goalPlaces({ goalId }: Goal, query: string): PaletteEntry[] {
  const [, turn] =
    /^(?:(?:model )?calls of )?(?:t|turn)?\s*#?([1-9]\d{0,8})$/i.exec(query.trim()) ?? [];
  const go = (path: string, words: string, shownKey?: string): PaletteEntry => ({
    id: `part:${path}`,
    group: 'This goal',
    words,
    ...(shownKey === undefined ? {} : { shownKey }),
    deed: { kind: 'go', path: `/goals/${goalId}${path}` },
  });
  const turns =
    turn === undefined
      ? []
      : [
          { ...go(`?turn=${turn}`, `Turn ${turn}`), also: `t${turn}` },
          { ...go(`/turns/${turn}`, `Model calls of turn ${turn}`), also: `t${turn}` },
        ];
  return [...turns, ...PARTS.map(([path, words, key]) => go(path, words, key))];
}

/** Turns whose words hold what was typed, and calls that did or printed it. */
export function foundIn(
  { goalId }: Goal,
  query: string,
  found: { readonly turns: readonly Turn[]; readonly calls: readonly Call[] },
): PaletteEntry[] {
  const at = (id: string, words: string, path: string, isCode = false): PaletteEntry => ({
    id,
    group: 'Found in it',
    words,
    isCode,
    deed: { kind: 'go', path: `/goals/${goalId}${path}` },
  });
  return [
    ...found.turns.map((turn) =>
      at(
        `turn:${turn.turn}`,
        `Turn ${turn.turn}: ${wordsAround(textsOfTurn(turn), query)}`,
        `?turn=${turn.turn}`,
      ),
    ),
    ...found.calls.map((call) =>
      at(
        `call:${callSeq(call)}`,
        `#${callSeq(call)} ${call.tool} ${callSubject(call)}`,
        `/ledger?call=${callSeq(call)}`,
        true,
      ),
    ),
    at(
      `ledger:${query}`,
      `“${query}” in its whole ledger`,
      `/ledger?q=${encodeURIComponent(query)}`,
    ),
  ];
}

/** What the service has looked at of all goals, for the words that are typed. */
export interface Searched {
  readonly found: readonly Found[];
  readonly isLooking: boolean;
  /** There are goals that it has not looked at. */
  readonly hasMore: boolean;
  /** Why it could not look; null = it could. */
  readonly problem: string | null;
}

/** Turns and calls of all goals that hold the words, and a way to look for them. */
export function foundInAll(query: string, searched: Searched | null): PaletteEntry[] {
  const search = (words: string): PaletteEntry => ({
    ...{ id: 'search', group: 'All goals', words },
    deed: { kind: 'search' },
  });
  if (searched === null) return [search(`Search “${query}” in turns, messages and ledgers`)];
  const places = searched.found.flatMap(placesIn);
  const next = nextLook(query, searched);
  return next === null ? places : [...places, search(next)];
}

/** What the next look leads to; null = all was looked at, and something was found. */
function nextLook(query: string, { found, isLooking, hasMore, problem }: Searched): string | null {
  if (isLooking) return 'Looking…';
  if (problem !== null) return `Try again: ${problem}`;
  if (found.length > 0) return hasMore ? 'Look further back' : null;
  const nothing = `Nothing holds “${query}”`;
  return hasMore ? `${nothing} so far: look further back` : `${nothing} in any goal`;
}

function placesIn({ goal, turns, calls }: Found): PaletteEntry[] {
  const within = goal.objective.replace(/\s+/g, ' ');
  const at = (id: string, words: string, path: string, isCode = false): PaletteEntry => ({
    ...{ id: `${goal.goalId} ${id}`, group: 'All goals', words, goal, within, isCode },
    deed: { kind: 'go', path: `/goals/${goal.goalId}${path}` },
  });
  return [
    ...turns.map(({ turn, text }) => at(`t${turn}`, `Turn ${turn}: ${text}`, `?turn=${turn}`)),
    ...calls.map(({ seq, tool, text }) =>
      at(`#${seq}`, `#${seq} ${tool} ${text}`, `/ledger?call=${seq}`, true),
    ),
  ];
}

export const foundGoal = (goal: Goal): PaletteEntry => ({
  id: `goal:${goal.goalId}`,
  group: 'Goals',
  words: goal.objective.replace(/\s+/g, ' '),
  goal,
  deed: { kind: 'go', path: `/goals/${goal.goalId}` },
});

type Page = readonly [words: string, path: string, key?: string];

/** All pages that the role may look at. */
export function pagesFor({ mayAct, mayPause, seesAll }: PaletteRights): PaletteEntry[] {
  const pages: readonly Page[] = [
    ['Goals', '/goals', 'g g'],
    ['Goals as a board', '/goals?view=board'],
    ['Inbox', '/inbox', 'g i'],
    ...(mayPause ? ([['Start a goal', '/new', 'n']] as const) : []),
    ['Schedules', '/schedules', 'g s'],
    ...(mayPause ? ([['New schedule', '/schedules/new']] as const) : []),
    ...(mayAct ? ([['Triggers', '/triggers', 'g t']] as const) : []),
    ...(seesAll ? ([['Operations', '/ops', 'g o']] as const) : []),
    ...(mayAct
      ? ([
          ['Settings: tokens', '/settings/tokens'],
          ['Settings: principals', '/settings/principals'],
          ['Settings: rules', '/settings/rules'],
          ['Settings: security log', '/settings/security'],
          ['Settings: anchors', '/settings/anchors'],
        ] as const)
      : []),
  ];
  return pages.map(
    ([words, path, key]): PaletteEntry => ({
      id: `page:${path}`,
      group: 'Go to',
      words,
      ...(key === undefined ? {} : { shownKey: key }),
      deed: { kind: 'go', path },
    }),
  );
}

/** Every typed word stands in it, in any order. */
export function matchesQuery({ words, also = '' }: PaletteEntry, query: string): boolean {
  const text = `${words} ${also}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
