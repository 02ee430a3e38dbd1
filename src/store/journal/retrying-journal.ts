import type { JournalPort } from '../../contract/journal.ts';
import { retryUntilBack } from '../client.ts';

/** Writes that record what happened must not be lost while the database is away. */
const ENDINGS = [
  'commitStep',
  'commitCompaction',
  'failStep',
  'loseStep',
  'settleCall',
  'addActiveTime',
  'returnWorkspace',
] as const;

/** These writes wait until the database is back; all else fails, and its activity is retried. */
export const retryingJournal = (journal: JournalPort): JournalPort =>
  retrying(journal, ENDINGS, undefined);

/**
 * Everything waits until the database is back, or `signal` aborts. A slice needs the journal between
 * the moment when a call is stored as begun and its effect: where it gave up there, the next attempt
 * could only tell that call's end as unknown. Each method may be called again after a lost answer.
 */
export function waitingJournal(journal: JournalPort, signal: AbortSignal): JournalPort {
  const names: (keyof JournalPort)[] = [];
  // Those too that it has of another journal which it stands in front of.
  for (const name in journal) names.push(name as keyof JournalPort);
  return retrying(journal, names, signal);
}

function retrying(
  journal: JournalPort,
  names: readonly (keyof JournalPort)[],
  signal: AbortSignal | undefined,
): JournalPort {
  const patient: JournalPort = { ...journal };
  for (const name of names) {
    const method = journal[name] as (...input: unknown[]) => Promise<unknown>;
    Object.assign(patient, {
      [name]: (...input: unknown[]) => retryUntilBack(() => method(...input), signal),
    });
  }
  return patient;
}
