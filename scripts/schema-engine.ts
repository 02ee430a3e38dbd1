import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

const schemaPath = fileURLToPath(new URL('../schema/schema.prisma', import.meta.url));
const migrationsPath = fileURLToPath(new URL('../schema/migrations/', import.meta.url));

const filters = { externalTables: [], externalEnums: [] };

/** Prisma's own migration engine as WebAssembly: no binary is downloaded. */
export async function openSchemaEngine(
  databaseUrl: string,
  wanted = schema(),
): Promise<bindings.SchemaEngine> {
  await loadEngine();
  const adapter = bindMigrationAwareSqlAdapterFactory(
    new MigrationAdapter({ connectionString: databaseUrl }),
  );
  const datamodels: [string, string][] = [['schema.prisma', wanted]];
  return bindings.SchemaEngine.new({ datamodels }, () => undefined, adapter);
}

/** Prisma's adapter without two limits that the engine's own queries and our migrations meet. */
class MigrationAdapter extends PrismaPg {
  override async connect() {
    return withoutLimits(await super.connect());
  }

  override async connectToShadowDb() {
    return withoutLimits(await super.connectToShadowDb());
  }
}

interface QueryResult {
  readonly fields?: { readonly name: string; dataTypeID: number }[];
}

const INTERNAL_CHAR = 18;
const NAME = 19;

function withoutLimits(adapter: Awaited<ReturnType<PrismaPg['connect']>>) {
  const pool = adapter.underlyingDriver();
  // It cuts scripts at every semicolon, also inside of function bodies.
  adapter.executeScript = async (text) => {
    await pool.query(text);
  };
  // It can't read PostgreSQL's internal type "char", which the catalog is full of.
  const query = pool.query.bind(pool) as (input: unknown, ...rest: unknown[]) => Promise<unknown>;
  const charColumns = new Set<string>();
  const queryAsName = async (input: unknown, ...rest: unknown[]) => {
    const answer = await query(input, ...rest);
    for (const result of [answer].flat() as QueryResult[]) {
      for (const field of result.fields ?? []) {
        if (field.dataTypeID !== INTERNAL_CHAR) continue;
        charColumns.add(field.name);
        field.dataTypeID = NAME;
      }
    }
    return answer;
  };
  Object.assign(pool, { query: queryAsName });
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (input) => {
    const result = await queryRaw(input);
    const columnTypes = result.columnTypes.map((type, index) =>
      charColumns.has(result.columnNames[index] ?? '') ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes };
  };
  return adapter;
}

/** The SQL that leads from nothing to schema.prisma. */
export async function initialScript(
  engine: bindings.SchemaEngine,
  wanted = schema(),
): Promise<string> {
  return script(engine, { tag: 'empty' }, wanted);
}

/** The SQL that schema.prisma asks for and the migrations lack; empty when they agree. */
export async function missingScript(engine: bindings.SchemaEngine): Promise<string> {
  return script(engine, { tag: 'migrations', ...migrationList() });
}

/** The migrations folder in the engine's terms. */
export function migrationList(): bindings.MigrationList {
  return {
    baseDir: migrationsPath,
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(`${migrationsPath}migration_lock.toml`, 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: readdirSync(migrationsPath, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort()
      .map(migrationDirectory),
  };
}

function migrationDirectory(name: string): bindings.MigrationDirectory {
  const content = readFileSync(`${migrationsPath}${name}/migration.sql`, 'utf8');
  return {
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: content } },
  };
}

async function script(
  engine: bindings.SchemaEngine,
  from: bindings.DiffTarget,
  wanted = schema(),
): Promise<string> {
  const files = [{ path: 'schema.prisma', content: wanted }];
  const difference = await engine.diff({
    from,
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters,
  });
  return (difference.stdout ?? '').replace('-- This is an empty migration.', '').trim();
}

function schema(): string {
  return readFileSync(schemaPath, 'utf8');
}

/** The part of the global that is used here: the compiler's Node library doesn't declare it. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

let loading: Promise<void> | undefined;

function loadEngine(): Promise<void> {
  loading ??= instantiate();
  return loading;
}

async function instantiate(): Promise<void> {
  const require = createRequire(import.meta.url);
  const file = require
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(file), {
    './schema_engine_bg.js': bindings,
  });
  // The engine reports its panics through this hook.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new Error(`schema engine: ${message}`);
      },
    },
  });
  const { __wbg_set_wasm } = bindings as unknown as { __wbg_set_wasm(exports: unknown): void };
  __wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}
