import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorld } from '../bench/world.ts';

/**
 * Schemathesis against the running service: `npm run fuzz:api [SECONDS]`, 600 unless told. Fails on
 * an answer of the kind 5xx and on one that the OpenAPI document doesn't describe.
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
/** Streams, which have no end. */
const ENDLESS = ['streamEvents', 'streamGoalEvents'];

const seconds = Number(process.argv[2] ?? 600);
const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-fuzz-'));
const world = await openWorld();
try {
  execFileSync('python3', ['-m', 'venv', folder]);
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', SCHEMATHESIS]);
  // Goals to ask about: one that works on, one that rests.
  await world.start('slow-steps 500');
  await world.start('steps 3');
  const [grant] = world.config.tokens;
  const args = [
    ...['run', `${world.url}/openapi.json`, '--checks', CHECKS.join(',')],
    ...['--max-time', String(seconds), '--continue-on-failure', '--warnings', 'off'],
    ...['--header', `Authorization:Bearer ${grant?.token}`],
    ...ENDLESS.flatMap((operation) => ['--exclude-operation-id', operation]),
  ];
  const run = spawn(join(folder, 'bin', 'st'), args, { stdio: 'inherit', cwd: folder });
  const [exitCode] = (await once(run, 'exit')) as [number | null];
  process.exitCode = exitCode ?? 1;
} finally {
  await world.close();
  await rm(folder, { recursive: true, force: true });
}
