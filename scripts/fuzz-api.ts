import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openWorld, type World } from '../bench/world.ts';
import type { Goal } from '../schema/goal.ts';
import type { MadeToken } from '../schema/token.ts';
import { FORMAT_SAMPLES } from '../test/support/format-samples.ts';
import { type Told, tellFuzz } from './fuzz-report.ts';

/**
 * Schemathesis against the running service: `npm run fuzz:api -- [--seconds 60] [--seed N]`. Two
 * thirds of the time go to requests that are valid by the OpenAPI document, one third to others.
 * Fails on an answer of the kind 5xx, on one that the document doesn't describe, on a valid request
 * that is refused for its shape, and if fewer than 30 % of the valid ones are accepted.
 */
const SCHEMATHESIS = 'schemathesis==4.32.5';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'ignored_auth',
];
/** The values at each bound, which `coverage` tries, are for requests that should be refused. */
const PHASES = { positive: 'fuzzing,stateful', negative: 'coverage,fuzzing' } as const;
/** Streams, which have no end, and what would sign the fuzzer out. */
const LEFT_OUT = ['streamEvents', 'streamGoalEvents'];
const HOOKS = fileURLToPath(new URL('./fuzz-hooks.py', import.meta.url));

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-fuzz-'));
const told = join(folder, 'told.jsonl');
const world = await openWorld();
try {
  execFileSync('python3', ['-m', 'venv', folder]);
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', SCHEMATHESIS]);
  await writeFile(join(folder, 'places.json'), JSON.stringify(await makePlaces(world)));
  await writeFile(told, '');
  process.stdout.write(`seed ${seed}, ${seconds} s\n`);
  const failed = [
    await fuzz('positive', Math.ceil((seconds * 2) / 3)),
    await fuzz('negative', Math.ceil(seconds / 3)),
  ].some((exitCode) => exitCode !== 0);
  const lines = (await readFile(told, 'utf8')).split('\n').filter((line) => line !== '');
  const isGood = tellFuzz(lines.map((line) => JSON.parse(line) as Told));
  process.exitCode = failed || !isGood ? 1 : 0;
} finally {
  await world.close();
  await rm(folder, { recursive: true, force: true });
}

async function fuzz(mode: 'positive' | 'negative', maxTime: number): Promise<number | null> {
  const args = [
    ...['run', `${world.url}/openapi.json`, '--checks', CHECKS.join(','), '--mode', mode],
    ...['--max-time', String(maxTime), '--seed', String(seed), '--no-shrink', '--no-color'],
    ...['--header', `Authorization:Bearer ${world.config.tokens[0]?.token}`],
    ...[
      '--phases',
      PHASES[mode],
      '--continue-on-failure',
      '--warnings',
      'off',
      '--suppress-health-check',
      'all',
    ],
    ...LEFT_OUT.flatMap((operation) => ['--exclude-operation-id', operation]),
  ];
  const run = spawn(join(folder, 'bin', 'st'), args, {
    stdio: 'inherit',
    cwd: folder,
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: HOOKS,
      FUZZ_PLACES: join(folder, 'places.json'),
      FUZZ_TOLD: told,
      FUZZ_SEED: String(seed),
    },
  });
  const [exitCode] = (await once(run, 'exit')) as [number | null];
  return exitCode;
}

/** Goals that work on, wait with a question and wait for an approval, and a token to revoke. */
async function makePlaces({ client, start, until }: World) {
  const spare = { name: 'spare', role: 'viewer' };
  const working = await start('slow-steps 500');
  const asking = await start('steps 3');
  const claiming = await start('proves 1');
  const rests = ({ status }: Goal) => status !== 'active';
  const asked = await until(asking.goalId, rests);
  const claimed = await until(claiming.goalId, rests);
  const goals = [working, asked, claimed];
  return {
    goals: goals.map(({ goalId }) => goalId),
    threads: goals.map(({ threadId }) => threadId),
    questions: goals.flatMap(({ pause }) => pause?.questionId ?? []),
    approvals: goals.flatMap(({ pause }) => pause?.approvalId ?? []),
    formats: FORMAT_SAMPLES,
    model: working.model,
    workspace: working.workspace.name,
    folder: working.workspace.path,
    token: (await client.send<MadeToken>('POST', '/v1/tokens', spare)).name,
  };
}
