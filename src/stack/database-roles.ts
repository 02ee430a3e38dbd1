import type { Sql, TransactionSql } from 'postgres';
import { hostsOf } from '../store/database-url.ts';
import type { DB } from '../store/generated/tables.ts';
import { databaseFailure, MigrationError } from './migration-error.ts';
import { withConnection } from './one-connection.ts';

/**
 * What the writer may do with a table beside reading it and adding rows: these columns change. A table
 * that is only read is written by functions of the owner.
 */
type Rights =
  | 'read'
  | 'added'
  | 'changed'
  | 'removed'
  | 'pruned'
  | readonly string[]
  | { readonly pruned: readonly string[] };

/** A table that is not named here is a type error: a new one gets its rights with its name. */
const RIGHTS: Record<keyof DB, Rights> = {
  anchor: 'added',
  anchor_delivery: 'removed',
  anchor_leaf: 'added',
  approval: ['state', 'decided_by', 'note', 'accepted', 'decided_at', 'seal'],
  attachment: 'pruned',
  attachment_content: 'pruned',
  attempt: 'changed',
  call_stop: 'added',
  check_order: 'removed',
  check_run: 'removed',
  checkpoint: [
    ...['commit_hash', 'write_seq', 'todo_revision', 'changed', 'left_out', 'unread'],
    ...['created_at', 'seal'],
  ],
  commit: 'added',
  // A seal is added once to what was there before rows bore one.
  compaction: ['seal'],
  criterion_baseline: ['body'],
  decision: 'added',
  // Whose it is, and what was asked for, stays: no goal loses one.
  delegate: [
    ...['state', 'wanted', 'is_held_by_parent', 'child_goal_id', 'hop', 'is_in_chain'],
    ...['starts_at', 'reserved', 'outcome', 'started_at', 'ended_at'],
  ],
  delivery: 'removed',
  dispute: 'removed',
  election: 'changed',
  event: 'added',
  following_goals: 'removed',
  // Who began it, where and under which goal stays: it decides who sees and steers it.
  goal: [
    ...[
      'status',
      'snapshot',
      'counters',
      'pause',
      'activity',
      'completion',
      'criteria',
      'baseline',
    ],
    ...['criteria_revision', 'detects_criteria', 'objective', 'mode', 'model', 'fallback_model'],
    ...['budget', 'policy', 'tool_rules', 'notify', 'priority', 'revision', 'epoch', 'run_id'],
    ...['archived_at', 'updated_at'],
  ],
  goal_attachment: ['seal'],
  goal_order: { pruned: ['sha256'] },
  inbound_trigger: 'removed',
  inbox: ['taken_by_turn', 'taken_back_by', 'taken_back_at', 'seal'],
  installation: 'added',
  journal: 'changed',
  kept_spend: 'read',
  ledger: 'added',
  message: ['seal'],
  notification: 'removed',
  output_chunk: 'added',
  plan: ['seal'],
  proof_finding: ['changes', 'proof', 'base', 'at'],
  question: ['answer', 'answered_by', 'answered_at', 'seal'],
  removed_goal: 'read',
  request: 'removed',
  requirement_list: ['seal'],
  rewind: ['state', 'write_seq', 'result', 'ended_at', 'seal'],
  row_seal: 'added',
  run: 'added',
  schedule: [
    ...['name', 'workspace', 'owner', 'owner_role', 'sees_own', 'cadence', 'overlap'],
    ...['catch_up', 'catch_up_seconds', 'action'],
    ...['cursor_at', 'next_due_at', 'paused_at', 'paused_by', 'pause_reason'],
    ...['deleted_at', 'deleted_by', 'seal', 'revision', 'told_revision'],
  ],
  pool: 'removed',
  stuck_run: 'removed',
  schedule_run: ['state', 'reason', 'goal_id', 'message_id', 'settled_at', 'seal'],
  seal: 'added',
  sealed_criterion: ['content'],
  sealed_run: 'added',
  sealing: 'added',
  security_head: ['number', 'hash', 'seal'],
  security_log: 'added',
  sent_prompt: 'added',
  session: 'removed',
  session_report: ['turn'],
  spend_window: 'read',
  step: 'changed',
  stored_rule: ['revoked_at', 'revoked_by'],
  todo_list: ['seal'],
  token: ['last_used_at', 'revoked_at', 'revoked_by', 'seal'],
  tool_pin: 'removed',
  trigger_delivery: 'removed',
  turn: 'changed',
  worker: 'removed',
  // Whose it is, and which one a worktree was made from, decides who sees its goals: both stay.
  workspace: [
    ...['path', 'host', 'branch', 'is_repository', 'worktree_problem', 'result', 'write_seq'],
    ...['lease_goal_id', 'lease_check_id', 'lease_epoch', 'leased_at'],
  ],
  workspace_queue: 'removed',
  workspace_seal: 'added',
};

/** Tables that functions of the owner write. */
export const ONLY_READ: readonly string[] = Object.entries(RIGHTS).flatMap(([table, rights]) =>
  rights === 'read' ? [table] : [],
);

