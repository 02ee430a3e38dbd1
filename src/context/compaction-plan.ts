import type { Compaction } from '../contract/compaction-record.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import { keepWords } from './kept-words.ts';
import { namedOnly } from './shown-attachments.ts';
import { viewOf } from './view.ts';

/** Characters shown of an old result. */
const SHOWN_OF_OLD = 400;
/** Characters shown of the newest results when they are too long by themselves. */
const SHOWN_OF_NEWEST = [8000, 2000, 400, 100];

/** Shares of the conversation's room. */
const SHARE = {
  /** The newest messages, as they are. */
  newest: 0.25,
  notes: 0.15,
  words: 0.2,
  /** Shortening is enough below this share, so that the next compaction is far away. */
  afterShortening: 0.6,
} as const;
const MOST_NOTES = 4000;

export interface CompactionInput {
  readonly messages: readonly StoredMessage[];
  readonly compaction: Compaction | null;
  /** Tokens that the conversation may have in the next request. */
  readonly room: number;
  readonly tokensOf: (message: StoredMessage) => number;
}

const NOTHING: Compaction = {
  number: 0,
  shortenedThrough: 0,
  shown: SHOWN_OF_OLD,
  replacedThrough: 0,
  notes: null,
  notesBy: null,
  words: [],
  limits: {},
};

export const sizeOf = ({ messages, compaction, tokensOf }: Omit<CompactionInput, 'room'>): number =>
  viewOf(messages, compaction).reduce((sum, message) => sum + tokensOf(message), 0);

/** Old results and arguments shortened; null where that doesn't free enough. */
export function planShortening(ground: CompactionInput): Compaction | null {
  const { messages, room } = ground;
  const before = ground.compaction ?? NOTHING;
  const newest = startOfNewest(messages, room * SHARE.newest, ground.tokensOf);
  const through = (messages[newest]?.seq ?? 1) - 1;
  if (through <= before.shortenedThrough) return null;
  const more = { number: before.number + 1, shortenedThrough: through, shown: SHOWN_OF_OLD };
  const next = { ...before, ...more };
  const isEnough = sizeOf({ ...ground, compaction: next }) <= room * SHARE.afterShortening;
  return isEnough ? next : null;
}

/** The messages that notes replace. */
export interface Replacement {
  /** Earlier notes and the messages shown since. */
  readonly replaced: readonly StoredMessage[];
  readonly through: number;
  /** Tokens that the notes may have. */
  readonly mostNotes: number;
}

/**
 * Everything but the newest messages; null where there is nothing else.
 * @param shareOfNewest of the room; 0 keeps the last answer only
 */
export function planReplacement(
  ground: CompactionInput,
  shareOfNewest: number = SHARE.newest,
): Replacement | null {
  const { messages, room, tokensOf } = ground;
  const before = ground.compaction ?? NOTHING;
  const newest = startOfNewest(messages, room * shareOfNewest, tokensOf);
  const through = (messages[newest]?.seq ?? 1) - 1;
  if (through <= before.replacedThrough) return null;
  const replaced = messages.filter(({ seq }) => seq > before.replacedThrough && seq <= through);
  const mostNotes = Math.floor(Math.min(MOST_NOTES, room * SHARE.notes));
  return { replaced, through, mostNotes };
}

/** The compaction with these notes; null when the request would still not fit or be no smaller. */
export function replaceBy(
  ground: CompactionInput,
  { through }: Pick<Replacement, 'through'>,
  { notes, notesBy }: Pick<Compaction, 'notes' | 'notesBy'>,
): Compaction | null {
  const { messages, room, tokensOf } = ground;
  const before = ground.compaction ?? NOTHING;
  const said = messages.filter(({ seq, voice }) => voice === 'person' && seq <= through);
  const next: Compaction = {
    ...before,
    number: before.number + 1,
    shortenedThrough: 0,
    shown: SHOWN_OF_OLD,
    replacedThrough: through,
    notes,
    notesBy,
    words: keepWords(said.map(namedOnly), room * SHARE.words, tokensOf),
  };
  return fitted(ground, next);
}

/** Shortens the newest results as well, as the last resort. */
export function planTightening(ground: CompactionInput): Compaction | null {
  const before = ground.compaction ?? NOTHING;
  return fitted(ground, { ...before, number: before.number + 1 });
}

/** Shortens as little as the room allows. */
function fitted(ground: CompactionInput, next: Compaction): Compaction | null {
  const { messages, room } = ground;
  const last = messages.at(-1)?.seq ?? 0;
  const tighter = SHOWN_OF_NEWEST.map((shown) => ({ ...next, shortenedThrough: last, shown }));
  const sizes = (compaction: Compaction) => sizeOf({ ...ground, compaction });
  const found = [next, ...tighter].find((candidate) => sizes(candidate) <= room);
  if (found === undefined || sizes(found) >= sizeOf(ground)) return null;
  return found;
}

/**
 * The first of the newest messages: as many as fit into `most` tokens, and at least the last answer
 * with its results, which come before any other answer. Never between a call and its result.
 */
function startOfNewest(
  messages: readonly StoredMessage[],
  most: number,
  tokensOf: (message: StoredMessage) => number,
): number {
  const lastAnswer = messages.findLastIndex(({ voice }) => voice === 'model');
  let start = lastAnswer < 0 ? messages.length - 1 : lastAnswer;
  let left = most - messages.slice(start).reduce((sum, message) => sum + tokensOf(message), 0);
  while (start > 0) {
    left -= tokensOf(messages[start - 1] as StoredMessage);
    if (left < 0) break;
    start -= 1;
  }
  while (messages[start]?.voice === 'tool') start += 1;
  return start;
}
