import type { Executor, Transaction } from '../client.ts';
import { adoptWritten } from './adopt-written.ts';
import { baselines } from './baseline-seal.ts';
import type { CountedKind } from './counted-seal.ts';
import { delegates } from './delegate-seal.ts';
import { deliveries } from './delivery-seal.ts';
import { elections } from './election-seal.ts';
import { findings } from './finding-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { adoptOrders } from './order-seal.ts';
import { pins } from './pin-seal.ts';
import { sessions, tokens } from './rights-seal.ts';
import { rules } from './rule-seal.ts';
import { schedules } from './schedule-seal.ts';
import { states } from './state-seal.ts';
import { triggers } from './trigger-seal.ts';
import { usages } from './usage-seal.ts';
import { workspaces } from './workspace-seal.ts';

/** Rows whose seals are no goal's chain of seals. */
interface SealedKind {
  /** The number of {@link COVERED} from which on seals cover them. */
  readonly since: number;
  /** Takes in what was there before; `covered`: what seals covered until then. */
  readonly adopt: (tx: Transaction, keys: LedgerKeys, covered: number) => Promise<void>;
  /** Seals anew what a former key sealed; absent for what stands with its goal's ledger. */
  readonly renew?: (tx: Transaction, keys: LedgerKeys) => Promise<void>;
}

interface CountedTable extends SealedKind {
  readonly kind: CountedKind;
}

export const COUNTED_TABLES: Readonly<Record<CountedKind, CountedTable>> = {
  ...{ usage: usages, finding: findings, baseline: baselines, delegate: delegates },
  ...{ delivery: deliveries, rule: rules, pin: pins, state: states, workspace: workspaces },
  ...{ schedule: schedules, trigger: triggers, session: sessions },
};

/** A new one raises {@link COVERED}. */
export const SEALED_KINDS: readonly SealedKind[] = [
  { since: 3, ...tokens },
  { since: 9, ...elections },
  { since: 8, adopt: adoptWritten },
  { since: 8, adopt: adoptOrders },
  ...Object.values(COUNTED_TABLES),
];

/** Whether one that is not covered yet has a seal. */
export async function hasSealedRowsBeyond(sql: Executor, covered: number): Promise<boolean> {
  // An empty list of kinds would be no SQL.
  const beyond = Object.values(COUNTED_TABLES).filter(({ since }) => since > covered);
  const kinds = ['', ...beyond.map(({ kind }) => kind)];
  const [{ some }] = await sql<[{ some: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM row_seal WHERE kind IN ${sql(kinds)})
      OR (${covered < 3} AND (EXISTS (SELECT 1 FROM token WHERE seal IS NOT NULL)
        OR EXISTS (SELECT 1 FROM session WHERE seal IS NOT NULL)))
      OR (${covered < 4} AND EXISTS (SELECT 1 FROM workspace_seal))
      OR (${covered < 9} AND EXISTS (SELECT 1 FROM election WHERE seal IS NOT NULL))
      OR (${covered < 8} AND EXISTS (SELECT 1 FROM message WHERE seal IS NOT NULL)) AS some`;
  return some;
}
