import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeTree } from '../../src/sandbox/remove-tree.ts';
import { openBox, SANDBOX, testBox } from '../sandbox/support.ts';
import { startRepository } from '../support/git.ts';
import { both, describeWith, ROOT } from '../support/needs.ts';
import { openGround } from './gate-ground.ts';

/**
 * A Go that compiles nothing: it notes in its cache what it was asked for, tells whether it found
 * there what it needs, and runs the project's `test.sh`.
 */
const GO = `#!/bin/bash
cache="$HOME/.cache/go-build"
mkdir -p "$cache/aa"
case "$1 $2" in
  'list std') echo fmt ;;
  'test ./...')
    if [ -e "$cache/aa/std" ]; then echo warm; else echo cold; fi
    [ "$(cat "$cache/aa/std" 2>/dev/null)" = poison ] && exit 3
    [ -e seed.go ] && [ -e "$(dirname "$0")/broken" ] && exit 2
    echo compiled > "$cache/aa/std"
    echo "$PWD $(ls -A | tr '\\n' ' ')" >> "$cache/aa/ran"
    echo '=== RUN   TestA'
    [ ! -e test.sh ] || bash test.sh || { printf -- '--- FAIL: TestA (0.00s)\\nFAIL\\nFAIL\\ta\\t0.01s\\nFAIL\\n'; exit 1; }
    printf -- '--- PASS: TestA (0.00s)\\nPASS\\nok  \\ta\\t0.01s\\n'
    exit 0 ;;
esac
`;

let root: string;
let tools: string;
let service: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-seeds-'));
  tools = join(root, 'tools');
  service = join(root, 'service');
  put(join(tools, 'go'), GO);
  chmodSync(join(tools, 'go'), 0o755);
  mkdirSync(service);
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await removeTree(root);
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const seedsIn = () =>
  existsSync(join(service, 'seeds')) ? readdirSync(join(service, 'seeds')) : [];
const contentOf = () => join(service, 'seeds', seedsIn()[0] ?? '', 'home/.cache/go-build/aa');

const CHECK = 'go test ./...';

interface Goal {
  readonly goalId: string;
  readonly test?: string;
  readonly mode?: 'off';
  /** The workspace belongs to an ordinary user. */
  readonly isGiven?: boolean;
}

/** A goal in a workspace of its own, whose sandbox and seeds are those of the others. */
async function openGoal({ goalId, test = 'grep -q right src/a.go', mode, isGiven }: Goal) {
  const workspace = join(root, goalId);
  put(join(workspace, 'go.mod'), 'module a\n');
  put(join(workspace, 'secret.txt'), 'of the workspace');
  put(join(workspace, 'src/a.go'), 'wrong');
  put(join(workspace, 'test.sh'), test);
  startRepository(workspace);
  if (isGiven) execFileSync('chown', ['-R', '65534:65534', workspace]);
  const { effects } = await testBox({ workspace, home: service, goalId, ...(mode && { mode }) });
  const outputs: string[] = [];
  const runCommand: typeof effects.runCommand = async (order) => {
    const run = await effects.runCommand(order);
    outputs.push(Buffer.from(run.output).toString());
    return run;
  };
  const startEffects = () => ({ runCommand, close: async () => {} });
  const own = { goalId, scope: { change: ['src/**'] } };
  const ports = { seeds: join(service, 'seeds'), startEffects };
  const ground = openGround(
    workspace,
    [{ kind: 'command', command: CHECK }],
    ports as never,
    own as never,
  );
  const asked = () => outputs.flatMap((text) => text.match(/^(?:warm|cold)$/gm) ?? []);
  return { ...ground, workspace, effects, asked };
}

