import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkStatements } from './statements/check.ts';
import { type Problem, typeProblems } from './statements/program.ts';
import { runPrisma } from './store-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Renamed in every table that has one of the name. */
const COLUMNS = ['workspace_name', 'expires_at', 'helper_is_init'];

/**
 * Proves that the type check sees a renamed column wherever it is used: each of these columns is
 * renamed in a copy of the schema, and every file of the store that names it has to fail.
 */
async function main(): Promise<void> {
  for (const column of COLUMNS) {
    for (const file of await filesThatPass(column)) {
      console.error(`${file} still passes`);
      process.exitCode = 1;
    }
  }
}

/** By itself: PostgreSQL names one unknown column of a statement, and no other one. */
async function filesThatPass(column: string): Promise<string[]> {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const copy = `${mkdtempSync(join(root, 'dist/renamed-'))}/`;
  try {
    copyService(copy, column);
    return tell(column, [...typeProblems(copy), ...(await checkStatements(copy)).problems]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyService(copy: string, column: string): void {
  for (const part of ['src', 'schema', 'tsconfig.json']) {
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !/src\/(ui|store\/generated)$/.test(path),
    });
  }
  const path = join(copy, 'schema/schema.prisma');
  writeFileSync(path, renamed(readFileSync(path, 'utf8'), column));
  runPrisma(copy);
}

/** The column and the field of the client. */
function renamed(schema: string, column: string): string {
  const field = fieldOf(column);
  const line = new RegExp(`^( *)${field}( .*@map\\("${column})"`, 'gm');
  const changed = schema.replace(line, `$1${field}Renamed$2_renamed"`);
  if (changed === schema) throw new Error(`schema.prisma has no column ${column}`);
  return changed;
}

const fieldOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** @returns files of the store that name the column and have no problem with it */
function tell(column: string, problems: readonly Problem[]): string[] {
  const names = new RegExp(`\\b(${column}|${fieldOf(column)})\\b`);
  const own = problems.filter(({ message }) => names.test(message));
  console.log(`${column}: ${own.length} errors`);
  for (const { place, message } of own) console.log(`  ${place}: ${message.slice(0, 120)}`);
  if (own.length === 0) return [column];
  const failing = new Set(own.map(({ place }) => place.split(':')[0]));
  return filesThatName(column).filter((file) => !failing.has(file));
}

/** In SQL or as a column of a row; words of comments don't count. */
function filesThatName(column: string): string[] {
  return readdirSync(join(root, 'src/store'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
    .map((name) => `src/store/${name}`)
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(column));
}

await main();
