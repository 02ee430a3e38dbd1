import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type ts from 'typescript';
import { startPostgres } from '../../src/stack/postgres.ts';
import { type Database, openDatabase } from '../../src/store/client.ts';
import { initialScript, openSchemaEngine } from '../schema-engine.ts';
import { type Choices, findTemplates, type Template, Unreadable, type Way } from './expand.ts';
import { type Problem, placeOf, programOf } from './program.ts';
import { rowProblems } from './rows.ts';

export interface Checked {
  readonly statements: number;
  readonly problems: readonly Problem[];
}

const STATEMENT = /^(\s|\/\*\w+\*\/)*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/;
/** Functions that statements call: schema.prisma has tables alone. */
const OF_MIGRATIONS = `
  CREATE FUNCTION prune_events(of_goal TEXT, keep_days INTEGER, most INTEGER) RETURNS INTEGER
    LANGUAGE sql AS 'SELECT 0';
  CREATE FUNCTION why_goal_stays(of_goal TEXT, keep_days INTEGER) RETURNS TEXT
    LANGUAGE sql AS 'SELECT NULL';
  CREATE FUNCTION goal_stands_since(of_goal TEXT) RETURNS TIMESTAMPTZ
    LANGUAGE sql AS 'SELECT now()';
  CREATE FUNCTION remove_goal(of_goal TEXT, keep_days INTEGER, at_revision INTEGER,
    at_ledger INTEGER, at_event INTEGER, at_seal INTEGER) RETURNS TEXT
    LANGUAGE sql AS 'SELECT NULL';
  CREATE FUNCTION open_spend_window(of_scope TEXT, of_subject TEXT, from_at TIMESTAMPTZ,
    to_at TIMESTAMPTZ) RETURNS VOID LANGUAGE sql AS ''`;
/** Ways through the conditions of one statement. */
const MOST_WAYS = 3000;

/**
 * PostgreSQL itself parses and types every SQL statement of the store below `root`, in an empty
 * database with the schema of schema.prisma, and what it says of the columns of a result is
 * compared with the type of its rows.
 */
