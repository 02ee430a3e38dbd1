import type { JournalPort } from '../contract/journal.ts';

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

type Retry = <Result>(operation: () => Promise<Result>) => Promise<Result>;

/** Retries these writes until Postgres is back; other writes fail and their activity retries. */
export function retryingJournal(journal: JournalPort, retryUntilBack: Retry): JournalPort {
  const patient: JournalPort = { ...journal };
  for (const name of ENDINGS) {
    const ending = journal[name] as (...input: unknown[]) => Promise<unknown>;
    Object.assign(patient, {
      [name]: (...input: unknown[]) => retryUntilBack(() => ending(...input)),
    });
  }
  return patient;
}
