import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { placeOf } from '../../src/cli/complete.ts';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { nextStep } from '../../src/cli/next-step.ts';
import { createProgram } from '../../src/cli/program/program.ts';
import { isAscii } from '../../src/cli/terminal.ts';
import { nearest } from '../../src/cli/unknown-goal.ts';
import { compiled } from '../support/compiled.ts';
import { FISH, testWith, ZSH } from '../support/needs.ts';
import { startService } from './command-line.ts';

type Service = Awaited<ReturnType<typeof startService>>;
let service: Service;
let goalId = '';
beforeAll(async () => {
  service = await startService();
  const { out } = await service.goalkeeper('run', 'Fix it', '--workspace-name', 'shop', '--detach');
  goalId = out.trim();
});
afterAll(() => service.close());

const program = createProgram(() => {});
const UNKNOWN = 'g-0000000000000000';

describe('a mistake at the terminal', () => {
  test('TERM-30 an unknown goal is told with the one that may be meant', async () => {
    const typed = `${goalId.slice(0, 8)}z`;
    const { exitCode, err } = await service.goalkeeper('show', typed);
    expect(exitCode).toBe(3);
    expect(err).toContain(`There is no goal ${typed}.`);
    expect(err).toContain(`Did you mean ${goalId} (Fix it)?`);
  });

  test.each([['approvals'], ['approve']])(
    'TERM-31 %s of a goal that does not exist says so',
    async (name) => {
      const { exitCode, err } = await service.goalkeeper(name, UNKNOWN);
      expect([exitCode, err]).toEqual([3, expect.stringContaining(`no goal ${UNKNOWN}`)]);
    },
  );

  test('TERM-32 a rewind beyond the last turn is refused, with the field', async () => {
    const { exitCode, err } = await service.goalkeeper('rewind', goalId, '--turn', '9');
    expect([exitCode, err]).toEqual([3, expect.stringContaining('has no turn yet')]);
    expect(err).toMatch(/field: +turn/);
  });

  test('TERM-33 a missing argument shows how the command is used', async () => {
    const { exitCode, err } = await service.goalkeeper('approve');
    expect(exitCode).toBe(3);
    expect(err).toContain("missing required argument 'goal'");
    expect(err).toContain('usage: goalkeeper approve [options] <goal> [approval]');
  });

  test('TERM-68 a goal that ended for good names no command that would be refused', () => {
    const goal = { goalId: 'g-1', status: 'paused', pause: { reason: 'infeasible' } };
    expect(nextStep(goal as unknown as Goal)).toContain('goalkeeper resume g-1');
    expect(nextStep({ ...goal, archivedAt: 'now' } as unknown as Goal)).toBeNull();
  });

  test('only near ids are meant, the nearest first', () => {
    const goals = ['g-7f3a9c', 'g-7f3a99', 'g-b81f06'].map((id) => ({ goalId: id, objective: '' }));
    expect(nearest('g-7f3a98', goals).map(({ goalId: id }) => id)).toEqual([
      'g-7f3a9c',
      'g-7f3a99',
    ]);
    expect(nearest('g-c00000', goals)).toEqual([]);
  });
});

describe('help', () => {
  test('TERM-34 has three examples before the flags, all of them of commands that exist', () => {
    for (const [name, examples] of Object.entries(EXAMPLES)) {
      const help = program.commands.find((one) => one.name() === name)?.helpInformation() ?? '';
      const at = examples.map((text) => help.indexOf(`  goalkeeper ${text}`));
      expect([name, at.every((place) => place > 0 && place < help.indexOf('Options:'))]).toEqual([
        name,
        true,
      ]);
    }
  });

  test('TERM-108 at 60 columns what a flag does is broken between words, beside the flag', () => {
    for (const command of program.commands) {
      const help = Object.assign(command.createHelp(), { helpWidth: 60 });
      const lines = help.formatHelp(command, help).split('\n');
      const about = lines.slice(lines.indexOf('Options:'));
      expect([
        command.name(),
        about.filter((text) => text.length > 60 && text.trim().includes(' ')),
      ]).toEqual([command.name(), []]);
    }
  });

  test('TERM-35 the examples are commands that can be parsed', () => {
    for (const text of Object.values(EXAMPLES).flat()) {
      const [name = '', ...words] = text.split(/ [|>] /)[0]?.match(/"[^"]*"|\S+/g) ?? [];
      const command = program.commands.find((one) => one.name() === name);
      const known = new Set(command?.options.flatMap(({ long, short }) => [long, short]));
      for (const word of words.filter((one) => one.startsWith('-')))
        expect([text, known.has(word)]).toEqual([text, true]);
    }
  });
});

