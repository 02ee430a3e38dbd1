import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { MARKER } from '../../src/check/comment.ts';
import { checkComment } from '../../src/cli/commands/check-comment.ts';

const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-github-'));
afterAll(() => rmSync(bench, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const result = {
  ...{ status: 'proven', exitCode: 0, summary: 'Proven.', wayOut: null, repository: '/r' },
  base: { commit: 'a'.repeat(40), why: 'where main was left' },
  ...{ head: 'b'.repeat(40), terms: null },
  scope: { change: ['src/**'], keep: [], setBy: 'host', base: null, why: [] },
  ...{ criteria: [], questions: [], accepted: [], beyondScope: [], isolation: 'full' },
  ...{ notices: [], proof: null, bundle: null, runs: 3, durationMs: 1000 },
};

interface Call {
  readonly method: string;
  readonly path: string;
  readonly token: string;
}

/** Comments as GitHub would keep them, and who called. */
async function gitHub(comments: readonly object[], answers = 200) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    calls.push({ method, path: url, token: headers.authorization ?? '' });
    request.resume().on('end', () => {
      response.writeHead(answers, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'GET' ? comments : { html_url: 'https://x/1' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const event = join(bench, 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
  vi.stubEnv('GITHUB_API_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('GITHUB_REPOSITORY', 'o/r');
  vi.stubEnv('GITHUB_TOKEN', 'secret');
  vi.stubEnv('GITHUB_EVENT_PATH', event);
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(bench, 'summary.md'));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const file = join(bench, 'check.json');
  writeFileSync(file, JSON.stringify(result));
  try {
    expect(await checkComment(file, {})).toBe(0);
  } finally {
    server.close();
  }
  return calls;
}

const others = { id: 1, body: `${MARKER}\nmine`, user: { type: 'User' } };
const own = { id: 2, body: `${MARKER}\nold`, user: { type: 'Bot' } };

test('CHK-9 a comment is written once, and then updated; a person’s with its mark is left alone', async () => {
  expect((await gitHub([others])).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /repos/o/r/issues/7/comments?per_page=100&page=1',
    'POST /repos/o/r/issues/7/comments',
  ]);
  const updated = await gitHub([others, own]);
  expect(updated.at(-1)).toMatchObject({
    ...{ method: 'PATCH', path: '/repos/o/r/issues/comments/2', token: 'Bearer secret' },
  });
  expect(readFileSync(join(bench, 'summary.md'), 'utf8')).toContain('✅ Proven');
});

test('CHK-9 a token that may only read fails nothing', async () => {
  expect((await gitHub([], 403)).length).toBe(1);
});

test('CHK-12 the action runs outside of the checkout, and reads no input as shell', async () => {
  const checkout = mkdtempSync(join(bench, 'checkout-'));
  const program = join(bench, 'goalkeeper');
  writeFileSync(
    program,
    '#!/bin/sh\npwd > "$SEEN"\nfor one; do printf "%s\\n" "$one" >> "$SEEN"; done\necho \'{"status":"held","summary":"s"}\'\nexit 1\n',
    { mode: 0o755 },
  );
  const seen = join(bench, 'seen');
  const output = join(bench, 'output');
  const script = fileURLToPath(new URL('../../scripts/check-action.sh', import.meta.url));
  const env = {
    ...{ PATH: process.env.PATH, SEEN: seen, GITHUB_OUTPUT: output, RUNNER_TEMP: bench },
    ...{ GITHUB_WORKSPACE: checkout, GK_COMMAND: program, GK_BRANCH: 'main' },
    ...{ GK_CRITERION: 'npm test && echo "$(id)" `id`; *\n\n--json', GK_ACCEPT_HELD: 'true' },
    GK_BUNDLE: 'proof.jsonl',
  };
  const exitCode = await new Promise((resolve) =>
    execFile('bash', [script], { cwd: checkout, env }, (error) => resolve(error?.code ?? 0)),
  );
  expect(exitCode).toBe(1);
  const [folder, ...words] = readFileSync(seen, 'utf8').trim().split('\n');
  expect(folder?.startsWith(checkout)).toBe(false);
  expect(words).toEqual([
    ...['check', '--repo', checkout, '--head', 'HEAD', '--json'],
    ...['--base', 'merge-base:refs/remotes/origin/main'],
    ...['--criterion', 'npm test && echo "$(id)" `id`; *', '--criterion', '--json'],
    ...['--accept-held', '--bundle', `${checkout}/proof.jsonl`],
  ]);
  expect(readFileSync(output, 'utf8')).toContain('status=held\n');
});
