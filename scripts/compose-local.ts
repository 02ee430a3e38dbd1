// `npm run test:production`: the services of docker-compose.yml as processes of this machine, by their
// own commands, settings and healthchecks, with the full Temporal server on PostgreSQL, and three
// workers on two hosts (networks and process numbers of their own). Goals go while a worker is killed,
// a host loses its power, PostgreSQL moves to a replica, and every service is replaced by the next
// build and back. Needs root, Go, PostgreSQL and a build (`dist`).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MAIN } from './compose/image.ts';
import {
  expect,
  playBuilds,
  playFailover,
  playHosts,
  playWorker,
  say,
  settleAccounts,
} from './production/plays.ts';
import { openStage, type Stage } from './production/stage.ts';

const COMPOSE = fileURLToPath(new URL('../docker-compose.yml', import.meta.url));
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Played in this order; the first one starts the services. `--only hosts,builds` leaves some out. */
const PLAYS: Readonly<Record<string, (stage: Stage, root: string) => Promise<void>>> = {
  hosts: playHosts,
  failover: playFailover,
  builds: playBuilds,
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const chosen = values.only?.split(',') ?? Object.keys(PLAYS);
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-production-'));
  const stage = await openStage(COMPOSE, root);
  const interrupted = () => void stage.close().finally(() => process.exit(130));
  for (const ending of ENDINGS) process.once(ending, interrupted);
  let isOver = false;
  try {
    await playWorker(stage);
    for (const name of chosen) await PLAYS[name]?.(stage, root);
    await settleAccounts(stage);
    isOver = true;
  } finally {
    if (!isOver) say(`it broke off; logs are in ${join(root, 'logs')}`);
    const left = await stage.close();
    for (const ending of ENDINGS) process.removeListener(ending, interrupted);
    if (isOver) {
      expect(left.length === 0, 'every process has ended');
      rmSync(root, { recursive: true, force: true });
    }
  }
}

readFileSync(MAIN);
await main();
