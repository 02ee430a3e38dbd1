import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../src/stack/postgres.ts';
import { missingScript, openSchemaEngine } from './schema-engine.ts';

/** Prints the SQL that schema.prisma asks for and the migrations lack; exits with 1 if any. */
async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-diff-'));
  const postgres = await startPostgres({ home });
  try {
    const missing = await missingScript(await openSchemaEngine(postgres.url));
    console.log(missing || 'The migrations match schema.prisma.');
    process.exitCode = missing ? 1 : 0;
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true });
  }
}

await main();
