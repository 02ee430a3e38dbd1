import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Criterion } from '../../schema/criteria.ts';
import type { ModelRequest } from '../../src/contract/model.ts';
import { noUsage } from '../../src/goal/budget/budget.ts';
import { temporaryFolder } from '../tools/support.ts';
import { openGround } from './gate-ground.ts';

const run = promisify(execFile);

let path: string;
beforeEach(async () => {
  path = await temporaryFolder();
});
const put = (name: string, text: string) => writeFile(join(path, name), text);

/** The first criterion at the baseline, and at the gate after `work`. */
async function both(spec: Criterion, work: () => Promise<unknown>) {
  const ground = openGround(path, [spec]);
  const baseline = await ground.lookFirst();
  await work();
  const { criteria } = await ground.gate();
  return { ...ground, before: baseline?.states.c1, after: criteria[0] };
}

describe('the host looks at criteria, before and after the work', () => {
  it.each([
    [{ command: 'no-such-program' }, 'not_run', /exited 127.*not found/],
    [{ command: 'sleep 5', timeoutSeconds: 1 }, 'unmet', /timed out after 1 s/],
    [{ command: 'true', cwd: 'none' }, 'not_run', /could not run.*none does not exist/],
  ])('a command that can’t run is unmet with the reason: %o', async (spec, state, reason) => {
    const { before, after } = await both({ kind: 'command', ...spec }, async () => {});
    expect(before).toBe(state);
    expect(after).toMatchObject({ state: 'unmet', reason: expect.stringMatching(reason) });
  });

  it('shows every attempt of a flaky command, with the exit that is expected', async () => {
    await put('.gitignore', '.count\n');
    const command =
      'n=$(cat .count 2>/dev/null || echo 0); echo $((n + 1)) > .count; ' +
      'test -f answer.txt || exit 9; [ $(((n + 1) % 3)) = 0 ] && exit 4; exit 9';
    const spec = { kind: 'command', command, expectExit: 4, attempts: 3 } as const;
    const { before, after } = await both(spec, () => put('answer.txt', '42'));
    expect(before).toBe('unmet');
    // The first round wrote a file, so there was a second; then the proof.
    expect(after).toMatchObject({ state: 'met', receipts: [7, 8, 9, 10, 11, 12] });
    expect(after?.reason).toMatch(/^3 of 3 attempts: 1\. exited 9.*3\. exited 4$/);
  });

  it('tries a clean check in a checkout, after its setup', async () => {
    await put('.gitignore', 'left-out.txt\n');
    await put('left-out.txt', 'x');
    const spec = {
      kind: 'command',
      command: 'grep -q answer built.txt && test ! -e left-out.txt',
      setup: 'ls > built.txt',
      check: 'clean',
    } as const;
    const { before, after } = await both(spec, () => put('answer.txt', '42'));
    expect(before).toBe('unmet');
    expect(after).toMatchObject({ state: 'met', isHostChecked: true });
    expect((await run('ls', [path])).stdout).toBe('answer.txt\nleft-out.txt\n');
  });

  it('R11 R39 takes a receipt of the model’s run until a file in its scope changes', async () => {
    const command = 'grep -q 42 answer.txt';
    const spec: Criterion = { kind: 'command', command, check: 'receipt', scope: ['answer.txt'] };
    const ground = openGround(path, [spec]);
    expect((await ground.lookFirst())?.states.c1).toBe('unmet');
    await put('answer.txt', '42');
    expect((await ground.gate()).criteria[0]).toMatchObject({
      state: 'unmet',
      remedy: expect.stringContaining(`call run_command with \`${command}\``),
    });
    await new Promise((resolve) => setTimeout(resolve, 15));
    ground.settle({
      callId: 't1.s2.1',
      tool: 'run_command',
      outcome: 'succeeded',
      receipt: { command, cwd: '.', exitCode: 0 },
    });
    expect((await ground.gate()).criteria[0]).toMatchObject({ state: 'met', isHostChecked: false });
    await put('notes.txt', 'x');
    expect((await ground.gate()).criteria[0]?.state).toBe('met');
    await new Promise((resolve) => setTimeout(resolve, 15));
    await put('answer.txt', '42 by hand');
    expect((await ground.gate()).criteria[0]).toMatchObject({
      state: 'stale',
      reason: 'files changed after it ran: answer.txt',
    });
  });

  it('finds a protected file changed, and runs no command before it is put right', async () => {
    await put('locked.txt', 'first');
    const ground = openGround(path, [
      { kind: 'command', command: 'true' },
      { kind: 'file', path: 'locked.txt', protect: true },
    ]);
    expect((await ground.lookFirst())?.states).toEqual({ c1: 'met', c2: 'met' });
    await put('locked.txt', 'other');
    expect((await ground.gate()).criteria).toMatchObject([
      { criterionId: 'c2', state: 'unmet', reason: 'locked.txt is changed since the start' },
      { criterionId: 'c1', state: 'unmet', reason: 'not looked at yet', receipts: [] },
    ]);
    await put('locked.txt', 'first');
    expect((await ground.gate()).criteria.map(({ state }) => state)).toEqual(['met', 'met']);
  });

  it('git: a commit that changes something, within the paths, without stray files', async () => {
    const git = (...args: string[]) => run('git', ['-C', path, ...args]);
    await git('init', '-q', '-b', 'main');
    await git('config', 'user.email', 'a@example.com');
    await git('config', 'user.name', 'A');
    const spec: Criterion = { kind: 'git', branch: 'main', allowedPaths: ['*.txt'], clean: true };
    const ground = openGround(path, [spec]);
    await ground.lookFirst();
    const reason = async () => (await ground.gate()).criteria[0]?.reason;
    await git('commit', '-q', '--allow-empty', '-m', 'nothing');
    expect(await reason()).toBe('no commit since the start changes a file');
    await put('answer.txt', '42');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'answer');
    await put('stray.txt', 'x');
    expect(await reason()).toBe('stray files: stray.txt');
    await git('clean', '-fq');
    expect((await ground.gate()).criteria[0]).toMatchObject({ state: 'met', isHostChecked: false });
    await put('beyond.md', 'x');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'more');
    expect(await reason()).toBe('changed outside of *.txt: beyond.md');
    await git('switch', '-q', '-c', 'other');
    expect(await reason()).toBe('the branch is other, not main');
  });

  it('CON-139 git: a first commit counts, whatever the repository names objects by', async () => {
    const git = (...args: string[]) => run('git', ['-C', path, ...args]);
    await git('init', '-q', '--object-format=sha256');
    await git('config', 'user.email', 'a@example.com');
    await git('config', 'user.name', 'A');
    const { after } = await both({ kind: 'git' }, async () => {
      await put('answer.txt', '42');
      await git('add', '-A');
      await git('commit', '-q', '-m', 'answer');
    });
    expect(after).toMatchObject({ state: 'met' });
  });

  it('diagnostics: errors before, none after', async () => {
    await put('app.py', 'print(\n');
    const python = await both({ kind: 'diagnostics' }, () => put('app.py', 'print(1)\n'));
    expect(python.before).toBe('unmet');
    expect(python.after).toMatchObject({ state: 'met', reason: 'no errors by python' });
  });

  it('diagnostics: without a checker, or without the one of the start, unmet', async () => {
    const none = await both({ kind: 'diagnostics' }, async () => {});
    expect(none.before).toBe('not_run');
    expect(none.after?.reason).toMatch(/^no checker was found/);
    await put('app.py', 'print(1)\n');
    const gone = await both({ kind: 'diagnostics' }, () => run('rm', [join(path, 'app.py')]));
    expect(gone.after?.reason).toBe('gone since the start: python');
  });

  it('C18 runs the command that the claim names, which refuses and never proves', async () => {
    const ground = openGround(path, []);
    await ground.lookFirst();
    const claim = { result: 'Done', command: 'test -f answer.txt' };
    const call = { callId: 'x', providerId: 'y', tool: 'attempt_completion' };
    ground.steps.push({ calls: [{ ...call, input: JSON.stringify(claim) }] } as never);
    expect((await ground.gate()).criteria[0]).toMatchObject({
      criterionId: 'claim',
      state: 'unmet',
    });
    await put('answer.txt', '42');
    expect((await ground.gate()).criteria[0]).toMatchObject({ state: 'met', isHostChecked: false });
  });
});

