import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeWith, ROOT, testWith } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';
import { SANDBOX, testBox } from './support.ts';

/** Makes calls by their number on x86-64, past what a library would do. */
const CALLS = `import ctypes, os, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    ctypes.set_errno(0)
    result = libc.syscall(*args)
    print(name, ctypes.get_errno() if result < 0 else "done")
open("plain", "w").close()
fd = os.open("plain", os.O_RDWR)
at = -100
path = ctypes.c_char_p(b"plain")
call("chmod", 90, path, 0o4755)
call("fchmod", 91, fd, 0o2755)
call("fchmodat", 268, at, path, 0o6755)
call("fchmodat2", 452, at, path, 0o4755, 0)
call("open", 2, ctypes.c_char_p(b"opened"), os.O_CREAT | os.O_WRONLY, 0o4755)
call("openat", 257, at, ctypes.c_char_p(b"opened"), os.O_CREAT | os.O_WRONLY, 0o2755)
call("tmpfile", 257, at, ctypes.c_char_p(b"."), 0o20200000 | os.O_WRONLY, 0o4755)
call("openat2", 437, at, path, 0, 0)
call("creat", 85, ctypes.c_char_p(b"created"), 0o4755)
call("mknod", 133, ctypes.c_char_p(b"node"), 0o104755, 0)
call("mknodat", 259, at, ctypes.c_char_p(b"node"), 0o104755, 0)
call("unshare user", 272, 0x10000000)
call("unshare net", 272, 0x40000000)
call("clone user", 56, 0x10000000 | 17, 0, 0, 0, 0)
call("clone3", 435, 0, 0)
call("setns", 308, fd, 0)
call("mount", 165, 0, 0, 0, 0, 0)
call("fsopen", 430, 0, 0)
call("keyctl", 250, 0, 0, 0)
call("add_key", 248, 0, 0, 0, 0, 0)
call("io_uring", 425, 1, 0)
call("bpf", 321, 0, 0, 0)
call("perf", 298, 0, 0, 0, 0, 0)
call("userfaultfd", 323, 0)
call("by handle", 304, 0, 0, 0)
call("terminal", 16, 0, 0x5412, 0)
call("vsock", 41, 40, 1, 0)
call("packet", 41, 17, 3, 0)
call("crypto", 41, 38, 5, 0)
call("uevents", 41, 16, 3, 15)
call("of a 32-bit sister", 0x40000000 + 39)
call("unknown", 470)
call("plain chmod", 90, path, 0o755)
call("plain open", 2, path, 0, 0o7777)
call("routes", 41, 16, 3, 0)
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6):
    socket.socket(family, socket.SOCK_STREAM).close()
socket.socketpair()
print("sockets done")
`;