export async function checkStatements(root: string): Promise<Checked> {
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-statements-'));
  const server = await startPostgres({ home, port: 0, connections: 10 });
  const sql = openDatabase(server.url, { connections: 1 });
  try {
    const schema = readFileSync(join(root, 'schema/schema.prisma'), 'utf8');
    await sql.unsafe(await initialScript(await openSchemaEngine(server.url, schema), schema));
    await sql.unsafe(OF_MIGRATIONS);
    return await checkProgram(root, sql);
  } finally {
    await sql.end({ timeout: 5 });
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function checkProgram(root: string, sql: Database): Promise<Checked> {
  const program = programOf(root);
  const checker = program.getTypeChecker();
  // The migrations' own table is no part of the schema.
  const isOurs = ({ fileName }: ts.SourceFile) =>
    /\/src\/(?!store\/generated\/|stack\/)/.test(fileName.slice(root.length - 1));
  const templates = findTemplates(program.getSourceFiles().filter(isOurs), checker);
  const read = new Set<ts.Node>();
  const found: { readonly template: Template; readonly faults: readonly Fault[] }[] = [];
  const usedByOthers = new Set<ts.Node>();
  for (const template of templates.filter(({ isInner }) => !isInner)) {
    const outcome = await checkTemplate(template, sql, checker);
    if (outcome === null) continue;
    found.push({ template, faults: outcome.faults });
    for (const part of outcome.parts) {
      read.add(part);
      if (part !== template.node) usedByOthers.add(part);
    }
  }
  // What is a piece of others is read where they use it.
  const whole = found.filter(({ template }) => !usedByOthers.has(template.node));
  const problems = whole
    .flatMap(({ faults }) => faults)
    .map(({ node, message }) => ({ place: placeOf(node, root), message }))
    .filter(isFirst);
  const unread = templates
    .filter(({ node }) => !read.has(node))
    .map(({ node }) => ({ place: placeOf(node, root), message: 'no statement uses this SQL' }));
  return { statements: whole.length, problems: [...problems, ...unread] };
}

const isFirst = (one: Problem, index: number, all: readonly Problem[]): boolean =>
  all.findIndex(({ place, message }) => place === one.place && message === one.message) === index;

interface Fault {
  readonly node: ts.Node;
  readonly message: string;
}

interface Outcome {
  readonly faults: readonly Fault[];
  readonly parts: ReadonlySet<ts.Node>;
}

/** @returns null for what is no statement by itself */
async function checkTemplate(
  template: Template,
  sql: Database,
  checker: ts.TypeChecker,
): Promise<Outcome | null> {
  const search = new Search();
  const parts = new Set<ts.Node>();
  for (let choices = search.next(); choices !== null; choices = search.next()) {
    const way = writeOrNull(template, choices);
    if (way === null) {
      return { faults: [{ node: template.node, message: "its text can't be told" }], parts };
    }
    if (!STATEMENT.test(way.text)) return null;
    for (const part of way.parts) parts.add(part);
    search.tell(choices, way, await faultsOf(template, way, sql, checker));
  }
  return { faults: search.faults(template.node), parts };
}

function writeOrNull(template: Template, choices: Choices): Way | null {
  try {
    return template.write(choices);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

async function faultsOf(
  { node, row }: Template,
  { text, partAt }: Way,
  sql: Database,
  checker: ts.TypeChecker,
): Promise<Fault[]> {
  try {
    const { columns } = await sql.unsafe(text).describe();
    const messages = row === null ? [] : rowProblems(row, columns ?? [], checker);
    return messages.map((message) => ({ node, message }));
  } catch (error) {
    const { message, position } = error as { message: string; position?: string };
    const places = [Number(position ?? 0), ...placesOfColumn(message, text)];
    return places.map((place) => ({ node: partAt(place), message }));
  }
}

/** The server tells only the first place where it meets a column that isn't there. */
function placesOfColumn(message: string, text: string): number[] {
  const name = /^column "?([\w.]+)"? (of relation .* )?does not exist/.exec(message)?.[1];
  if (name === undefined) return [];
  return [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\b`, 'g'))].map(({ index }) => index + 1);
}

/**
 * Ways through the conditions of a statement. Conditions may belong together, so a branch is right
 * when one way that takes it is; where one isn't, others are tried beside it.
 */
class Search {
  private readonly queue: Choices[] = [new Map()];
  private readonly queued = new Set<string>([keyOf(new Map())]);
  private readonly branches = new Set<string>();
  private readonly right = new Set<string>();
  private readonly wrong = new Map<string, readonly Fault[]>();
  private tried = 0;

  next(): Choices | null {
    if (this.tried > 0 && this.pending().length === 0) return null;
    if (this.tried >= MOST_WAYS) return null;
    this.tried += 1;
    return this.queue.shift() ?? null;
  }

  tell(choices: Choices, { met }: Way, faults: readonly Fault[]): void {
    const taken = [...met.keys()].map((place) => `${place}#${choices.get(place) ?? 0}`);
    const alternatives = [...met].flatMap(([place, count]) =>
      Array.from({ length: count }, (_, branch) => [place, branch] as const),
    );
    for (const [place, branch] of alternatives) this.branches.add(`${place}#${branch}`);
    for (const branch of taken.length === 0 ? [''] : taken) {
      if (faults.length === 0) this.right.add(branch);
      else if (!this.wrong.has(branch)) this.wrong.set(branch, faults);
    }
    for (const [place, branch] of alternatives) this.add(new Map([...choices, [place, branch]]));
  }

  /** @param node of the statement */
  faults(node: ts.Node): Fault[] {
    const untried = [{ node, message: 'not every way through its conditions could be tried' }];
    const pending = this.branches.size === 0 && !this.right.has('') ? [''] : this.pending();
    return pending.flatMap((branch) => this.wrong.get(branch) ?? untried);
  }

  private pending(): string[] {
    return [...this.branches].filter((branch) => !this.right.has(branch));
  }

  private add(choices: Choices): void {
    const key = keyOf(choices);
    if (this.queued.has(key)) return;
    this.queued.add(key);
    this.queue.push(choices);
  }
}

const keyOf = (choices: Choices): string =>
  JSON.stringify([...choices].filter(([, branch]) => branch > 0).sort());
