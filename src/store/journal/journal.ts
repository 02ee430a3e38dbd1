import type { JournalPort } from '../../contract/journal.ts';
import type { SpendLimit } from '../../contract/spend.ts';
import { type Database, withTypedErrors } from '../client.ts';
import { createLedgerHeads } from '../ledger/ledger-heads.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { createUsageHeads } from '../ledger/usage-seal.ts';
import type { NotifyNext } from '../workspaces/workspace-lease.ts';
import { workspaceLoans } from '../workspaces/workspace-loan.ts';
import { compactionReads, journalCompactions } from './compactions.ts';
import { journalAttempts } from './journal-attempts.ts';
import { journalCalls } from './journal-calls.ts';
import { journalReads } from './journal-reads.ts';
import { journalSteps } from './journal-steps.ts';
import { journalTurns } from './journal-turns.ts';

export interface JournalOptions {
  /** Connections for single-statement appends; the main ones by default. */
  readonly appends?: Database;
  /** Called after each append; it must not throw or block. */
  readonly onAppended?: (goalId: string) => void;
  /** Seal the ledger's rows and its end. */
  readonly ledgerKeys: LedgerKeys;
  /** The operator's spend limits as they are now; absent = none. */
  readonly spendLimits?: () => readonly SpendLimit[];
  /**
   * Called with the goal that is next in line for a released workspace; it must not throw or block.
   */
  readonly onWorkspaceFree?: NotifyNext;
}

/**
 * The journal in Postgres. Appends lock and update the narrow `journal` row of their goal and leave
 * the goal's own row alone; beginnings and endings of the hot path are one statement each. Nothing
 * here notifies, because a notifying commit takes a database-wide lock.
 */
export function createJournal(db: Database, options: JournalOptions): JournalPort {
  const { onAppended, ledgerKeys, appends = db, spendLimits = () => [] } = options;
  const heads = createLedgerHeads(appends, ledgerKeys);
  const usage = createUsageHeads(appends, ledgerKeys);
  const appending = {
    ...journalTurns(db, usage),
    ...journalSteps(appends, heads, usage, spendLimits),
    ...journalCalls(db, appends, heads),
    ...journalCompactions(db, usage),
  };
  return withTypedErrors({
    ...journalAttempts(db, usage),
    ...journalReads(db, ledgerKeys),
    ...compactionReads(db, ledgerKeys),
    ...workspaceLoans(db, ledgerKeys, options.onWorkspaceFree),
    ...(onAppended === undefined ? appending : notifying(appending, onAppended)),
  });
}

type Appending = Omit<
  JournalPort,
  | keyof ReturnType<typeof journalAttempts>
  | keyof ReturnType<typeof journalReads>
  | keyof ReturnType<typeof compactionReads>
  | keyof ReturnType<typeof workspaceLoans>
>;

type Append = (fence: { goalId: string }, ...rest: unknown[]) => Promise<unknown>;

function notifying(port: Appending, notify: (goalId: string) => void): Appending {
  const entries = Object.entries(port).map(([name, append]) => [
    name,
    async (...[fence, ...rest]: Parameters<Append>) => {
      const result = await (append as Append)(fence, ...rest);
      notify(fence.goalId);
      return result;
    },
  ]);
  return Object.fromEntries(entries) as Appending;
}
