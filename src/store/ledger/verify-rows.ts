import type { RowKind } from '../../../schema/ledger.ts';
import type { Transaction } from '../client.ts';
import { findForeignRow } from './altered-written.ts';
import { isBaselineIntact, readBaselines } from './baseline-seal.ts';
import { alteredDelegates, readDelegation } from './delegate-seal.ts';
import { isDeliveryIntact, readDeliveriesOf } from './delivery-seal.ts';
import { isFindingIntact, readFindings } from './finding-seal.ts';
import type { ChainBreak } from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { isStateIntact, readState } from './state-seal.ts';
import { isUsageIntact, readUsage } from './usage-seal.ts';
import { isWorkspaceIntact, type SealedWorkspace, sealedWorkspace } from './workspace-seal.ts';

/** A row that a goal works by or is judged by, with a seal in or beside it. */
interface SealedRow {
  readonly subject: string;
  readonly what: string;
  readonly isSealed: boolean;
  readonly isIntact: boolean;
}

type Read = (tx: Transaction, keys: LedgerKeys, goalId: string) => Promise<readonly SealedRow[]>;

/** What has no seal in the goal's chain of seals: each kind is one entry. */
const ROWS: Readonly<Record<RowKind, Read>> = {
  async state(tx, keys, goalId) {
    const state = await readState(tx, goalId);
    if (state === null) return [];
    const isIntact = isStateIntact(keys, state);
    return [
      { subject: '', what: 'where the goal stands', isSealed: state.sealed !== null, isIntact },
    ];
  },

  async usage(tx, keys, goalId) {
    const usage = await readUsage(tx, goalId);
    if (usage === null) return [];
    const what = 'what the goal used (tokens, cost, turns, steps, active time)';
    const isIntact = isUsageIntact(keys, usage);
    return [{ subject: '', what, isSealed: usage.sealed !== null, isIntact }];
  },

  async baseline(tx, keys, goalId) {
    return (await readBaselines(tx, goalId)).map((row) => ({
      subject: row.criterion_id,
      what: `what criterion ${row.criterion_id} told before the work`,
      isSealed: row.sealed !== null,
      isIntact: isBaselineIntact(keys, row),
    }));
  },

  async delegate(tx, keys, goalId) {
    const delegation = await readDelegation(tx, goalId);
    if (delegation === null) return [];
    const altered = new Set(alteredDelegates(keys, delegation));
    const known = delegation.delegates.map(({ delegate_id: subject, sealed }) => ({
      ...{ subject, what: `what was handed on as ${subject} (its share, its place in the chain)` },
      ...{ isSealed: sealed !== null, isIntact: !altered.has(subject) },
    }));
    const gone = delegation.line.filter((one) => altered.has(one));
    return [
      ...known,
      ...gone.map((subject) => ({
        ...{ subject, what: `the delegate whose goal ${subject} is`, isSealed: true },
        isIntact: false,
      })),
    ];
  },

  async delivery(tx, keys, goalId) {
    return (await readDeliveriesOf(tx, goalId)).map((row) => ({
      ...{ subject: row.delivery_id, what: `what a trigger brought as ${row.delivery_id}` },
      ...{ isSealed: row.sealed !== null, isIntact: isDeliveryIntact(keys, row) },
    }));
  },

  async finding(tx, keys, goalId) {
    return (await readFindings(tx, goalId)).map((row) => ({
      subject: String(row.turn),
      what: `what the gate of turn ${row.turn} found`,
      isSealed: row.sealed !== null,
      isIntact: isFindingIntact(keys, row),
    }));
  },

  async written(tx, keys, goalId) {
    const foreign = await findForeignRow(tx, keys, goalId);
    if (foreign === null) return [];
    const { table, name, isSealed } = foreign;
    const what = `${name} of ${table}, which is written once,`;
    return [{ subject: `${table} ${name}`, what, isSealed, isIntact: false }];
  },

  async workspace(tx, keys, goalId) {
    return (await readWorkspaces(tx, goalId)).map((row) => ({
      subject: row.name,
      what: `where the workspace ${row.name} lies, and whose it is,`,
      isSealed: row.sealed !== null,
      isIntact: isWorkspaceIntact(keys, row),
    }));
  },
};

/** The goal's workspace, and of a worktree the one that it was made from. */
async function readWorkspaces(tx: Transaction, goalId: string): Promise<SealedWorkspace[]> {
  const rows = await tx<{ workspace: SealedWorkspace }[]>`
    SELECT ${sealedWorkspace(tx)} AS workspace FROM goal g
    JOIN workspace w ON w.name = g.workspace_name
    JOIN workspace p ON p.name IN (w.name, w.origin)
    WHERE g.goal_id = ${goalId} ORDER BY p.name`;
  return rows.map(({ workspace }) => workspace);
}

/** @param at the ledger's last row */
export async function findRowFault(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  at: number,
): Promise<ChainBreak | null> {
  if (keys.sealing === null) return null;
  for (const [kind, read] of Object.entries(ROWS) as [RowKind, Read][]) {
    const broken = (await read(tx, keys, goalId)).find(({ isIntact }) => !isIntact);
    if (broken === undefined) continue;
    const { subject, what, isSealed } = broken;
    const mend = kind === 'workspace' ? ': register its folder again' : '';
    const [fault, why] = isSealed
      ? (['edited', 'is not what was sealed last'] as const)
      : (['unsealed', 'has no seal'] as const);
    return { at, fault, problem: `${what} ${why}${mend}`, record: { kind, subject } };
  }
  return null;
}
