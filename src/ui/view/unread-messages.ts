import type { SentMessage, Session, Turn } from '../api/types.ts';
import type { Passage } from './transcript.ts';

/**
 * Those that belong at the end of a turn, oldest first: what waits stands in the newest turn, what
 * was taken back in the one that ran then.
 */
export function unreadOf(
  sent: readonly SentMessage[],
  { startedAt, settledAt }: Pick<Turn, 'startedAt' | 'settledAt'>,
  isNewest: boolean,
): SentMessage[] {
  const isOfTurn = ({ state, takenBackAt }: SentMessage): boolean => {
    if (state === 'waiting') return isNewest;
    if (state === 'read' || takenBackAt === null) return false;
    const at = Date.parse(takenBackAt);
    const isBefore = settledAt !== null && !isNewest && at > Date.parse(settledAt);
    return at >= Date.parse(startedAt) && !isBefore;
  };
  return sent.filter(isOfTurn).toReversed();
}

/** A message of which no call knows, among what a turn is read as. */
export type Unread = { readonly kind: 'unread'; readonly message: SentMessage };

/**
 * What waits stands at the end. What was taken back stays where it was: behind the calls that had
 * begun by then, and behind what was said before it.
 */
export function withUnread(
  passages: readonly Passage[],
  unread: readonly SentMessage[],
  sent: readonly SentMessage[],
): (Passage | Unread)[] {
  const placed = unread.map((message) => ({ message, at: placeOf(message, passages, sent) }));
  const at = (place: number): Unread[] =>
    placed.filter((one) => one.at === place).map(({ message }) => ({ kind: 'unread', message }));
  return [...passages.flatMap((passage, place) => [...at(place), passage]), ...at(passages.length)];
}

/** How many passages stand above it. */
function placeOf(
  { takenBackAt, messageId }: SentMessage,
  passages: readonly Passage[],
  sent: readonly SentMessage[],
): number {
  if (takenBackAt === null) return passages.length;
  // The newest stands first.
  const older = sent.slice(sent.findIndex((one) => one.messageId === messageId) + 1);
  const saidBefore = new Set<string | undefined>(older.map((one) => one.messageId));
  const isBefore = (passage: Passage): boolean => {
    if (passage.kind === 'call') return (passage.call.startedAt ?? '') <= takenBackAt;
    return (
      passage.kind === 'said' && (passage.voice === 'host' || saidBefore.has(passage.messageId))
    );
  };
  return passages.findLastIndex(isBefore) + 1;
}

const SHORT = 60;

/** Its first letters as people count them: none is cut in two. */
export const beginningOf = (text: string): string =>
  Array.from(new Intl.Segmenter().segment(text.slice(0, 10 * SHORT)), ({ segment }) => segment)
    .slice(0, SHORT)
    .join('');

/** Who sent it does, an operator with what a program sent, an admin always. The service enforces it. */
export const mayTakeBack = (
  { name, role }: Pick<Session, 'name' | 'role'>,
  { sentBy, voice }: Pick<SentMessage, 'sentBy' | 'voice'>,
): boolean =>
  role === 'admin' ||
  (role === 'operator' && voice === 'agent') ||
  (role !== 'viewer' && sentBy === name);
