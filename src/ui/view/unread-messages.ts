import type { SentMessage, Session, Turn } from '../api/types.ts';

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

/** Who sent it does, an operator with what a program sent, an admin always. The service enforces it. */
export const mayTakeBack = (
  { name, role }: Pick<Session, 'name' | 'role'>,
  { sentBy, voice }: Pick<SentMessage, 'sentBy' | 'voice'>,
): boolean =>
  role === 'admin' ||
  (role === 'operator' && voice === 'agent') ||
  (role !== 'viewer' && sentBy === name);