/** URLs of the same database; `reader` null = the writer reads too. */
export interface DatabaseUsers {
  readonly owner: string;
  readonly writer: string;
  readonly reader: string | null;
}

/**
 * Gives the users of the service what they need in a migrated database, and nothing else. Users
 * that are missing are made where the owner may.
 * @throws MigrationError with the SQL to paste where it may not
 */
export async function grantRoles(users: DatabaseUsers): Promise<void> {
  const { owner, writer, reader } = users;
  try {
    await withConnection(owner, (sql) =>
      sql.begin(async (tx) => {
        await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
        await grant(tx, writer, writersGrants);
        if (reader !== null) await grant(tx, reader, readersGrants);
      }),
    );
  } catch (error) {
    throw databaseFailure(owner, error);
  }
}

const LOCK = 7420_0002;

type Grants = (schema: string, role: string) => string[];

/** Of the owner, and the writer's to call. */
const FUNCTIONS = [
  'prune_events(TEXT, INTEGER, INTEGER)',
  'remove_goal(TEXT, INTEGER, INTEGER, INTEGER, INTEGER, INTEGER)',
  'open_spend_window(TEXT, TEXT, TIMESTAMPTZ, TIMESTAMPTZ)',
];

const writersGrants: Grants = (schema, role) => [
  `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
  `GRANT SELECT ON ${schema}._prisma_migrations TO ${role}`,
  ...Object.entries(RIGHTS).map(
    ([table, rights]) => `GRANT ${writesOf(rights)} ON ${schema}."${table}" TO ${role}`,
  ),
  ...FUNCTIONS.map((name) => `GRANT EXECUTE ON FUNCTION ${schema}.${name} TO ${role}`),
];

const readersGrants: Grants = (schema, role) => [
  `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
];

function writesOf(rights: Rights): string {
  if (rights === 'read') return 'SELECT';
  if (rights === 'added') return 'SELECT, INSERT';
  if (rights === 'changed') return 'SELECT, INSERT, UPDATE';
  if (rights === 'pruned') return 'SELECT, INSERT, DELETE';
  if (rights === 'removed') return 'SELECT, INSERT, UPDATE, DELETE';
  if ('pruned' in rights) return `SELECT, INSERT, DELETE, UPDATE (${rights.pruned.join(', ')})`;
  return `SELECT, INSERT, UPDATE (${rights.join(', ')})`;
}

interface User {
  readonly role: string;
  readonly schema: string;
  readonly isOwner: boolean;
  readonly exists: boolean;
  readonly isMighty: boolean;
  readonly mayMake: boolean;
  readonly create: string;
}

async function grant(tx: TransactionSql, url: string, grants: Grants): Promise<void> {
  const { username, password } = new URL(hostsOf(url)?.[0].url ?? url);
  const user = await lookAt(tx, decodeURIComponent(username), decodeURIComponent(password));
  const { role, schema, isOwner, exists, isMighty, mayMake, create } = user;
  if (isOwner || isMighty) {
    throw new MigrationError(
      `The user ${role} is ${isOwner ? 'the owner of the tables' : 'a superuser'}: name another ` +
        'one in DATABASE_URL and READER_DATABASE_URL, or leave OWNER_DATABASE_URL out.',
    );
  }
  if (!exists && !mayMake) {
    throw new MigrationError(
      `The user ${role} is missing, and the owner may not make users. Let an administrator run: ` +
        `CREATE ROLE ${role} LOGIN PASSWORD '…';`,
    );
  }
  if (!exists) await tx.unsafe(create);
  const statements = [
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${role}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${role}`,
    `REVOKE CREATE ON SCHEMA ${schema} FROM ${role}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    ...grants(schema, role),
  ];
  await tx.unsafe(statements.join(';\n'));
}

async function lookAt(tx: TransactionSql, name: string, password: string): Promise<User> {
  const [user] = await tx<[User]>`
    SELECT quote_ident(${name}) AS role, quote_ident(current_schema()) AS schema,
      ${name} = current_user AS "isOwner", r.rolname IS NOT NULL AS "exists",
      coalesce(r.rolsuper, false) AS "isMighty", (me.rolsuper OR me.rolcreaterole) AS "mayMake",
      format('CREATE ROLE %I LOGIN NOCREATEDB NOCREATEROLE PASSWORD %L', ${name}::text,
        ${password}::text) AS create
    FROM pg_roles me LEFT JOIN pg_roles r ON r.rolname = ${name} WHERE me.rolname = current_user`;
  return user;
}

/** In a cluster of Goalkeeper's own: a password that the home lost is set anew. */
export async function setPasswords(
  sql: Sql,
  { writer, reader }: Pick<DatabaseUsers, 'writer' | 'reader'>,
): Promise<void> {
  for (const url of [writer, ...(reader === null ? [] : [reader])]) {
    const { username, password } = new URL(hostsOf(url)?.[0].url ?? url);
    const [found] = await sql<[{ exists: boolean; change: string }]>`
      SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${username}) AS "exists",
        format('ALTER ROLE %I PASSWORD %L', ${username}::text, ${password}::text) AS change`;
    if (found.exists) await sql.unsafe(found.change);
  }
}
