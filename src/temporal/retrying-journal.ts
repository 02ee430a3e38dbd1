import type { JournalPort } from '../contract/journal.ts';

/** What has happened must not be lost to a database that is away for a while. */
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

/** Retries endings until Postgres is back; beginnings fail, and their activity is retried. */
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
