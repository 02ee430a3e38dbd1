import { readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { closedSettings, hiddenPlaces } from '../../src/sandbox/hidden-places.ts';
import { probe } from '../../src/sandbox/probe.ts';
import { describeWith, ROOT, testWith } from '../support/needs.ts';
import { SANDBOX, testBox } from './support.ts';

const SECRET = 'GOALKEEPER_SECRET_OF_THE_TEST';
const SHOWN = /^(?:bin|sbin|lib\w*|usr|etc|opt|nix|gnu|dev|proc|sys|tmp|var|home|root)$/;

describeWith(SANDBOX, 'what a command sees of the machine', () => {
  test('BOX-6 it is programs and their settings, and the workspace', async () => {
    vi.stubEnv('PATH', `${dirname(process.execPath)}:/usr/bin:/bin`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const box = await testBox();
    const { output } = await box.run(
      'cd /; for d in *; do [ -d $d ] && [ -n "$(ls -A $d 2>/dev/null)" ] && echo $d; done; true',
    );
    const seen = output.trim().split('\n');
    const unexpected = seen.filter((name) => !SHOWN.test(name));
    // The way to the workspace and to programs on PATH is shown, empty but for them.
    const known = [box.workspace, process.execPath].map((path) => path.split('/')[1]);
    expect(unexpected.filter((name) => !known.includes(name))).toEqual([]);
  });

  testWith(ROOT)('BOX-6 a new folder beside them is not', async () => {
    const box = await testBox();
    const folder = await mkdtemp('/box-6-');
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'file'), 'theirs');
    expect((await box.run(`cat ${folder}/file; ls -A ${folder}`)).output).not.toMatch(
      /theirs|^file/m,
    );
    const etc = await box.run('cat /etc/shadow /etc/gshadow 2>/dev/null; true');
    expect(etc.output).toBe('');
  });

  testWith(ROOT)(
    'BOX-30 what root alone may read in /etc is not, however late it came',
    async () => {
      const box = await testBox();
      const folder = await mkdtemp('/etc/box-30-');
      onTestFinished(() => rm(folder, { recursive: true }));
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'open'), 'OPEN');
      await writeFile(join(folder, 'key'), 'CANARY', { mode: 0o600 });
      await mkdir(join(folder, 'closed'), { mode: 0o700 });
      await writeFile(join(folder, 'closed', 'inside'), 'CANARY');
      const { output } = await box.run(
        `cat ${folder}/open ${folder}/key ${folder}/closed/inside; true`,
      );
      expect(output).toContain('OPEN');
      expect(output).not.toContain('CANARY');
    },
  );

  test('BOX-38 what went while it was masked does not pass for a machine without sandbox', async () => {
    const looks = [{ folders: ['/etc/gone'], files: [] }, closedSettings()];
    const look = () => looks.shift() ?? closedSettings();
    expect(await probe(hiddenPlaces(tmpdir()), [], look)).toMatchObject({ isolation: 'full' });
  });

  test('BOX-38 settings that never stand still are told as what they are', async () => {
    let looks = 0;
    const look = () => ({ folders: [`/etc/gone-${looks++}`], files: [] });
    const { isolation, why } = await probe(hiddenPlaces(tmpdir()), [], look);
    expect(isolation).toBe('none');
    expect(why).toContain('/etc/gone');
  });

  test('BOX-7 no process shows the environment of the service', async () => {
    process.env[SECRET] = 'CANARY';
    onTestFinished(() => void delete process.env[SECRET]);
    const box = await testBox();
    const { output } = await box.run(
      'mkdir p; mount -t proc proc p; cat /proc/*/environ /proc/*/task/*/environ p/*/environ 2>/dev/null; true',
    );
    expect(output).not.toContain('CANARY');
  });

  test('BOX-8 a socket made while a command runs is out of its reach', async () => {
    const box = await testBox();
    const at = join(box.home, 'late.sock');
    const made = join(box.workspace, 'made');
    const running = box.run(
      `until [ -f made ]; do sleep 0.01; done; python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); print(s.connect_ex("${at}"))'`,
    );
    const { createServer } = await import('node:net');
    const server = createServer((peer) => peer.end('CANARY')).listen(at);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    await writeFile(made, '');
    expect((await running).output).toBe('2\n');
  });

  test('BOX-9 3,000 nested folders neither stop nor slow what follows', async () => {
    const box = await testBox();
    const nest = `import os
for place in (".", os.environ["HOME"], "/tmp"):
    os.chdir(place)
    for _ in range(3000):
        os.mkdir("d" * 20)
        os.chdir("d" * 20)
`;
    await mkdir(box.workspace, { recursive: true });
    await writeFile(join(box.workspace, 'nest.py'), nest);
    expect(await box.run('python3 nest.py')).toMatchObject({ exitCode: 0, output: '' });
    const begun = performance.now();
    expect(await box.run('echo on')).toMatchObject({ exitCode: 0, output: 'on\n' });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(readdirSync(box.workspace)).toContain('nest.py');
  });
});