describeWith(SANDBOX, 'the seed of a toolchain', () => {
  test('SEED-4 is made by the first proof that needs it, of no file of the workspace', async () => {
    const first = await openGoal({ goalId: 'g-1' });
    expect((await first.lookFirst())?.states).toEqual({ c1: 'unmet' });
    expect(seedsIn()).toEqual([expect.stringMatching(/^go-[0-9a-f]{40}$/)]);
    const [ran = ''] = readFileSync(join(contentOf(), 'ran'), 'utf8').split('\n');
    expect(ran).toBe(`${first.workspace} go.mod seed.go seed_test.go `);
    // The seed itself, and then the check.
    expect(first.asked()).toEqual(['cold', 'warm']);
    const second = await openGoal({ goalId: 'g-2' });
    put(join(second.workspace, 'src/b.go'), '');
    await second.lookFirst();
    expect(second.asked()).toEqual(['warm']);
  });

  test('SEED-5 is the same after a check wrote into its cache, and looked for the seed', {
    tags: 'campaign',
  }, async () => {
    const poison = [
      'for f in ~/.cache/go-build/*/*; do echo poison > "$f"; done',
      `echo poison > ${service}/seeds/x; mkdir -p ${service}/seeds; echo poison > ${service}/seeds/y`,
      `find / -path '*seeds*' -name std -exec sh -c 'echo poison > "$1"' sh {} \\; 2>/dev/null`,
      'exit 1',
    ].join('\n');
    const evil = await openGoal({ goalId: 'g-1', test: poison });
    await evil.lookFirst();
    expect(seedsIn()).toHaveLength(1);
    expect(readFileSync(join(contentOf(), 'std'), 'utf8')).toBe('compiled\n');
    const honest = await openGoal({ goalId: 'g-2' });
    expect((await honest.lookFirst())?.states).toEqual({ c1: 'unmet' });
    expect(honest.asked()).toEqual(['warm']);
    put(join(honest.workspace, 'src/a.go'), 'right');
    const { criteria } = await honest.gate();
    expect(criteria).toMatchObject([{ state: 'met' }]);
    expect(new Set(honest.asked())).toEqual(new Set(['warm']));
  });

  test('SEED-6 is made anew where the kept one is damaged', async () => {
    await (await openGoal({ goalId: 'g-1' })).lookFirst();
    appendFileSync(join(contentOf(), 'std'), 'poison');
    const next = await openGoal({ goalId: 'g-2' });
    await next.lookFirst();
    expect(next.asked()).toEqual(['cold', 'warm']);
    expect(readFileSync(join(contentOf(), 'std'), 'utf8')).toBe('compiled\n');
  });

  test('SEED-7 that can not be made is missed by nobody, and is tried once', async () => {
    put(join(tools, 'broken'), '');
    for (const goalId of ['g-1', 'g-2']) {
      const goal = await openGoal({ goalId });
      expect((await goal.lookFirst())?.states).toEqual({ c1: 'unmet' });
      expect(goal.asked()).toEqual(goalId === 'g-1' ? ['cold', 'cold'] : ['cold']);
      put(join(goal.workspace, 'src/a.go'), 'right');
      expect((await goal.gate()).criteria).toMatchObject([{ state: 'met' }]);
    }
    expect(seedsIn()).toEqual([]);
  });

  test('SEED-8 begins the home of a later goal, whose commands change their own copy', async () => {
    await (await openGoal({ goalId: 'g-1' })).lookFirst();
    const workspace = join(root, 'later');
    put(join(workspace, 'inner/go.mod'), 'module a\n');
    const { box, close } = await openBox({ workspace, home: service, goalId: 'g-3' });
    const { output } = await box.run('go test ./... && echo poison > ~/.cache/go-build/aa/std');
    await close();
    expect(output).toMatch(/^warm$/m);
    expect(readFileSync(join(contentOf(), 'std'), 'utf8')).toBe('compiled\n');
    const other = join(root, 'other');
    put(join(other, 'package.json'), '{}');
    const { run } = await testBox({ workspace: other, home: service, goalId: 'g-4' });
    expect((await run('go test ./...')).output).toMatch(/^cold$/m);
  });
});

describeWith(both(ROOT, SANDBOX), 'a worker of root', () => {
  test('SEED-9 makes a seed for each owner of workspaces, who can not change it later', async () => {
    const goal = await openGoal({ goalId: 'g-1', isGiven: true });
    expect((await goal.lookFirst())?.states).toEqual({ c1: 'unmet' });
    expect(goal.asked()).toEqual(['cold', 'warm']);
    expect(statSync(join(contentOf(), 'std')).uid).toBe(0);
    await (await openGoal({ goalId: 'g-2' })).lookFirst();
    expect(seedsIn()).toHaveLength(2);
  });
});

describe('without a sandbox', () => {
  test("SEED-10 no seed is made, as the cache is a person's", async () => {
    chmodSync(root, 0o755);
    put(join(root, 'person/.keep'), '');
    vi.stubEnv('HOME', join(root, 'person'));
    const goal = await openGoal({ goalId: 'g-1', mode: 'off', isGiven: ROOT.isThere });
    await goal.lookFirst();
    expect(seedsIn()).toEqual([]);
    expect(goal.asked()).toHaveLength(1);
  });
});
