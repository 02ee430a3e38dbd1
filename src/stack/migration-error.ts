import { hostsOf, placesIn } from '../store/database-url.ts';
import postgres from '../store/generated/driver/index.js';
import { answerCode } from './one-connection.ts';

/**
 * `pending`: migrations are missing. `newer`: a later version was here. `unfinished`: another tool
 * left one half done. `away`: nothing answers. `refused`: this user or database is missing, or may
 * not do enough; `goalkeeper migrate` may be about to mend it. `other`: only a person can.
 */
export type SchemaProblem = 'pending' | 'newer' | 'unfinished' | 'away' | 'refused' | 'other';

/** The database can't be brought to this version's schema; the message says what to do. */
export class MigrationError extends Error {
  readonly problem: SchemaProblem;

  constructor(detail: string, options: ErrorOptions & { problem?: SchemaProblem } = {}) {
    super(detail, options);
    this.name = 'MigrationError';
    this.problem = options.problem ?? 'other';
  }
}

/** Ways out by what the server answers, as its codes begin. */
const WAYS: readonly (readonly [code: string, way: string])[] = [
  ['28', 'Correct the user and password in DATABASE_URL.'],
  ['3D000', 'Create it, or correct its name in DATABASE_URL.'],
  ['42501', 'Use a user that owns the database, or grant it what it lacks.'],
  ['42704', 'Leave out of DATABASE_URL what PostgreSQL has no setting for.'],
  ['53300', 'Raise the limit of connections, or end some.'],
  ['55000', 'Let the server take connections to it.'],
  ['57014', 'Take statement_timeout off the user or database: a migration may take longer.'],
  ['57P03', 'Wait until the server has started.'],
];

/** Says of any failure which database it is about, in the server's own words, and the way out. */
export function databaseFailure(url: string, error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = answerCode(error);
  const found = WAYS.find(([begins]) => code?.startsWith(begins) === true);
  const way = found?.[1] ?? (code === null ? 'Is it running, and is DATABASE_URL right?' : '');
  const problem = isAway(error) ? 'away' : isRefused(code) ? 'refused' : 'other';
  return new MigrationError(`${databaseName(url)} can't be used: ${said}. ${way}`.trim(), {
    cause: error,
    problem,
  });
}

/** Without the password. */
function databaseName(url: string): string {
  const { pathname } = new URL(hostsOf(url)?.[0].url ?? url);
  const name = decodeURIComponent(pathname.slice(1));
  return `The database ${name === '' ? '' : `${name} `}at ${placesIn(url)}`;
}

/** @throws MigrationError */
export function assertPostgresUrl(url: string): void {
  if (hostsOf(url) !== null) return;
  throw new MigrationError(
    'DATABASE_URL is not the URL of a PostgreSQL database, such as postgresql://user@host/name.',
  );
}

/** By the server, whose users, databases and grants may be about to be made. */
const isRefused = (code: string | null): boolean => /^(28|3D000|42501)/.test(code ?? '');

/** Did the server refuse for now only, or not answer at all? */
const isAway = (error: unknown): boolean =>
  !(error instanceof postgres.PostgresError) || /^(08|53|57P)/.test(error.code);
