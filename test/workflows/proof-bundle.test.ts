import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import { claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const makefileWith = (recipe: string) => `test:\n\t${recipe}\n`;
const files = {
  Makefile: makefileWith('grep -q 42 answer.txt'),
  'answer.txt': '41\n',
  'notes/kept.txt': 'kept\n',
  'notes/old.txt': 'old\n',
};
const goal = {
  criteria: [{ kind: 'command' as const, command: 'make test' }],
  scope: { change: ['answer.txt'] },
  policy: { proof: 'scope' as const },
};
const scripts = {
  honest: sequence([
    write('answer.txt', '42\n'),
    write('Makefile', makefileWith('test -e answer.txt')),
    claim(),
  ]),
  other: sequence([write('answer.txt', '142\n'), claim()]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let bench: string;
/** A goal that began in a repository, and one that began in a folder of files. */
let committed: { goalId: string; path: string };
let loose: { goalId: string; path: string };

beforeAll(async () => {
  the = await openApprovalWorld(scripts);
  bench = mkdtempSync(join(tmpdir(), 'goalkeeper-bundle-'));
  committed = await complete('honest', true);
  loose = await complete('other', false);
  writeFileSync(join(bench, 'key.pem'), await the.world.client.text('/v1/proof-key'));
  for (const { goalId } of [committed, loose]) writeFileSync(fileOf(goalId), await bundle(goalId));
}, 120_000);
afterAll(async () => {
  await the.world.close();
  rmSync(bench, { recursive: true, force: true });
});

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    encoding: 'utf8',
  });

async function complete(name: string, isRepository: boolean) {
  const path = await the.world.workspace(files);
  if (isRepository) {
    git(path, 'init', '-q');
    git(path, 'add', '-A');
    git(path, 'commit', '-q', '-m', 'start');
    writeFileSync(join(path, 'notes/kept.txt'), 'not committed\n');
    rmSync(join(path, 'notes/old.txt'));
  }
  const { goalId } = await the.world.start({
    objective: `${name}: go`,
    workspace: { path },
    ...goal,
  });
  const { status } = await the.world.until(goalId, (one) => one.status !== 'active');
  expect(status).toBe('complete');
  return { goalId, path };
}

const bundle = (goalId: string) => the.world.client.text(`/v1/goals/${goalId}/proof`);
const fileOf = (goalId: string) => join(bench, `${goalId}.intoto.jsonl`);

/** The checkout on another machine: a copy, with no service and no database around. */
function elsewhere({ path }: { path: string }): string {
  const folder = mkdtempSync(join(bench, 'checkout-'));
  cpSync(path, folder, { recursive: true });
  return folder;
}

interface Said {
  readonly code: number;
  readonly json: Record<string, unknown>;
}

function verify(file: string, repo: string, ...more: string[]): Said {
  const args = ['--import', 'tsx', 'src/cli/main.ts', 'proof', 'verify', file, '--repo', repo];
  const env = { PATH: process.env.PATH, HOME: bench, GOALKEEPER_HOME: join(bench, 'none') };
  try {
    const out = execFileSync(process.execPath, [...args, '--json', ...more], {
      env,
      stdio: 'pipe',
    });
    return { code: 0, json: JSON.parse(String(out)) as Said['json'] };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: Buffer; stderr: Buffer };
    const text = `${stdout}${stderr}`;
    return { code: status, json: JSON.parse(text.slice(text.indexOf('{'))) as Said['json'] };
  }
}

const key = () => ['--key', join(bench, 'key.pem')];

describe('a proof that goes with the work', () => {
  test('PRF-1 is verified in a checkout elsewhere, without a service, and repeated', () => {
    const said = verify(fileOf(committed.goalId), elsewhere(committed), ...key(), '--rerun');
    expect(said).toMatchObject({
      code: 0,
      json: {
        goalId: committed.goalId,
        level: 'verified',
        besides: ['Makefile'],
        ledger: { sealed: 0 },
        rerun: [{ criterionId: 'c1', isMet: true }],
      },
    });
  });

  test('PRF-2 of a goal that began in no repository carries what others need', () => {
    const said = verify(fileOf(loose.goalId), elsewhere(loose), ...key(), '--rerun');
    expect(said).toMatchObject({ code: 0, json: { besides: [], files: 1 } });
  });
});
