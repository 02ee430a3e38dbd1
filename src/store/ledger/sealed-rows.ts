import type { Executor, Transaction } from '../client.ts';
import { adoptWritten } from './adopt-written.ts';
import { adoptBaselines, renewBaselines } from './baseline-seal.ts';
import type { CountedKind } from './counted-seal.ts';
import { adoptDelegates } from './delegate-seal.ts';
import { adoptDeliveries } from './delivery-seal.ts';
import { adoptFindings } from './finding-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { adoptOrders } from './order-seal.ts';
import { adoptPins } from './pin-seal.ts';
import { rights } from './rights-seal.ts';
import { adoptRules, renewRules } from './rule-seal.ts';
import { adoptStates } from './state-seal.ts';
import { adoptUsage } from './usage-seal.ts';
import { adoptWorkspaces, renewWorkspaces } from './workspace-seal.ts';

/** Rows whose seals are no goal's chain of seals. */
interface SealedKind {
  /** The number of {@link COVERED} from which on seals cover them. */
  readonly since: number;
  /** Takes in what was there before; `covered`: what seals covered until then. */
  readonly adopt: (tx: Transaction, keys: LedgerKeys, covered: number) => Promise<void>;
  /** Seals anew what a former key sealed; absent for what stands with its goal's ledger. */
  readonly renew?: (tx: Transaction, keys: LedgerKeys) => Promise<void>;
  readonly name: keyof Sealed;
}

/** One entry for each; a new one raises {@link COVERED}. */
export const SEALED_KINDS: readonly SealedKind[] = [
  { since: 3, ...rights.tokens, name: 'token' },
  { since: 3, ...rights.sessions, name: 'session' },
  {
    ...{ since: 4, adopt: adoptWorkspaces, renew: renewWorkspaces },
    name: 'workspace',
  },
  { since: 5, adopt: adoptUsage, name: 'usage' },
  { since: 5, adopt: adoptFindings, name: 'finding' },
  {
    ...{ since: 6, adopt: adoptBaselines, renew: renewBaselines },
    name: 'baseline',
  },
  { since: 6, adopt: adoptDelegates, name: 'delegate' },
  { since: 6, adopt: adoptDeliveries, name: 'delivery' },
  { since: 7, adopt: adoptRules, renew: renewRules, name: 'rule' },
  { since: 8, adopt: adoptWritten, name: 'written' },
  { since: 8, adopt: adoptOrders, name: 'written' },
  { since: 8, adopt: adoptPins, name: 'pin' },
  { since: 9, adopt: adoptStates, name: 'state' },
];

/** Whether one of them has a seal. */
type Sealed = Readonly<
  Record<'token' | 'session' | 'workspace' | 'written' | CountedKind, boolean>
>;

/** Whether one that is not covered yet has a seal. */
export async function hasSealedRowsBeyond(sql: Executor, covered: number): Promise<boolean> {
  const [sealed] = await sql<[Sealed]>`
    SELECT EXISTS (SELECT 1 FROM token WHERE seal IS NOT NULL) AS token,
      EXISTS (SELECT 1 FROM session WHERE seal IS NOT NULL) AS session,
      EXISTS (SELECT 1 FROM workspace_seal) AS workspace,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'usage') AS usage,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'finding') AS finding,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'baseline') AS baseline,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'delegate') AS delegate,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'delivery') AS delivery,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'rule') AS rule,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'pin') AS pin,
      EXISTS (SELECT 1 FROM row_seal WHERE kind = 'state') AS state,
      EXISTS (SELECT 1 FROM message WHERE seal IS NOT NULL) AS written`;
  return SEALED_KINDS.some(({ since, name }) => since > covered && sealed[name]);
}
