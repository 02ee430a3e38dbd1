import type { Transaction } from '../client.ts';
import type { OuterRow } from '../row.ts';
import type { ChainBreak, ChainHead } from './ledger-chain.ts';
import { keyIdOf, type LedgerKeys } from './ledger-keys.ts';
import { readSealedContents } from './sealed-contents.ts';
import {
  byAnyKey,
  endSeal,
  findSealBreak,
  firstEnd,
  ledgerSeal,
  type SealEnd,
  type Sealed,
  type SealRow,
} from './seals.ts';

/** A trigger holds it too. */
export const ORDERS_KEPT_DAYS = 30;
const ORDERS_KEPT_MS = ORDERS_KEPT_DAYS * 86_400_000;

type Ends = OuterRow<'journal', 'ledger_seal' | 'seals' | 'seal_head' | 'seal_end'>;

/** What a goal says of its seals: its journal's row and all seals in their order. */
export interface SealState {
  readonly goalId: string;
  /** null = there is no such goal. */
  readonly ends: Ends | null;
  readonly rows: readonly SealRow[];
}

export async function readSeals(tx: Transaction, goalId: string): Promise<SealState> {
  const [ends] = await tx<Ends[]>`
    SELECT ledger_seal, seals, seal_head, seal_end FROM journal WHERE goal_id = ${goalId}`;
  const rows = await tx<SealRow[]>`
    SELECT goal_id, number, kind, subject, digest, ledger_seq, ledger_head, at, previous, hash
    FROM seal WHERE goal_id = ${goalId} ORDER BY number`;
  return { goalId, ends: ends ?? null, rows };
}

/** The first row of the ledger that has to be sealed; null = none has to, because no key is set. */
export function firstSealedRow({ rows }: SealState, keys: LedgerKeys): number | null {
  if (keys.sealing === null) return null;
  const [first] = rows;
  return first?.kind === 'start' ? first.ledger_seq + 1 : 1;
}

/** Records that stood there when seals began to cover them. */
export function countAdopted({ rows }: SealState): number {
  const begun = new Set(rows.flatMap(({ kind, at }) => (kind === 'start' ? [at] : [])));
  return rows.filter(({ kind, at }) => kind !== 'start' && begun.has(at)).length;
}

/** Faults of the seals themselves, of the ledger's sealed end, and of what the seals say of rows. */
export async function findSealFault(
  tx: Transaction,
  state: SealState,
  { seq, hash }: ChainHead,
  keys: LedgerKeys,
): Promise<ChainBreak | null> {
  const { goalId, ends, rows } = state;
  if (keys.sealing === null || (ends === null && seq === 0 && rows.length === 0)) return null;
  if (ends === null || (ends.ledger_seal === null && ends.seal_end === null))
    return fault(seq, 'unsealed', 'nothing of this goal is sealed');
  const isKnown = (seal: string | null) => keys.find(keyIdOf(seal ?? '') ?? '') !== undefined;
  if (!isKnown(ends.ledger_seal)) return endFault(seq, ends.ledger_seal, 'the end of the ledger');
  const isLedgers = byAnyKey(keys, (key) => ledgerSeal(key, goalId, { seq, hash }));
  if (!isLedgers.includes(ends.ledger_seal ?? '')) {
    const cut = `the ledger's length and head (row ${seq}) are not what was sealed last`;
    return fault(seq, 'missing', `${cut}: it was cut off, or its end was replaced`);
  }
  return findRowFault(rows, { goalId, ends }, keys) ?? (await findPlaceFault(tx, state));
}

function findRowFault(
  rows: readonly SealRow[],
  { goalId, ends }: { readonly goalId: string; readonly ends: Ends },
  keys: LedgerKeys,
): ChainBreak | null {
  const broken = findSealBreak(goalId, rows, keys);
  if (broken !== null) {
    const { number, why } = broken;
    const what = why === 'key' ? 'was made with a key that is not set' : `is ${why}`;
    const at = rows[number - 1]?.ledger_seq ?? 0;
    return fault(at, why, `seal ${number} ${what}`, { kind: 'seal', subject: String(number) });
  }
  const last = rows.at(-1);
  const end: SealEnd = last ?? firstEnd(goalId);
  const at = last?.ledger_seq ?? 0;
  if (ends.seal_end === null) return endFault(at, null, 'the end of the seals');
  if ((ends.seals ?? 0) > end.number) {
    const subject = String(end.number + 1);
    const problem = `the seals were cut off: seal ${subject} is missing`;
    return fault(at, 'missing', problem, { kind: 'seal', subject });
  }
  const isEnd = byAnyKey(keys, (key) => endSeal(key, goalId, end)).includes(ends.seal_end);
  if (isEnd && ends.seals === end.number && ends.seal_head === end.hash) return null;
  if (keys.find(keyIdOf(ends.seal_end) ?? '') === undefined)
    return endFault(at, ends.seal_end, 'the end of the seals');
  const problem = `the number of seals (${end.number}) and the last one are not what was sealed last`;
  return fault(at, 'missing', `${problem}: they were cut off, or their end was replaced`);
}

