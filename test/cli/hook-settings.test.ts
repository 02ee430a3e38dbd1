import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { hookedEvents, withHooks, withoutHooks } from '../../src/cli/hooks/settings.ts';
import { compiled } from '../support/compiled.ts';
import { type Ran, start } from './command-line.ts';

const entry = compiled('src/cli/main.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-hooks-'));
  mkdirSync(join(folder, '.git'));
});

const homes = () => ({
  CLAUDE_CONFIG_DIR: join(folder, 'claude'),
  CODEX_HOME: join(folder, 'codex'),
});
const hook = (...args: string[]): Promise<Ran> => start(['hook', ...args], homes(), folder).done;
const at = (path: string) => join(folder, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};

const THEIRS = {
  model: 'opus',
  hooks: {
    Stop: [{ matcher: '*', hooks: [{ type: 'command', command: 'other-tool hook run' }] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }],
  },
};

const COMMAND = 'goalkeeper hook run claude';

test('KEY-32: nobody else writes to what the command line makes, whatever the mask of the shell', () => {
  const shell = (command: string) =>
    execFileSync('bash', ['-c', `umask 000; ${command}`, process.execPath, entry], {
      cwd: folder,
      env: { ...process.env, ...homes() },
    });
  shell('"$0" "$1" hook install claude --user; "$0" "$1" hook install codex --user');
  const made = execFileSync('find', ['claude', 'codex', '-perm', '/022'], { cwd: folder });
  expect(made.toString()).toBe('');
  expect(statSync(at('claude')).mode & 0o777).toBe(0o755);
});

describe('settings of hooks', () => {
  test('HOOK-3 are written beside what is there, once, and taken out to the last byte', async () => {
    const before = `${JSON.stringify(THEIRS, null, 4)}\n`;
    write('.claude/settings.json', before);
    const ran = await hook('install', 'claude', '--project');
    expect(ran.exitCode).toBe(0);
    const written = JSON.parse(read('.claude/settings.json'));
    expect(written).toMatchObject({
      model: 'opus',
      hooks: { PreToolUse: THEIRS.hooks.PreToolUse },
    });
    expect(written.hooks.Stop[0]).toEqual(THEIRS.hooks.Stop[0]);
    expect(Object.keys(written.hooks)).toEqual(
      expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop']),
    );
    expect(written.hooks.Stop[1].hooks[0]).toMatchObject({ type: 'command', timeout: 600 });
    const again = await hook('install', 'claude');
    expect(again.out).toContain('has them already');
    expect(JSON.parse(read('.claude/settings.json'))).toEqual(written);
    expect((await hook('status')).out).toMatch(/claude project: installed .*\nclaude user: not/);
    await hook('uninstall', 'claude');
    expect(read('.claude/settings.json')).toBe(before);
  });

  test.each([
    ['claude', '--project', '.claude/settings.json'],
    ['codex', '--project', '.codex/hooks.json'],
    ['claude', '--user', 'claude/settings.json'],
    ['codex', '--user', 'codex/hooks.json'],
  ])(
    'HOOK-3 of %s %s are %s, which goes where nothing else is in it',
    async (agent, level, path) => {
      await hook('install', agent, level);
      expect(hookedEvents(JSON.parse(read(path)))).toHaveLength(4);
      await hook('uninstall', agent, level);
      expect(() => statSync(at(path))).toThrow('ENOENT');
    },
  );

  test.each([
    ['{ // mine\n "model": "opus" }', 'no valid JSON'],
    ['[]', 'no JSON object'],
    ['{"hooks": []}', '"hooks" is no JSON object'],
    ['{"hooks": {"Stop": {}}}', '"hooks.Stop" is no list'],
  ])('HOOK-4 that read %s stay as they are, and the mistake is told', async (text, why) => {
    write('.claude/settings.json', text);
    const ran = await hook('install', 'claude');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toContain(why);
    expect(read('.claude/settings.json')).toBe(text);
  });

  test('HOOK-4 an unknown agent and two places at once are told with the way out', async () => {
    expect((await hook('install', 'vim')).err).toContain('claude or codex');
    expect((await hook('install', 'claude', '--user', '--project')).exitCode).toBe(3);
  });

  test('HOOK-4 a link stays one, and a file keeps its mode', async () => {
    write('dotfiles.json', '{}');
    mkdirSync(at('.claude'));
    symlinkSync('../dotfiles.json', at('.claude/settings.json'));
    const { mode } = statSync(at('dotfiles.json'));
    await hook('install', 'claude');
    expect(hookedEvents(JSON.parse(read('dotfiles.json')))).toHaveLength(4);
    expect(statSync(at('dotfiles.json')).mode).toBe(mode);
  });

  test('HOOK-3 whatever stands there, uninstalling gives back what was there (property)', () => {
    const handler = fc.record({ type: fc.constant('command'), command: fc.string() });
    const group = fc.record({ matcher: fc.string(), hooks: fc.array(handler) });
    const events = fc.dictionary(
      fc.constantFrom('Stop', 'PreToolUse', 'SessionStart'),
      fc.array(group, { minLength: 1 }),
      { minKeys: 1 },
    );
    const settings = fc.record({ model: fc.string(), hooks: events });
    fc.assert(
      fc.property(settings, (before) => {
        const installed = withHooks(before, COMMAND);
        expect(withHooks(installed, COMMAND)).toEqual(installed);
        expect(withoutHooks(installed)).toEqual(before);
      }),
    );
  });

  test('HOOK-3 a hook that a person put beside ours stays', () => {
    const mine = { type: 'command', command: 'notify-me' };
    const installed = withHooks({}, COMMAND) as { hooks: Record<string, { hooks: unknown[] }[]> };
    installed.hooks.Stop?.[0]?.hooks.push(mine);
    expect(withoutHooks(installed)).toEqual({ hooks: { Stop: [{ hooks: [mine] }] } });
  });

  test('HOOK-22 are not written through a link of the repository that leads out of it', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'goalkeeper-hooks-'));
    const mine = join(elsewhere, 'settings.json');
    writeFileSync(mine, '{"model":"mine"}\n');
    const out = [
      () => symlinkSync(elsewhere, at('.claude')),
      () => {
        mkdirSync(at('.claude'));
        symlinkSync(mine, at('.claude/settings.json'));
      },
      () => {
        mkdirSync(at('.claude'));
        symlinkSync(join(elsewhere, 'none.json'), at('.claude/settings.json'));
      },
    ];
    for (const lead of out) {
      rmSync(at('.claude'), { recursive: true, force: true });
      lead();
      const ran = await hook('install', 'claude', '--project');
      expect([ran.exitCode, ran.err]).toEqual([3, expect.stringContaining('by a link')]);
      expect(readdirSync(elsewhere)).toEqual(['settings.json']);
      expect(readFileSync(mine, 'utf8')).toBe('{"model":"mine"}\n');
    }
  });
});
