import type { Inbox } from '../../../schema/inbox.ts';
import { headOf, inboxRows } from '../inbox-text.ts';
import { inLines, line, shownIn } from '../screen/fit.ts';
import { formOf, type Look } from '../screen/look.ts';
import { cardLines } from './card.ts';
import type { Waiting } from './waiting.ts';
import { type Way, waysOf } from './ways.ts';

export interface InboxView {
  readonly inbox: Inbox;
  readonly now: number;
  /** Id of the item that is looked at; null = nothing waits. */
  readonly chosen: string | null;
  /** Of the chosen item; null = it is being read. */
  readonly waiting: Waiting | null;
  /** So many lines of the card lie above what is shown. */
  readonly above: number;
  /** A line that is typed, or what a key did; empty = the keys are told. */
  readonly note: string;
}

/** A third of the screen is the list, the rest what the chosen item rests on. */
export function inboxView(view: InboxView, look: Look, height: number): string[] {
  const { inbox, chosen, note } = view;
  const { list, room } = partsOf(view, look, height);
  const card = cardPart(view, look, room);
  const ways = view.waiting === null ? [] : waysOf(view.waiting);
  const foot = note === '' ? [keysLine(ways, look)] : noteLines(note, look);
  const ruler = look.paint.dim('─'.repeat(look.width));
  const middle = chosen === null ? [] : [ruler, ...card];
  return [headOf(inbox, look), ...list, ...middle, ...foot].map(shownIn(look));
}

const MOST_NOTE_LINES = 4;

/** Why an answer was refused is read to its end. */
const noteLines = (note: string, look: Look): string[] =>
  inLines(note, look, MOST_NOTE_LINES).map(look.paint.notable);

/** The list, and how many lines are left for the card between it, a ruler, head and foot. */
function partsOf(view: InboxView, look: Look, height: number) {
  const list = listLines(view, look, Math.max(3, Math.floor(height / 3)));
  const foot = view.note === '' ? 1 : noteLines(view.note, look).length;
  return { list, room: Math.max(1, height - list.length - 2 - foot) };
}

function listLines({ inbox, now, chosen }: InboxView, look: Look, room: number): string[] {
  const rows = inboxRows(inbox, now, look, chosen);
  const at = inbox.items.findIndex(({ itemId }) => itemId === chosen);
  const first = Math.max(0, Math.min(at - room + 2, rows.length - room));
  const shown = rows.slice(first, first + room);
  const left = inbox.total - shown.length;
  return left > 0 ? [...shown, look.paint.dim(`  ${left} more`)] : shown;
}

/** So many lines of a card, and a line that tells of those that don't fit. */
function cardPart({ waiting, above }: InboxView, look: Look, room: number): string[] {
  if (waiting === null) return ['  …'];
  const all = cardLines(waiting, look);
  if (all.length <= room) return all;
  const from = Math.min(above, lastStart(all.length, room));
  const shown = all.slice(from, from + room - 1);
  const left = all.length - from - shown.length;
  const more = left > 0 ? `  … ${left} lines more: Space` : '  Space: from the beginning';
  return [...shown, look.paint.dim(more)];
}

const lastStart = (lines: number, room: number): number =>
  lines <= room ? 0 : Math.max(0, lines - room + 1);

/** Where the card goes on; from its beginning where all of it was shown. */
export function pagedOn(view: InboxView, look: Look, height: number): number {
  if (view.waiting === null) return 0;
  const { room } = partsOf(view, look, height);
  const last = lastStart(cardLines(view.waiting, look).length, room);
  return view.above >= last ? 0 : Math.min(last, view.above + Math.max(1, room - 1));
}

function keysLine(ways: readonly Way[], look: Look): string {
  const isNarrow = formOf(look) === 'narrow';
  const answers = ways.map(({ key, does }, index) => ({
    text: `${key} ${does}${isNarrow ? '  ' : '   '}`,
    drop: 2 + index,
  }));
  const moves = isNarrow ? 'j k' : 'j k choose';
  return line(look, [...answers, { text: moves, drop: 1 }], [{ text: 'q leave' }]);
}
