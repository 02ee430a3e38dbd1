import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { configuredSandbox } from '../../src/app/configured-sandbox.ts';
import { CommandsRefused } from '../../src/contract/failures.ts';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { runCommandTool } from '../../src/tools/run-command.ts';
import { addWorktree, beginBranch } from '../../src/worktrees/git.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { describeWith, ROOT } from '../support/needs.ts';
import { temporaryFolder, testContext } from '../tools/support.ts';
import { testBox } from './support.ts';

const RIGHTS =
  'id -u; id -g; id -G; grep -E "^(CapInh|CapPrm|CapEff|CapAmb|NoNewPrivs)" /proc/self/status';
const NONE = [
  ...['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map((set) => `${set}:\t0000000000000000`),
  'NoNewPrivs:\t1',
];
const OWNER = { uid: 12_345, gid: 12_346 };

async function ownedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  chownSync(folder, OWNER.uid, OWNER.gid);
  return folder;
}

const openBox = (workspace: string) => testBox({ workspace, mode: 'off' });

test.each([0, 1000])('BOX-10 a worker starts without a sandbox: user %i', async (uid) => {
  const home = await temporaryFolder();
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  onTestFinished(() => void vi.restoreAllMocks());
  const limits = commandLimits();
  const { protection } = await configuredSandbox({
    sandbox: { mode: 'off', limits },
    home,
    service: { allowedAddresses: [] },
  });
  expect(protection.isolation).toBe('none');
});

describeWith(ROOT, 'a worker of root’s without a sandbox', () => {
  test('BOX-11 runs a command as the owner of the workspace, without any right of root’s', async () => {
    const box = await openBox(await ownedFolder());
    const file = { content: Buffer.from('a'), expected: null, callId: 'c-1' };
    await box.effects.writeFile({ path: join(box.workspace, 'new/file'), ...file });
    const run = await box.run(`${RIGHTS}; echo b >> new/file; cat new/file; echo made > made; \
      touch ~/there && echo at home; cat ${box.home}/secret; ls /proc/1/fd`);
    const lines = run.output.trim().split('\n');
    expect(lines.slice(0, 3)).toEqual(['12345', '12346', '12346']);
    expect(lines).toEqual(expect.arrayContaining([...NONE, 'ab', 'at home']));
    expect(run.output).toMatch(/secret: No such|secret: Permission denied/);
    expect(run).toMatchObject({ isolation: 'none', ended: 'exited' });
    expect(lstatSync(join(box.workspace, 'made'))).toMatchObject(OWNER);
  });

  test('BOX-11 a program that lets a user become root lets nobody', async () => {
    const box = await openBox(await ownedFolder());
    const copy = join(box.workspace, 'id-of-root');
    execFileSync('cp', ['/usr/bin/id', copy]);
    execFileSync('chmod', ['4755', copy]);
    expect((await box.run('./id-of-root -u')).output).toBe('12345\n');
  });

  test('BOX-12 refuses a command in a folder of root’s, and names the folder and both ways out', async () => {
    const workspace = await temporaryFolder();
    const box = await testBox({ workspace: await ownedFolder(), mode: 'off' });
    const own = await testBox({
      mode: 'off',
      ground: () => ({ goalId: 'g', workspace, network: 'none' }),
    });
    const refused = await own.run('touch ran').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandsRefused);
    expect(String(refused)).toContain(realpathSync(workspace));
    expect(String(refused)).toMatch(/install bubblewrap.*chown -R USER: /);
    expect(() => lstatSync(join(workspace, 'ran'))).toThrow('ENOENT');
    // The model is told the same.
    const context = testContext(workspace, own.effects);
    const told = await runCommandTool.run({ command: 'touch ran' }, context, undefined);
    expect(told).toMatchObject({ outcome: 'refused', text: expect.stringContaining('chown -R') });
    expect((await box.run('echo others run')).output).toBe('others run\n');
  });

  test('BOX-12 refuses one whose owner can’t get to the folder, and says which is closed', async () => {
    const around = await temporaryFolder();
    const workspace = join(around, 'deep');
    mkdirSync(workspace);
    chownSync(workspace, OWNER.uid, OWNER.gid);
    const box = await openBox(workspace);
    await expect(box.run('true')).rejects.toThrow(`${around} can't be entered by user 12345`);
    chmodSync(around, 0o711);
    expect(await box.run('true')).toMatchObject({ exitCode: 0 });
  });

  test('BOX-13 gives a fresh checkout, a check’s home and lent packages to the owner', async () => {
    const box = await openBox(await ownedFolder());
    const root = join(box.home, 'checkout');
    const packages = join(box.workspace, 'node_modules');
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src/a'), 'a\n');
    mkdirSync(join(packages, 'one'), { recursive: true });
    mkdirSync(join(packages, '.cache'));
    const lent = [{ at: 'node_modules', from: packages, fresh: ['.cache'] }];
    const reach = { root, home: join(box.home, 'of-check'), lent };
    mkdirSync(reach.home);
    const run = await box.run(
      'echo b >> src/a; cat src/a; echo c > ~/c && cat ~/c; mkdir node_modules/.cache && ls node_modules',
      { cwd: root, reach },
    );
    expect(run.output).toBe('a\nb\nc\none\n');
  });

  test('BOX-32 links to lent packages are made in the tree itself, and behind no link', async () => {
    const box = await openBox(await ownedFolder());
    const [root, victim] = [join(box.home, 'checkout'), await temporaryFolder()];
    const packages = join(box.workspace, 'node_modules');
    mkdirSync(join(packages, 'one'), { recursive: true });
    mkdirSync(root);
    chownSync(root, OWNER.uid, OWNER.gid);
    symlinkSync(victim, join(root, 'node_modules'));
    const lent = [{ at: 'node_modules', from: packages, fresh: [] }];
    await expect(box.run('true', { cwd: root, reach: { root, lent } })).rejects.toThrow(
      'node_modules is no folder',
    );
    expect(readdirSync(victim)).toEqual([]);
  });

  test('BOX-13 what the host’s git makes for a goal’s own tree belongs to the repository’s owner', async () => {
    const origin = await temporaryFolder();
    writeFileSync(join(origin, 'a.txt'), 'a\n');
    startRepository(origin);
    execFileSync('chown', ['-R', `${OWNER.uid}:${OWNER.gid}`, origin]);
    chmodSync(origin, 0o755);
    const tree = join(await temporaryFolder(), 'tree');
    chmodSync(join(tree, '..'), 0o711);
    const head = gitIn(origin)('rev-parse', 'HEAD').trim();
    await addWorktree(origin, tree, head);
    await beginBranch(tree, 'work', head);
    const box = await openBox(tree);
    const commit = 'git -c user.name=t -c user.email=t@localhost commit -qam more';
    const run = await box.run(`echo b >> a.txt && ${commit} && git log --oneline | wc -l`);
    expect(run.output.trim()).toBe('2');
  });
});
