import type { Transaction } from '../client.ts';
import type { DB } from '../generated/tables.ts';
import { canonicalStorable } from '../json.ts';
import {
  type Counted,
  type CountedKind,
  type CountedSeal,
  isCountedIntact,
  type NewestSeal,
  nextSeal,
} from './counted-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';

/**
 * How a column is sealed: as it stands, as milliseconds or as ISO text where it is a time, or by the
 * name that each seal bears (`key`). All others are free, and why.
 */
export type SealedAs = 'sealed' | 'ms' | 'iso' | 'key' | { readonly free: string };

/** Each column of a table. A new one is a type error until it is here. */
export type Columns<Table extends keyof DB> = Readonly<Record<keyof DB[Table], SealedAs>>;

/** Columns that are sealed as they stand. */
export const sealedAs = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'sealed'])) as Readonly<Record<Name, 'sealed'>>;

export const isFree = (as: SealedAs): boolean => typeof as === 'object';

/** What a row's seal covers by its columns, in any spelling of times. */
export const contentBy =
  <Table extends keyof DB>(columns: Columns<Table>) =>
  (row: object): Readonly<Record<string, unknown>> => {
    const stored = row as Readonly<Record<string, unknown>>;
    const sealed = Object.entries<SealedAs>(columns).filter(
      ([, as]) => as !== 'key' && typeof as === 'string',
    );
    return Object.fromEntries(
      sealed.map(([name, as]) => [name, valueAs(as, stored[name] ?? null)]),
    );
  };

function valueAs(as: SealedAs, value: unknown): unknown {
  if (as === 'sealed' || typeof value !== 'string') return value;
  const at = new Date(value);
  // A time that is none stands as it is, and so never for another one.
  if (Number.isNaN(at.getTime())) return value;
  return as === 'ms' ? at.getTime() : at.toISOString();
}

/** What a table, or a part of one, is sealed by; everything else follows from it. */
interface Description<Stored> {
  readonly kind: CountedKind;
  /** The number from which on seals cover it. */
  readonly since: number;
  /** Names a row among those of its kind. */
  readonly subject: (row: Stored) => string;
  readonly content: (row: Stored) => unknown;
  /** All rows that there are. */
  readonly read: (tx: Transaction) => PromiseLike<readonly Stored[]>;
  /** What is over with its goal keeps the seals of former keys. */
  readonly isKept?: true;
  /** The subjects of rows from before, where some of them bore other seals; absent = all are. */
  readonly held?: (
    tx: Transaction,
    keys: LedgerKeys,
    covered: number,
  ) => PromiseLike<ReadonlySet<string> | 'all'>;
}

/** Rows that a statement gives as one JSON object each. */
export const rowsOf = async <Stored>(
  found: PromiseLike<readonly { readonly row: Stored }[]>,
): Promise<Stored[]> => (await found).map(({ row }) => row);

const AT_ONCE = 1000;

type Newest = NonNullable<NewestSeal> & { readonly subject: string };

/** Comparing, sealing, adopting and renewing the rows of a description. */
export function countedTable<Stored extends { readonly sealed: NewestSeal }>({
  kind,
  since,
  subject,
  content,
  read,
  isKept,
  held = async () => 'all',
}: Description<Stored>) {
  const counted = (row: Stored): Counted => ({
    ...{ kind, subject: subject(row), content: content(row), sealed: row.sealed },
  });
  const isIntact = (keys: LedgerKeys, row: Stored): boolean => isCountedIntact(keys, counted(row));
  const next = (keys: LedgerKeys, row: Stored): CountedSeal | null => nextSeal(keys, counted(row));

  async function seal(tx: Transaction, keys: LedgerKeys, rows: readonly Stored[]): Promise<void> {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const seals = rows.slice(at, at + AT_ONCE).flatMap((row) => next(keys, row) ?? []);
      if (seals.length > 0) await tx`INSERT INTO row_seal ${tx(seals)}`;
    }
  }

  return {
    kind,
    since,
    isIntact,
    next,
    /** Seals rows as they stand. */
    seal,

    /** Seals what `change` makes of rows, unless somebody else had changed them before. */
    async changing<Result>(
      tx: Transaction,
      keys: LedgerKeys,
      look: () => PromiseLike<readonly Stored[]>,
      change: () => PromiseLike<Result>,
    ): Promise<Result> {
      if (keys.sealing === null) return await change();
      const before = new Map((await look()).map((row) => [subject(row), row]));
      const result = await change();
      const changed = (await look()).filter((row) => {
        const former = before.get(subject(row));
        return former !== undefined && isIntact(keys, former) && isOther(former, row);
      });
      await seal(tx, keys, changed);
      return result;
    },

    /** These rows are gone: none of them counts if it comes back. */
    async sealGone(tx: Transaction, keys: LedgerKeys, subjects: readonly string[]): Promise<void> {
      if (keys.sealing === null || subjects.length === 0) return;
      const newest = await tx<Newest[]>`
        SELECT DISTINCT ON (subject) subject, number, seal FROM row_seal
        WHERE kind = ${kind} AND subject IN ${tx([...subjects])} ORDER BY subject, number DESC`;
      const gone = newest
        .map((one) => sealedAgain(one, null))
        .flatMap((row) => (isCountedIntact(keys, row) ? [] : (nextSeal(keys, row) ?? [])));
      if (gone.length > 0) await tx`INSERT INTO row_seal ${tx(gone)}`;
    },

    /** Takes in what was there before seals covered it; later on, what has none is nothing. */
    async adopt(tx: Transaction, keys: LedgerKeys, covered: number): Promise<void> {
      const from = await held(tx, keys, covered);
      const rows = (await read(tx)).filter(({ sealed }) => sealed === null);
      await seal(tx, keys, from === 'all' ? rows : rows.filter((row) => from.has(subject(row))));
    },

    /** Seals by the first key what a former one sealed, so that the former one may go. */
    async renew(tx: Transaction, keys: LedgerKeys): Promise<void> {
      if (isKept === true) return;
      const due = await tx<Newest[]>`
        SELECT subject, number, seal FROM (
          SELECT DISTINCT ON (subject) subject, number, seal FROM row_seal
          WHERE kind = ${kind} ORDER BY subject, number DESC) newest
        WHERE NOT starts_with(seal, ${`${keys.sealing?.keyId}.`})`;
      if (due.length === 0) return;
      const rows = new Map((await read(tx)).map((row) => [subject(row), content(row)]));
      const renewed = due
        .map((one) => sealedAgain(one, rows.get(one.subject) ?? null))
        .flatMap((row) => (isCountedIntact(keys, row) ? (nextSeal(keys, row) ?? []) : []));
      // Who changes one meanwhile seals it anew.
      for (let at = 0; at < renewed.length; at += AT_ONCE)
        await tx`
          INSERT INTO row_seal ${tx(renewed.slice(at, at + AT_ONCE))} ON CONFLICT DO NOTHING`;
    },
  };

  function sealedAgain({ subject: name, ...sealed }: Newest, stands: unknown): Counted {
    return { kind, subject: name, content: stands, sealed };
  }

  function isOther(former: Stored, row: Stored): boolean {
    return canonicalStorable(content(former)) !== canonicalStorable(content(row));
  }
}
