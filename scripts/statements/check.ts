import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { startPostgres } from '../../src/stack/postgres.ts';
import { type Database, openDatabase } from '../../src/store/client.ts';
import { initialScript, openSchemaEngine } from '../schema-engine.ts';
import {
  type Choices,
  findTemplates,
  placeOf,
  type Template,
  Unreadable,
  type Way,
} from './expand.ts';
import { rowProblems } from './rows.ts';

export interface Problem {
  /** File and line. */
  readonly place: string;
  readonly message: string;
}

export interface Checked {
  readonly statements: number;
  readonly problems: readonly Problem[];
}

const STATEMENT = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/;
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
  const found: { readonly template: Template; readonly messages: readonly string[] }[] = [];
  const usedByOthers = new Set<ts.Node>();
  for (const template of templates.filter(({ isInner }) => !isInner)) {
    const outcome = await checkTemplate(template, sql, checker);
    if (outcome === null) continue;
    found.push({ template, messages: outcome.messages });
    for (const part of outcome.parts) {
      read.add(part);
      if (part !== template.node) usedByOthers.add(part);
    }
  }
  // What is a piece of others is read where they use it.
  const whole = found.filter(({ template }) => !usedByOthers.has(template.node));
  const problems = whole.flatMap(({ template, messages }) =>
    messages.map((message) => ({ place: placeOf(template.node, root), message })),
  );
  const unread = templates
    .filter(({ node }) => !read.has(node))
    .map(({ node }) => ({ place: placeOf(node, root), message: 'no statement uses this SQL' }));
  return { statements: whole.length, problems: [...problems, ...unread] };
}

function programOf(root: string): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const only = { ...config, include: ['src'], exclude: ['src/ui'] };
  const { fileNames, options } = ts.parseJsonConfigFileContent(only, ts.sys, root);
  return ts.createProgram(fileNames, { ...options, incremental: false, noEmit: true });
}

interface Outcome {
  readonly messages: readonly string[];
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
    if (way === null) return { messages: ["its text can't be told"], parts };
    if (!STATEMENT.test(way.text)) return null;
    for (const part of way.parts) parts.add(part);
    search.tell(choices, way, await problemsOf(template, way.text, sql, checker));
  }
  return { messages: search.messages(), parts };
}

function writeOrNull(template: Template, choices: Choices): Way | null {
  try {
    return template.write(choices);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

async function problemsOf(
  template: Template,
  text: string,
  sql: Database,
  checker: ts.TypeChecker,
): Promise<string[]> {
  try {
    const { columns } = await sql.unsafe(text).describe();
    return template.row === null ? [] : rowProblems(template.row, columns ?? [], checker);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
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
  private readonly wrong = new Map<string, readonly string[]>();
  private tried = 0;

  next(): Choices | null {
    if (this.tried > 0 && this.pending().length === 0) return null;
    if (this.tried >= MOST_WAYS) return null;
    this.tried += 1;
    return this.queue.shift() ?? null;
  }

  tell(choices: Choices, { met }: Way, problems: readonly string[]): void {
    const taken = [...met.keys()].map((place) => `${place}#${choices.get(place) ?? 0}`);
    const alternatives = [...met].flatMap(([place, count]) =>
      Array.from({ length: count }, (_, branch) => [place, branch] as const),
    );
    for (const [place, branch] of alternatives) this.branches.add(`${place}#${branch}`);
    for (const branch of taken.length === 0 ? [''] : taken) {
      if (problems.length === 0) this.right.add(branch);
      else if (!this.wrong.has(branch)) this.wrong.set(branch, problems);
    }
    for (const [place, branch] of alternatives) this.add(new Map([...choices, [place, branch]]));
  }

  messages(): string[] {
    const pending = this.pending();
    if (this.branches.size === 0)
      return [...(this.right.has('') ? [] : (this.wrong.get('') ?? []))];
    return [...new Set(pending.flatMap((branch) => this.wrong.get(branch) ?? []))];
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
