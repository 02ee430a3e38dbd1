import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Tally } from '../test/chaos/tally.ts';
import { addPlay, readTotals, writeTotals } from './chaos/totals.ts';

/**
 * `npm run chaos:campaign -- --minutes 30` plays kills at random moments, and adds what came of them
 * to docs/reliability.md, from where it left off. A play that does not end as it should is told there
 * for good, with the exit code 1.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    kills: { type: 'string', default: '100' },
    workers: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});

const RESULTS = 'docs/reliability.md';
const PLAYS: Readonly<Record<string, string>> = {
  'random-kills': 'test/chaos/random-kills.test.ts',
  'postgres-killed': 'test/chaos/postgres-killed.test.ts',
  partitions: 'test/chaos/partition.test.ts',
  'full-disk': 'test/chaos/full-disk.test.ts',
  schedules: 'test/chaos/schedules.test.ts',
  triggers: 'test/chaos/triggers-killed.test.ts',
};

const names = Object.keys(PLAYS).filter(
  (name) => values.only === undefined || name === values.only,
);
if (names.length === 0) throw new Error(`--only takes one of ${Object.keys(PLAYS).join(', ')}`);

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-campaign-'));
const until = Date.now() + Number(values.minutes) * 60_000;
let isWrong = false;

for (let round = 0; Date.now() < until; round += 1) {
  const play = names[round % names.length] ?? '';
  const file = join(folder, `${round}.jsonl`);
  const logs = join(folder, `${round}`);
  const given = {
    ...{ CHAOS_TALLY: file, CHAOS_LOGS: logs },
    ...{ CHAOS_KILLS: values.kills, CHAOS_WORKERS: values.workers },
  };
  const code = await run(PLAYS[play] ?? '', given);
  if (code !== 0) console.error(`what its processes said is kept in ${logs}`);
  const told = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Tally)
    : [];
  isWrong ||= code !== 0;
  const day = new Date().toISOString().slice(0, 10);
  const totals = readTotals(readFileSync(RESULTS, 'utf8'));
  const seen = { play, told: told[0] ?? null, isWhole: code === 0, day, commit };
  writeFileSync(RESULTS, writeTotals(readFileSync(RESULTS, 'utf8'), addPlay(totals, seen)));
}
process.exitCode = isWrong ? 1 : 0;

async function run(file: string, environment: Readonly<Record<string, string>>): Promise<number> {
  const vitest = ['vitest', 'run', '--config', 'vitest.chaos.config.ts', file];
  const child = spawn('npx', vitest, { stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = await once(child, 'exit');
  return (code as number | null) ?? 1;
}
