import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporalBinary } from '../../src/stack/temporal-binary.ts';

/** Outlives a run: a build of the server takes some five minutes. */
const CACHE = join(homedir(), '.cache', 'goalkeeper', 'production');

/** A folder for PATH with all that the images bring along, by the names that they have there. */
export async function localPrograms(folder: string, temporalVersion: string): Promise<string> {
  const built = buildTemporal(temporalVersion);
  const postgres = postgresFolder();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const links = {
    'temporal-server': join(built, 'server'),
    'temporal-sql-tool': join(built, 'sql'),
    temporal: await temporalBinary(join(CACHE, 'cli'), console.error),
    node: process.execPath,
    ...Object.fromEntries(
      ['postgres', 'initdb', 'psql', 'pg_isready', 'pg_basebackup'].map((name) => [
        name,
        join(postgres, name),
      ]),
    ),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  // `nc -z HOST PORT` of the server's image; Debian has none.
  writeFileSync(join(folder, 'nc'), NC);
  chmodSync(join(folder, 'nc'), 0o755);
  return folder;
}

const NC = `#!/usr/bin/env node
const [, host, port] = process.argv.slice(2);
require('node:net').connect(Number(port), host)
  .on('connect', () => process.exit(0)).on('error', () => process.exit(1));
`;

/** Temporal's server and its schema tool, from the Go module proxy. */
function buildTemporal(version: string): string {
  const folder = join(CACHE, `temporal-${version}`);
  const missing = ['server', 'sql'].filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return folder;
  console.error(`building Temporal's server ${version} once, some five minutes`);
  mkdirSync(folder, { recursive: true });
  const of = { server: 'cmd/server', sql: 'cmd/tools/sql' };
  for (const name of missing) {
    const path = `go.temporal.io/server/${of[name as keyof typeof of]}@v${version}`;
    execFileSync('go', ['install', path], {
      env: { ...process.env, GOBIN: folder },
      stdio: 'inherit',
    });
  }
  return folder;
}

/** Debian's newest, or the one that Goalkeeper brings along. */
function postgresFolder(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const newest = versions.toSorted((left, right) => right - left)[0];
  if (newest !== undefined) return join(debian, String(newest), 'bin');
  const found = execFileSync('sh', ['-c', 'command -v initdb'], { encoding: 'utf8' }).trim();
  return dirname(found);
}