describe('completion', () => {
  const wordsAt = (...words: string[]) =>
    placeOf(program, words).candidates.map(({ word }) => word);

  test('TERM-36 offers commands, their flags, and goals where a goal is asked for', () => {
    expect(wordsAt('wat')).toEqual(['watch']);
    expect(wordsAt('ledger', '')).toEqual(['rows', 'verify']);
    expect(wordsAt('rewind', '--u')).toEqual(['--undo']);
    expect(placeOf(program, ['watch', 'g-']).takesGoal).toBe(true);
    expect(placeOf(program, ['watch', 'g-1', '']).takesGoal).toBe(false);
    expect(placeOf(program, ['rewind', '--turn', '3', 'g-']).takesGoal).toBe(true);
    expect(placeOf(program, ['rewind', '--turn', '']).takesGoal).toBe(false);
  });

  test('TERM-37 completes ids of goals with their objectives, and nothing where the service is away', async () => {
    const found = await service.goalkeeper('complete-words', '--', 'watch', 'g-');
    expect(found.out).toContain(`${goalId}\tFix it`);
    const away = await service.goalkeeper('complete-words', '--', 'wat');
    expect(away).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^watch\t/) });
  });

  test('TERM-38 the script of bash is one', async () => {
    const { out } = await service.goalkeeper('completion', 'bash');
    await promisify(execFile)('bash', ['-n', '-c', out]);
    expect(out).toContain('complete -o nosort -F _goalkeeper goalkeeper');
  });
});

describe('a shell that runs its script', () => {
  const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-shells-'));
  const touched = join(bench, 'touched');
  const objective = `Fix: "it" $(touch ${touched}) \`touch ${touched}\` 'now' ; é\\n`;
  afterAll(() => rmSync(bench, { recursive: true, force: true }));

  async function inShell(
    shell: 'zsh' | 'fish',
    script: string,
    before = 'true',
  ): Promise<string[]> {
    const program = join(bench, 'goalkeeper');
    const line = `exec "${process.execPath}" "${compiled('src/cli/main.ts')}" "$@"`;
    writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    const file = join(bench, shell);
    writeFileSync(file, (await service.goalkeeper('completion', shell)).out);
    const args = shell === 'zsh' ? ['-f', '-c'] : ['--no-config', '-c'];
    const env = { ...service.environment, HOME: bench, PATH: `${bench}:${process.env.PATH}` };
    const options = { env, cwd: bench, encoding: 'utf8' } as const;
    const { stdout } = await promisify(execFile)(
      shell,
      [...args, `${before}; source ${file}; ${script}`],
      options,
    );
    return stdout.trimEnd().split('\n');
  }
  const started = async () =>
    (await service.goalkeeper('run', objective, '--workspace-name', 'shop', '--detach')).out.trim();

  testWith(FISH)(
    'TERM-66 fish offers commands, flags, goals and, where nothing fits, files',
    async () => {
      const id = await started();
      const offered = (line: string) => inShell('fish', `complete -C '${line}'`);
      expect(await offered('goalkeeper exp')).toEqual([expect.stringMatching(/^export\t/)]);
      expect(await offered('goalkeeper show --arch')).toEqual([
        expect.stringMatching(/^--archive\t/),
      ]);
      const goals = await offered('goalkeeper show ');
      expect(goals.find((line) => line.startsWith(id))).toContain('$(touch ');
      expect(await offered('goalkeeper show --archive ./goalk')).toEqual(['./goalkeeper']);
      expect(existsSync(touched)).toBe(false);
    },
  );

  testWith(ZSH)('TERM-66 zsh does, and its descriptions run nothing', async () => {
    const id = await started();
    // What the completion system would show.
    const shown =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is zsh's
      'compdef() { :; }; _describe() { print -rl -- "${(@P)2}"; }; _files() { print FILES; }';
    const offered = async (...words: string[]) =>
      await inShell(
        'zsh',
        `words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _goalkeeper`,
        shown,
      );
    expect(await offered('goalkeeper', 'exp')).toEqual([expect.stringMatching(/^export:the goal/)]);
    const goals = await offered('goalkeeper', 'show', '');
    expect(goals.find((line) => line.startsWith(`${id}:Fix: "it" $(touch `))).toBeDefined();
    expect(await offered('goalkeeper', 'show', '--archive', '')).toEqual(['FILES']);
    expect(existsSync(touched)).toBe(false);
  });
});

describe('exit codes that are asked for', () => {
  test('TERM-39 inbox and gate tell by it what waits; without the flag they exit with 0', async () => {
    expect((await service.goalkeeper('gate', goalId, '--exit-code')).exitCode).toBe(1);
    expect((await service.goalkeeper('gate', goalId)).exitCode).toBe(0);
    expect((await service.goalkeeper('inbox', '--exit-code')).exitCode).toBe(0);
  });

  test.each([
    [{ LANG: 'C' }, true],
    [{ LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' }, true],
    [{ LC_ALL: 'C.UTF-8', LANG: 'C' }, false],
    [{}, false],
  ])('with %j the signs are of ASCII: %s', (environment, expected) => {
    expect(isAscii(environment)).toBe(expected);
  });
});
