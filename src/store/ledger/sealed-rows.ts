import type { Executor, Transaction } from '../client.ts';
import { baselines } from './baseline-seal.ts';
import { adoptFindings } from './finding-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { rights } from './rights-seal.ts';
import { adoptUsage } from './usage-seal.ts';
import { adoptWorkspaces, renewWorkspaces } from './workspace-seal.ts';

/** Rows whose seals are no goal's chain of seals. */
interface SealedKind {
  /** The number of {@link COVERED} from which on seals cover them. */
  readonly since: number;
  /** Takes in what was there before. */
  readonly adopt: (tx: Transaction, keys: LedgerKeys) => Promise<void>;
  /** Seals anew what a former key sealed; absent for what stands with its goal's ledger. */
  readonly renew?: (tx: Transaction, keys: LedgerKeys) => Promise<void>;
  /** A condition: one of them has a seal. */
  readonly hasSeals: (sql: Executor) => ReturnType<typeof someSealed>;
}

const someSealed = (sql: Executor, table: string) => sql`
  EXISTS (SELECT 1 FROM ${sql(table)} WHERE seal IS NOT NULL)`;

const counted = (kind: string) => (sql: Executor) =>
  sql`
  EXISTS (SELECT 1 FROM row_seal WHERE kind = ${kind})`;

/** One entry for each; a new one raises {@link COVERED}. */
export const SEALED_KINDS: readonly SealedKind[] = [
  { since: 3, ...rights.tokens, hasSeals: (sql) => someSealed(sql, 'token') },
  { since: 3, ...rights.sessions, hasSeals: (sql) => someSealed(sql, 'session') },
  {
    ...{ since: 4, adopt: adoptWorkspaces, renew: renewWorkspaces },
    hasSeals: (sql) => someSealed(sql, 'workspace_seal'),
  },
  { since: 4, ...baselines, hasSeals: (sql) => someSealed(sql, 'criterion_baseline') },
  { since: 5, adopt: adoptUsage, hasSeals: counted('usage') },
  { since: 5, adopt: adoptFindings, hasSeals: counted('finding') },
];

/** Whether one that is not covered yet has a seal. */
export async function hasSealedRowsBeyond(sql: Executor, covered: number): Promise<boolean> {
  for (const { since, hasSeals } of SEALED_KINDS) {
    if (since <= covered) continue;
    const [{ some }] = await sql<[{ some: boolean }]>`SELECT ${hasSeals(sql)} AS some`;
    if (some) return true;
  }
  return false;
}
