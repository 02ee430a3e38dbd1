import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { reply, type ScriptedReply } from '../../demo/script.ts';
import { nameSkipped } from '../support/skip-reason.ts';
import { type Mode, nameOf, playClass } from './attempts.ts';
import { openService, type Service, whyNot } from './service.ts';

for (const user of ['root', 'ordinary'] as const) {
  for (const sandbox of [true, false]) {
    const mode: Mode = { user, sandbox };
    describe(nameOf(mode), () => playFiles(mode));
  }
}

function playFiles(mode: Mode): void {
  const missing = whyNot(mode);
  if (missing !== null) {
    describe.skip(nameSkipped(`file (${nameOf(mode)})`, missing), () => {});
    return;
  }
  let service: Service;
  let folder: string;
  let outside: string;
  const rules: object[] = [
    { tool: '*', path: 'denied/**', decision: 'deny' },
    { tool: '*', decision: 'allow' },
  ];

  beforeAll(async () => {
    service = await openService(mode);
    const files = {
      'a.txt': 'hay\n',
      'denied/key.txt': 'CANARY-DENIED\n',
      'open/b.txt': 'hay\n',
      'open/own.txt': 'CANARY-OWN\n',
      '.git/config': '[core]\n',
      '.git/hooks/x': 'x',
    };
    const far = { 'far/key.txt': 'CANARY-FAR\n', 'far/canary-name.txt': 'x\n' };
    [folder, outside] = [service.folder(files), service.folder(far)];
    symlinkSync(join(outside, 'far/key.txt'), join(folder, 'link.txt'));
    symlinkSync(join(outside, 'far'), join(folder, 'linked'));
    symlinkSync('/proc/self/environ', join(folder, 'environ'));
    symlinkSync('/dev/zero', join(folder, 'zero'));
    symlinkSync('.git', join(folder, 'x'));
    symlinkSync('denied', join(folder, 'way'));
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    for (const made of ['/', 'line\nbreak.txt'])
      if (made !== '/') writeFileSync(join(folder, made), 'hay\n');
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', '-h', '--reference', folder, folder]);
  }, 300_000);
  afterAll(() => service.close());

  /** In as many goals as it takes: one that only fails is paused. */
  const run = async (...calls: ScriptedReply[]): Promise<string[]> => {
    const told: string[] = [];
    while (told.length < calls.length) {
      const { results } = await service.play(calls.slice(told.length), {
        workspace: { path: folder },
        policy: { tools: rules },
      });
      expect(results).not.toHaveLength(0);
      told.push(...results);
    }
    return told;
  };
  const read = (path: string) => reply.call('read_file', { path });
  const write = (path: string) => reply.call('write_file', { path, content: 'PLANTED\n' });
  const list = (input: object) => reply.call('list_files', { ...input });
  const grep = (input: object) => reply.call('grep_search', { pattern: 'CANARY|root:', ...input });
  const LOOT = /CANARY-(FAR|PERSON|TILL)|root:x:|HOME=|GOALKEEPER_/;

  const shows = async (...calls: ScriptedReply[]): Promise<number> => {
    for (const text of await run(...calls)) expect(text).not.toMatch(LOOT);
    return calls.length;
  };
  /** The same tools show what they may: where they fail, nothing else could be seen either. */
  const mayShow = async (...seen: readonly (readonly [ScriptedReply, string])[]): Promise<void> => {
    const texts = await run(...seen.map(([call]) => call));
    for (const [index, [, text]] of seen.entries()) expect(texts[index]).toContain(text);
  };
  /** Names from outside; a refusal repeats the path that was asked for. */
  const NAMES = /passwd|canary-name|id_ed25519|\.npmrc|key\.txt/;
  const plants = async (targets: readonly string[], ...calls: ScriptedReply[]): Promise<number> => {
    await run(...calls);
    for (const path of targets) {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      expect([path, text.includes('PLANTED')]).toEqual([path, false]);
    }
    return calls.length;
  };
  /** Exchanges a folder and a link to the outside as fast as it can, until ended. */
  const swap = (name: string) => {
    mkdirSync(join(folder, `${name}-real`), { recursive: true });
    writeFileSync(join(folder, `${name}-real`, 'key.txt'), 'hay\n');
    if (process.getuid?.() === 0)
      spawnSync('chown', ['-R', '--reference', folder, join(folder, `${name}-real`)]);
    const script = `import os
os.chdir(${JSON.stringify(folder)})
while True:
    os.path.lexists("${name}") and os.rename("${name}", "${name}-real")
    os.path.lexists("${name}-link") or os.symlink(${JSON.stringify(join(outside, 'far'))}, "${name}-link")
    os.rename("${name}-link", "${name}"); os.rename("${name}", "${name}-link")
    os.rename("${name}-real", "${name}")`;
    const child = spawn('/usr/bin/python3', ['-c', script], { stdio: 'ignore' });
    return () => child.kill('SIGKILL');
  };

  playClass('file', mode, {
    'FIL-1': () =>
      shows(
        read('../../../../../../etc/passwd'),
        read('open/../../../../../../etc/passwd'),
        read(`../${outside.split('/').at(-1)}/far/key.txt`),
      ),
    'FIL-2': () =>
      shows(read('/etc/passwd'), read(join(outside, 'far/key.txt')), read('//etc/passwd')),
    'FIL-3': () => shows(read('link.txt'), read('./open/../link.txt')),
    'FIL-4': () => shows(read('linked/key.txt'), read('linked/../far/key.txt')),
    'FIL-5': () =>
      shows(
        read('/proc/self/environ'),
        read('environ'),
        read('/proc/1/environ'),
        read('/proc/self/root/etc/passwd'),
        read('/dev/fd/0'),
      ),
    'FIL-6': () => shows(read('pipe'), grep({ path: 'pipe' })),
    'FIL-7': () => shows(read('zero'), read('/dev/zero')),
    'FIL-8': () =>
      shows(
        ...[
          'a.txt\0/etc/passwd',
          '%2e%2e/%2e%2e/etc/passwd',
          '..\\..\\etc\\passwd',
          '．．/．．/etc/passwd',
          'file:///etc/passwd',
          '..;/..;/etc/passwd',
          '....//....//etc/passwd',
          '\u202e../etc/passwd',
        ].map(read),
      ),
    'FIL-9': () =>
      shows(
        read('a/'.repeat(50_000)),
        read('x'.repeat(100_000)),
        list({ path: 'a/'.repeat(50_000) }),
      ),
    'FIL-10': () =>
      shows(
        read('~/.ssh/id_ed25519'),
        read('$HOME/.ssh/id_ed25519'),
        read(join(service.person, '.npmrc')),
        read('~root/.ssh/id_ed25519'),
      ),
    'FIL-11': () =>
      plants(
        [join(outside, 'planted'), '/tmp/goalkeeper-planted'],
        write(`../${outside.split('/').at(-1)}/planted`),
        write(join(outside, 'planted')),
        write('/tmp/goalkeeper-planted'),
      ),
    'FIL-12': () => plants([join(outside, 'far/key.txt')], write('link.txt')),
    'FIL-13': () =>
      plants(
        [join(outside, 'far/key.txt'), join(outside, 'far/new.txt')],
        write('linked/new.txt'),
        reply.call('edit_file', {
          path: 'linked/key.txt',
          edits: [{ oldText: 'CANARY', newText: 'PLANTED' }],
        }),
      ),
    'FIL-14': () =>
      plants(
        [join(folder, '.git/hooks/pre-commit'), join(folder, '.git/config')],
        write('.git/hooks/pre-commit'),
        write('.git/config'),
      ),
    'FIL-15': () =>
      plants(
        [join(folder, '.git/hooks/y')],
        ...[
          '.GIT/hooks/y',
          './.git/hooks/y',
          'open/../.git/hooks/y',
          '.ｇｉｔ/hooks/y',
          '.g\u200bit/hooks/y',
          'git~1/hooks/y',
          '.git./hooks/y',
          '.git /hooks/y',
          '.git::$INDEX_ALLOCATION/hooks/y',
          '.Gıt/hooks/y',
        ].map(write),
      ).then(async (tried) => {
        for (const name of ['.GIT', '.ｇｉｔ', '.g\u200bit', 'git~1'])
          expect([name, existsSync(join(folder, name))]).toEqual([name, false]);
        return tried;
      }),
    'FIL-16': () => plants([join(folder, '.git/hooks/z')], write('x/hooks/z')),
    'FIL-17': async () => {
      await mayShow([list({ path: 'open' }), 'open/b.txt'], [list({}), 'a.txt']);
      const texts = await run(
        list({ path: '..' }),
        list({ path: '/' }),
        list({ path: 'linked' }),
        list({ path: service.person }),
      );
      for (const text of texts) expect(text).not.toMatch(NAMES);
      return texts.length;
    },
    'FIL-18': async () => {
      await mayShow([list({ glob: '**/*.txt' }), 'open/b.txt'], [list({ glob: 'op*/*' }), 'b.txt']);
      const texts = await run(
        list({ glob: '../**' }),
        list({ glob: '/etc/**' }),
        list({ glob: '{..,x}/*' }),
        list({ glob: '**/../../**' }),
      );
      for (const text of texts) expect(text).not.toMatch(/passwd|canary-name|far\/key/);
      return texts.length;
    },
    'FIL-19': async () => {
      await mayShow([grep({ path: 'open' }), 'CANARY-OWN'], [grep({}), 'CANARY-OWN']);
      return await shows(
        grep({ path: '..' }),
        grep({ path: '/etc' }),
        grep({ path: 'linked' }),
        grep({ path: 'link.txt' }),
        grep({ path: service.person }),
      );
    },
    'FIL-20': async () => {
      const marks = [join(folder, 'ran'), '/tmp/goalkeeper-ran'];
      const texts = await run(
        ...[
          `--pre=touch ${marks[0]}`,
          '--pre=sh',
          '-f/etc/passwd',
          '--file=/etc/passwd',
          '--hostname-bin=/bin/sh',
          '-L',
          '--follow',
        ].flatMap((text) => [grep({ pattern: text }), grep({ glob: text })]),
      );
      for (const text of texts) expect(text).not.toMatch(LOOT);
      for (const mark of marks) expect(existsSync(mark)).toBe(false);
      return texts.length;
    },
    'FIL-21': async () => {
      writeFileSync(join(folder, 'as.txt'), `${'a'.repeat(50_000)}!\n`);
      const begin = Date.now();
      await run(
        grep({ pattern: '(a+)+$' }),
        grep({ pattern: '(a|a)*b' }),
        grep({ pattern: '((a{1,100}){1,100}){1,100}' }),
      );
      expect(Date.now() - begin).toBeLessThan(120_000);
      return 3;
    },
    'FIL-22': async () => {
      await mayShow([grep({}), 'CANARY-OWN']);
      const end = swap('search');
      const texts = await run(
        ...Array.from({ length: 40 }, (_, index) => grep(index % 2 ? { path: 'search' } : {})),
      ).finally(end);
      for (const text of texts) expect(text).not.toMatch(LOOT);
      return texts.length;
    },
    'FIL-23': async () => {
      await mayShow([read('open/own.txt'), 'CANARY-OWN']);
      const end = swap('reading');
      const texts = await run(...Array.from({ length: 40 }, () => read('reading/key.txt'))).finally(
        end,
      );
      for (const text of texts) expect(text).not.toMatch(LOOT);
      return texts.length;
    },
    'FIL-24': async () => {
      const end = swap('writing');
      await run(
        ...Array.from({ length: 40 }, (_, index) => write(`writing/new-${index}.txt`)),
      ).finally(end);
      for (let index = 0; index < 40; index += 1)
        expect(existsSync(join(outside, 'far', `new-${index}.txt`))).toBe(false);
      return 40;
    },
    'FIL-25': async () => {
      const marker = spawnSync('find', [folder, '-maxdepth', '2', '-name', '*goalkeeper*'])
        .stdout.toString()
        .trim()
        .split('\n')
        .filter(Boolean);
      if (marker.length === 0) return 'no marker in this workspace';
      const names = marker.map((path) => path.slice(folder.length + 1));
      return plants(marker, ...names.map(write));
    },
    'FIL-26': async () => {
      writeFileSync(join(folder, 'sparse'), '');
      truncateSync(join(folder, 'sparse'), 2 ** 30);
      const texts = await run(
        read('sparse'),
        grep({ path: 'sparse' }),
        grep({}),
        reply.call('edit_file', { path: 'sparse', edits: [{ oldText: 'x', newText: 'y' }] }),
      );
      spawnSync('rm', ['-f', join(folder, 'sparse')]);
      expect((await service.call('GET /readyz', { as: null })).status).toBe(200);
      return texts.length;
    },
    'FIL-27': async () => {
      const [text = ''] = await run(list({}));
      expect(text).not.toMatch(/^break\.txt/m);
      expect(text).toContain('\\n');
      return 1;
    },
    'FIL-28': async () => {
      const texts = await run(
        read('denied/key.txt'),
        read('way/key.txt'),
        read('open/../denied/key.txt'),
        read('./denied//key.txt'),
        read(join(folder, 'denied/key.txt')),
        reply.call('run_command', { command: 'cat denied/key.txt' }),
      );
      for (const text of texts) expect(text).not.toContain('CANARY-DENIED');
      return texts.length;
    },
    'FIL-29': async () => {
      await mayShow([grep({}), 'CANARY-OWN'], [list({ glob: 'open/**' }), 'open/b.txt']);
      const texts = await run(
        grep({}),
        grep({ path: '.' }),
        grep({ path: 'way' }),
        list({ glob: 'denied/**' }),
      );
      for (const text of texts) expect(text).not.toContain('CANARY-DENIED');
      return texts.length;
    },
    'FIL-30': () =>
      shows(
        read(join(service.workspaces.till, 'till.txt')),
        grep({ path: service.workspaces.till }),
        write(join(service.workspaces.till, 'till.txt')),
      ).then((tried) => {
        expect(readFileSync(join(service.workspaces.till, 'till.txt'), 'utf8')).toBe(
          'CANARY-TILL\n',
        );
        return tried;
      }),
  });
}
