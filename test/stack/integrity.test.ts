import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf } from '../../src/cli/failure.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { homeWithCluster } from './homes.ts';

let home: string;
let told: string[];
let running: RunningPostgres | undefined;
beforeEach(async () => {
  home = await homeWithCluster('goalkeeper-integrity-');
  told = [];
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<string> {
  running = await startPostgres({ home, port: 0, onProgress: (message) => told.push(message) });
  return running.url;
}
const ask = (url: string, statement: string) =>
  withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);

/** A table and its index, written to their files; the server is killed afterwards. */
async function killedWith(relation: 'kept' | 'kept_n'): Promise<string> {
  const url = await start();
  await ask(url, 'CREATE TABLE kept (n int); INSERT INTO kept SELECT generate_series(1, 5000)');
  await ask(url, 'CREATE INDEX kept_n ON kept (n)');
  await ask(url, 'CHECKPOINT');
  const [row] = await ask(url, `SELECT pg_relation_filepath('${relation}') AS path`);
  const { pid, exited } = running as RunningPostgres;
  process.kill(pid, 'SIGKILL');
  await exited;
  running = undefined;
  return join(home, 'postgres', String(row?.path));
}

/** Turns a few bytes in the middle of the second page. */
function damage(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, 'gone', 8192 + 4000);
  closeSync(handle);
}

test('F24 after a kill, a page that the disk changed is refused with its table and the way out', async () => {
  damage(await killedWith('kept'));
  const { what, wayOut, exitCode } = failureOf(await start().catch((error) => error));
  expect(what).toMatch(/is damaged: kept \(.*invalid page in block 1/);
  expect(wayOut).toMatch(/backup/);
  expect(exitCode).toBe(3);
});

test('F24 after a kill, a damaged index is built anew from its table, and told', async () => {
  damage(await killedWith('kept_n'));
  const url = await start();
  expect(told).toEqual([expect.stringMatching(/^kept_n was damaged \(.*\) and is built anew$/)]);
  const look = 'SET enable_seqscan = off; SELECT count(*)::int AS n FROM kept WHERE n <= 5000';
  expect((await ask(url, look)).flat().at(-1)).toEqual({ n: 5000 });
});

test('F24 after a kill that harmed nothing, the check says nothing and leaves nothing', async () => {
  await killedWith('kept');
  const url = await start();
  expect(told).toEqual([]);
  expect(await ask(url, 'SHOW data_checksums')).toEqual([{ data_checksums: 'on' }]);
  expect(await ask(url, "SELECT FROM pg_extension WHERE extname = 'amcheck'")).toEqual([]);
});