/** Each seal saw a row of the ledger: the very row has to be there. */
async function findPlaceFault(tx: Transaction, { goalId }: SealState): Promise<ChainBreak | null> {
  const [lost] = await tx<{ number: number; seq: number }[]>`
    SELECT s.number, s.ledger_seq AS seq FROM seal s
    LEFT JOIN ledger l ON l.goal_id = s.goal_id AND l.seq = s.ledger_seq
    WHERE s.goal_id = ${goalId} AND s.ledger_seq > 0 AND l.hash IS DISTINCT FROM s.ledger_head
    ORDER BY s.number LIMIT 1`;
  if (lost === undefined) return null;
  const { number, seq } = lost;
  return fault(seq, 'edited', `row ${seq} is not the one that seal ${number} saw`);
}

/** Compares each record that decides with its seal. */
export async function findContentFault(
  tx: Transaction,
  { goalId, rows }: SealState,
  keys: LedgerKeys,
): Promise<ChainBreak | null> {
  if (keys.sealing === null) return null;
  // Of a record that changes by decisions, such as the terms, the last seal counts.
  const sealed = new Map(rows.map((row) => [nameOf(row), row]));
  sealed.delete(nameOf({ kind: 'start', subject: '' }));
  for (const content of await readSealedContents(tx, goalId)) {
    const { kind, subject } = content;
    const seal = sealed.get(nameOf(content));
    sealed.delete(nameOf(content));
    const record = { kind, subject };
    if (seal === undefined) {
      return fault(
        rows.at(-1)?.ledger_seq ?? 0,
        'unsealed',
        `${wordOf(content)} has no seal`,
        record,
      );
    }
    if (seal.digest !== content.digest)
      return fault(seal.ledger_seq, 'edited', `${wordOf(content)} was edited`, record);
  }
  const [gone] = [...sealed.values()].filter((seal) => !mayBeGone(seal, Date.now()));
  if (gone === undefined) return null;
  const { kind, subject } = gone;
  return fault(gone.ledger_seq, 'missing', `${wordOf(gone)} is gone`, { kind, subject });
}

/** Orders that were taken are deleted later on; what they changed has seals of its own. */
const mayBeGone = ({ kind, at }: SealRow, now: number): boolean =>
  kind === 'order' && now - Date.parse(at) > ORDERS_KEPT_MS;

const nameOf = ({ kind, subject }: Pick<Sealed, 'kind' | 'subject'>): string =>
  `${kind} ${subject}`;

function wordOf({ kind, subject }: Pick<Sealed, 'kind' | 'subject'>): string {
  if (kind === 'decision') return `the decision of turn ${subject}`;
  if (kind === 'requirements') return `version ${subject} of the requirements`;
  if (kind === 'terms') return 'what the goal was asked for (objective, criteria, budget, policy)';
  if (kind === 'ground')
    return 'what the goal is judged by and how it runs (baseline, counters, isolation, webhooks)';
  return kind === 'completion' ? 'the completion' : `the ${kind} ${subject}`;
}

function endFault(at: number, seal: string | null, what: string): ChainBreak {
  const keyId = keyIdOf(seal ?? '');
  return keyId === null
    ? fault(at, 'unsealed', `${what} is not sealed`)
    : fault(at, 'key', `${what} is sealed with the key ${keyId}, which is not set`);
}

const fault = (
  at: number,
  kind: ChainBreak['fault'],
  problem: string,
  record?: ChainBreak['record'],
): ChainBreak => ({ at, fault: kind, problem, ...(record === undefined ? {} : { record }) });