const ANSWERS = [
  ...['chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'open', 'openat', 'tmpfile'].map((n) => `${n} 1`),
  ...['openat2 38', 'creat 1', 'mknod 1', 'mknodat 1'],
  ...['unshare user 1', 'unshare net 1', 'clone user 1', 'clone3 38', 'setns 1', 'mount 1'],
  ...['fsopen 38', 'keyctl 1', 'add_key 1', 'io_uring 38', 'bpf 1', 'perf 1', 'userfaultfd 1'],
  ...['by handle 1', 'terminal 1', 'vsock 97', 'packet 97', 'crypto 97', 'uevents 97'],
  ...['of a 32-bit sister 38', 'unknown 38'],
  ...['plain chmod done', 'plain open done', 'routes done', 'sockets done'],
];

const RIGHTS = 'id -u; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status';
const NONE = [
  ...['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map((set) => `${set}:\t0000000000000000`),
  'NoNewPrivs:\t1',
  'Seccomp:\t2',
];

describeWith(SANDBOX, 'what a command may ask of the kernel', () => {
  test.runIf(process.arch === 'x64')(
    'BOX-1 no namespace, key, ring, odd socket, set-id bit or call of another kind of machine',
    async () => {
      const box = await testBox();
      writeFileSync(join(box.workspace, 'calls.py'), CALLS);
      const { output } = await box.run('python3 calls.py');
      expect(output.trim().split('\n')).toEqual(ANSWERS);
    },
  );

  test('BOX-2 it runs as no root and without a capability, in a workspace of the worker’s user', async () => {
    const box = await testBox();
    const { output } = await box.run(`${RIGHTS}; echo a > made; mkdir folder; rm made`);
    const [uid, ...lines] = output.trim().split('\n');
    expect(uid).not.toBe('0');
    expect(lines).toEqual(expect.arrayContaining(NONE));
    const settings = 'for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do';
    const kernel = await box.run(`${settings} echo core > $f && echo ESCAPED; done; true`);
    expect(kernel.output).not.toContain('ESCAPED');
  });

  test('BOX-2 a program that lets a user become root lets nobody', async () => {
    const box = await testBox();
    const su = await box.run(
      'cp "$(command -v id)" i && chmod u+s i; ls -l i; su -c id; sudo -n id',
    );
    expect(su.output).not.toMatch(/^-..s|uid=0/m);
  });
});

describeWith(ROOT, 'where the worker is root', () => {
  describeWith(SANDBOX, 'and the workspace is somebody else’s', () => {
    test('BOX-3 commands run as its owner, also with what the host makes for them', async () => {
      const workspace = await temporaryFolder();
      chownSync(workspace, 12_345, 12_346);
      const box = await testBox({ workspace });
      const write = { content: Buffer.from('a'), expected: null, callId: 'c-1' };
      await box.effects.writeFile({ path: join(workspace, 'new/file'), ...write });
      const { output } = await box.run(`${RIGHTS}; id -g; echo b >> new/file && cat new/file; \
        echo kept > ~/kept; echo t > /tmp/t; echo made > made`);
      const lines = output.trim().split('\n');
      expect(lines[0]).toBe('12345');
      expect(lines).toEqual(expect.arrayContaining(NONE));
      expect(lines.slice(-2)).toEqual(['12346', 'ab']);
      expect(lstatSync(join(workspace, 'made'))).toMatchObject({ uid: 12_345, gid: 12_346 });
      expect((await box.run('cat ~/kept /tmp/t')).output).toBe('kept\nt\n');
    });

    test('BOX-3 a fresh checkout and the home of a check belong to the owner as well', async () => {
      const workspace = await temporaryFolder();
      chownSync(workspace, 12_345, 12_346);
      const box = await testBox({ workspace });
      const root = join(box.home, 'checkout');
      mkdirSync(join(root, 'src'), { recursive: true });
      writeFileSync(join(root, 'src/a'), 'a\n');
      const home = join(box.home, 'of-check');
      const run = await box.run('echo b >> src/a; cat src/a; echo c > ~/c && cat ~/c', {
        cwd: root,
        reach: { root, home },
      });
      expect(run.output).toBe('a\nb\nc\n');
    });
  });
});

describeWith(ROOT, 'the way to a workspace of an ordinary user', () => {
  testWith(SANDBOX)('BOX-23: is open to its commands, however deep it lies', async () => {
    const around = mkdtempSync('/srv/goalkeeper-way-');
    onTestFinished(() => rmSync(around, { recursive: true, force: true }));
    const workspace = join(around, 'a/shop');
    mkdirSync(workspace, { recursive: true });
    for (const at of [around, join(around, 'a')]) chmodSync(at, 0o755);
    execFileSync('git', ['init', '-q', workspace]);
    execFileSync('chown', ['-R', '65534:65534', workspace]);
    const box = await testBox({ workspace });
    const said = await box.run('cd "$PWD" && git status --short && stat -c %a ..');
    expect(said).toMatchObject({ exitCode: 0, output: '755\n' });
  });
});
