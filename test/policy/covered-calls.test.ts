import { beforeAll, describe, expect, test } from 'vitest';
import { coverageOf, coverageText, covers, isSameCommand } from '../../src/policy/covered-calls.ts';
import { shellLine } from '../../src/process/shell-line.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import type { ParseShell } from '../../src/shell/read/script.ts';

let parse: ParseShell;
beforeAll(async () => {
  parse = await loadShellParser();
});

const run = (command: string, more: object = {}) => coverageOf('run_command', { command, ...more });

/** `links`: where paths lead that are no plain names. */
function lets(
  rule: ReturnType<typeof coverageOf>,
  call: ReturnType<typeof coverageOf>,
  links: Readonly<Record<string, string | null>> = {},
): boolean {
  const resolved = (path: string) => (path in links ? (links[path] ?? null) : path);
  return rule !== null && covers(rule, call, { parse, resolved });
}

describe('RULE-1: a rule of a command lets run that command and no other', () => {
  test.each([
    'git push --force',
    '  git push --force\n',
    'git  push   "--force"',
    "'git' push \\--force",
    shellLine(['git', 'push', '--force']),
  ])('it is the same as %j', (other) => {
    expect(isSameCommand('git push --force', other, parse)).toBe(true);
  });

  test.each([
    'git push --force origin',
    'git push',
    'git push --force; rm -rf src',
    'git push --force && rm -rf src',
    'git push --force | sh',
    'git push --force &',
    '! git push --force',
    '(git push --force)',
    'git push --force > /etc/passwd',
    'GIT_SSH=./evil git push --force',
    'cd other && git push --force',
    'sudo git push --force',
    'bash -c "git push --force"',
    "'git push --force'",
    'git "push --force"',
    'git push --forc?',
    'git push $FLAG',
    'git push $(echo --force)',
    './git push --force',
    'GIT push --force',
    shellLine(['git', 'push --force']),
    shellLine(['sh', '-c', 'git push --force']),
    'git push --force "',
  ])('it is another than %j', (other) => {
    expect(isSameCommand('git push --force', other, parse)).toBe(false);
    expect(isSameCommand(other, 'git push --force', parse)).toBe(false);
  });

  test('what the shell fills in is the same only as it was written', () => {
    expect(isSameCommand('rm -rf *', 'rm -rf *', parse)).toBe(true);
    expect(isSameCommand("rm -rf '*'", 'rm -rf *', parse)).toBe(false);
    expect(isSameCommand('rm -rf ~', "rm -rf '~'", parse)).toBe(false);
    expect(isSameCommand('rm -rf {a,b}', "rm -rf '{a,b}'", parse)).toBe(false);
    expect(isSameCommand('rm -rf $A', "rm -rf '$A'", parse)).toBe(false);
    expect(isSameCommand('a && b', 'a  &&  b', parse)).toBe(false);
  });

  test('stars in an approved command stand for themselves', () => {
    expect(lets(run('rm -rf *'), run('rm -rf src'))).toBe(false);
    expect(lets(run('npm publish *'), run('npm publish --tag next'))).toBe(false);
  });

  test('elsewhere it is another, also behind a link', () => {
    const rule = run('npm publish', { cwd: 'packages/a' });
    expect(lets(rule, run('npm publish', { cwd: './packages/a/' }))).toBe(true);
    expect(lets(rule, run('npm publish'))).toBe(false);
    expect(lets(run('npm publish'), run('npm publish', { cwd: 'packages/a' }))).toBe(false);
    const linked = run('npm publish', { cwd: 'packages/a' });
    expect(lets(rule, linked, { 'packages/a': 'packages/b' })).toBe(false);
    expect(lets(rule, linked, { 'packages/a': null })).toBe(false);
  });

  test('how long it may take, and whether it should fail, is not compared', () => {
    const slow = run('npm publish', { timeoutSeconds: 900, expectFailure: true });
    expect(lets(run('npm publish'), slow)).toBe(true);
  });
});

describe('RULE-2: a rule of any other tool names what it is about', () => {
  test('of a file it is the tool and the path, through no link', () => {
    const rule = coverageOf('write_file', { path: 'infra/a.tf', content: 'x' });
    const again = coverageOf('write_file', { path: './infra/a.tf', content: 'y' });
    expect(coverageText(rule as never)).toBe('write_file on infra/a.tf');
    expect(lets(rule, again)).toBe(true);
    expect(lets(rule, again, { 'infra/a.tf': 'prod/a.tf' })).toBe(false);
    expect(lets(rule, coverageOf('write_file', { path: 'infra/b.tf' }))).toBe(false);
    expect(lets(rule, coverageOf('write_file', { path: 'infra/x/../a.tf' }))).toBe(false);
    expect(lets(rule, coverageOf('edit_file', { path: 'infra/a.tf' }))).toBe(false);
  });

  test('of a foreign tool it is every argument', () => {
    const rule = coverageOf('mcp__tracker__close', { id: 4, why: { a: 1, b: 2 } });
    expect(lets(rule, coverageOf('mcp__tracker__close', { why: { b: 2, a: 1 }, id: 4 }))).toBe(
      true,
    );
    expect(lets(rule, coverageOf('mcp__tracker__close', { id: 5, why: { a: 1, b: 2 } }))).toBe(
      false,
    );
    expect(lets(rule, coverageOf('mcp__tracker__close', { id: 4 }))).toBe(false);
    expect(lets(rule, coverageOf('mcp__tracker__open', { id: 4, why: { a: 1, b: 2 } }))).toBe(
      false,
    );
  });

  test("an agent's own command is the host's, and nothing else of an agent's is a rule", () => {
    const agents = coverageOf('agent_permission', {
      ...{ tool: 'run_command', title: 'harmless', command: 'npm publish', cwd: '.' },
    });
    expect(agents).toEqual(run('npm publish'));
    const edit = { tool: 'edit_file', title: 'Delete it', paths: ['infra/a.tf'] };
    expect(coverageOf('agent_permission', edit)).toBeNull();
    expect(coverageOf('agent_permission', { tool: 'run_command', title: 'x' })).toBeNull();
  });

  test('signs that nobody sees are shown as marks', () => {
    const spoofed = run('rm -rf a\u202e\u200bb\n');
    expect(coverageText(spoofed as never)).toBe('run_command "rm -rf a\\u{202e}\\u{200b}b\\n"');
    expect(lets(spoofed, run('rm -rf ab'))).toBe(false);
  });

  test('what is too long to be read is no rule', () => {
    expect(run(`echo ${'x'.repeat(5000)}`)).toBeNull();
    expect(coverageOf('run_command', null)).toBeNull();
  });
});