describe('a claim that names a search which must find nothing', () => {
  it('C4 may fail as the model declared when it ran it', async () => {
    const ground = openGround(path, []);
    await put('a.txt', 'clean');
    const command = 'grep -q TODO a.txt';
    const call = { callId: 'x', providerId: 'y', tool: 'attempt_completion' };
    const input = JSON.stringify({ result: 'Done', command });
    ground.steps.push({ calls: [{ ...call, input }] } as never);
    expect((await ground.gate()).criteria[0]?.state).toBe('unmet');
    const receipt = { command, exitCode: 1, expectFailure: true };
    ground.settle({ callId: 't1.s1.1', tool: 'run_command', outcome: 'succeeded', receipt });
    expect((await ground.gate()).criteria[0]?.state).toBe('met');
  });
});

describe('a reviewer', () => {
  const review: Criterion = { kind: 'review', rubric: 'It has to be 42.' };
  const reviewer = (text: string, asked: ModelRequest[]) => ({
    call: async (request: ModelRequest) => {
      asked.push(request);
      return {
        kind: 'answer' as const,
        text,
        calls: [],
        finishReason: 'stop' as const,
        usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10 },
      };
    },
    assertUsable: () => {},
    price: () => ({ costUsd: '0.01', version: 'v' }),
    contextWindow: () => 100_000,
    maxOutput: () => 4000,
    sees: () => null,
    countTokens: (words: string) => words.length,
  });

  it.each([
    ['{"verdict":"pass","findings":[]}', 'met', 'the reviewer found nothing wrong'],
    ['{"verdict":"fail","findings":["a.txt is 41"]}', 'unmet', 'the reviewer says: a.txt is 41'],
    ['Looks great!', 'unmet', 'the reviewer gave no verdict'],
  ])('says %s', async (text, state, reason) => {
    const asked: ModelRequest[] = [];
    const ground = openGround(path, [review], { model: reviewer(text, asked) });
    await ground.lookFirst();
    await put('a.txt', '41');
    const receipt = { writes: ['a.txt'] };
    ground.settle({ callId: 't1.s1.1', tool: 'write_file', outcome: 'succeeded', receipt });
    const { criteria } = await ground.gate();
    expect(criteria[0]).toMatchObject({ state, reason, isHostChecked: false });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.tools).toEqual([]);
    expect(asked[0]?.messages[0]?.content.text).toMatch(
      /It has to be 42.*=== a\.txt \(added\)\n.*\+41/s,
    );
    expect(ground.charged).toMatchObject([{ usage: { inputTokens: 100, costUsd: '0.01' } }]);
    expect(ground.rows.at(-1)).toMatchObject({ tool: 'check.review' });
  });

  it('spends nothing of what is set aside for delegates', async () => {
    const asked: ModelRequest[] = [];
    const usage = { ...noUsage, tokens: 0 };
    const limited = {
      usage,
      budget: { tokens: 20_000, costUsd: null, turns: null, activeSeconds: null, deadline: null },
      setAside: { ...usage, tokens: 19_000 },
    };
    const model = reviewer('{"verdict":"pass","findings":[]}', asked);
    const ground = openGround(path, [review], { model }, limited);
    await ground.lookFirst();
    await put('a.txt', '41');
    await ground.gate().catch(() => {});
    expect(asked).toEqual([]);
    const free = openGround(path, [review], { model }, { ...limited, setAside: usage });
    await free.lookFirst();
    await free.gate();
    expect(asked).toHaveLength(1);
  });
});
