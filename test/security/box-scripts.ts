/** Where a command finds what it is after. */
export interface BoxTargets {
  readonly home: string;
  readonly person: string;
  readonly other: string;
  readonly apiPort: string;
  readonly databasePort: string;
  readonly temporalPort: string;
  readonly socket: string;
  readonly abstract: string;
}

const X86 = { addKey: 248, keyctl: 250, ioUring: 425, bpf: 321, userfaultfd: 323, perf: 298 };
const ARM = { addKey: 217, keyctl: 219, ioUring: 425, bpf: 280, userfaultfd: 282, perf: 241 };
const NUMBERS = process.arch === 'arm64' ? ARM : X86;

const python = (...lines: string[]): string =>
  ['/usr/bin/python3 - <<"END" 2>&1', ...lines, 'END', ''].join('\n');

/** Escaped where the call gives anything but an error. */
const call = (number: number, ...rest: (number | string)[]): string =>
  python(
    'import ctypes',
    'c = ctypes.CDLL(None, use_errno=True)',
    'b = ctypes.create_string_buffer(4096)',
    `r = c.syscall(${[number, ...rest].join(', ')})`,
    'print("ESCAPED" if r >= 0 else "refused", ctypes.get_errno())',
  );

const connects = (...sockets: string[]): string =>
  python(
    'import socket, os',
    `for family, to in [${sockets.join(', ')}]:`,
    '  s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(3)',
    '  try:',
    '    s.connect(to); s.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"); got = s.recv(64)',
    '    print("ESCAPED", to) if got else print("closed", to)',
    '  except OSError as error: print("refused", to, error)',
  );

const opensSocket = (family: string, kind: string, protocol = 0): string =>
  python(
    'import socket',
    `try: socket.socket(${family}, ${kind}, ${protocol}); print("ESCAPED")`,
    'except OSError as error: print("refused", error)',
  );

const reads = (...paths: string[]): string =>
  paths.map((path) => `cat ${path} && echo ESCAPED ${path}`).join('; ');

const writes = (...paths: string[]): string =>
  paths.map((path) => `(echo x >> ${path}) 2>&1 && echo ESCAPED ${path}`).join('; ');

const inet = (port: string, host = '127.0.0.1') => `(socket.AF_INET, ("${host}", ${port}))`;
const unix = (path: string) => `(socket.AF_UNIX, ${path})`;

/**
 * By id of attempts.md, what a command runs. It says ESCAPED or shows a CANARY where it got what it
 * wanted.
 */
export const BOX_SCRIPTS = (to: BoxTargets): Readonly<Record<string, string>> => ({
  'CMD-1': '[ "$(id -u)" = 0 ] && echo ESCAPED; id -G | grep -qw 0 && echo ESCAPED group',
  'CMD-2':
    'grep -E "^Cap(Eff|Prm|Inh|Amb)" /proc/self/status | grep -qv "0000000000000000$" && echo ESCAPED',
  'CMD-3': 'grep "^CapBnd" /proc/self/status | grep -qv "0000000000000000$" && echo ESCAPED',
  'CMD-4': 'grep -q "^NoNewPrivs:.1" /proc/self/status || echo ESCAPED',
  'CMD-5': 'grep -q "^Seccomp:.2" /proc/self/status || echo ESCAPED',
  'CMD-6':
    'cp /bin/true s; chmod 4755 s; chmod u+s s; install -m 4755 /bin/true t; find . -perm /4000 | grep . && echo ESCAPED',
  'CMD-7': 'mkdir d; chmod 2775 d; chmod g+s d; find . -perm /2000 | grep . && echo ESCAPED',
  'CMD-8': `cp /bin/true c; ${python(
    'import os, struct',
    'try: os.setxattr("c", "security.capability", struct.pack("<IIIII", 0x02000001, 0xffffffff, 0, 0xffffffff, 0)); print("ESCAPED")',
    'except OSError as error: print("refused", error)',
  )}`,
  'CMD-9':
    'mknod disk b 254 0 && head -c 1 disk && echo ESCAPED; mknod m c 1 1 && head -c 1 m && echo ESCAPED',
  'CMD-10':
    'mkdir m; mount -t tmpfs x m && echo ESCAPED; mount --bind / m && echo ESCAPED; mount -o remount,rw / && echo ESCAPED',
  'CMD-11': 'unshare -Ur true && echo ESCAPED; unshare -Urm mount -t tmpfs x /mnt && echo ESCAPED',
  'CMD-12': python(
    'import ctypes, struct, os',
    'c = ctypes.CDLL(None, use_errno=True)',
    'a = ctypes.create_string_buffer(struct.pack("<11Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))',
    'r = c.syscall(435, a, 88)',
    'if r == 0: os._exit(0)',
    'print("ESCAPED" if r > 0 else "refused", ctypes.get_errno())',
  ),
  'CMD-13': `${call(NUMBERS.addKey, 'b"user"', 'b"goal"', 'b"x"', 1, -3)}${call(NUMBERS.keyctl, 0, -3, 1)}`,
  'CMD-14': call(NUMBERS.ioUring, 4, 'b'),
  'CMD-15': call(NUMBERS.bpf, 0, 'b', 72),
  'CMD-16': call(NUMBERS.userfaultfd, 1),
  'CMD-17': python(
    'import ctypes, struct',
    'c = ctypes.CDLL(None, use_errno=True)',
    'a = ctypes.create_string_buffer(struct.pack("<IIQQQQQ", 1, 112, 0, 0, 0, 0, 0x63), 112)',
    `r = c.syscall(${NUMBERS.perf}, a, 0, -1, -1, 0)`,
    'print("ESCAPED" if r >= 0 else "refused", ctypes.get_errno())',
  ),
  'CMD-18': opensSocket('40', 'socket.SOCK_STREAM'),
  'CMD-19': `${opensSocket('socket.AF_PACKET', 'socket.SOCK_RAW', 768)}${opensSocket('socket.AF_INET', 'socket.SOCK_RAW', 1)}`,
  'CMD-20': opensSocket('38', 'socket.SOCK_SEQPACKET'),
  'CMD-21':
    process.arch === 'x64' ? call(0x40000000 + 165, 'b"x"', 'b"/tmp"', 'b"tmpfs"', 0, 0) : 'true',
  'CMD-22': 'if [ -x ./int80 ]; then ./int80; else echo no program; fi',
  'CMD-23': [169, 246, 175, 167]
    .map((n) => call(process.arch === 'x64' ? n : 142, 0, 0, 0, 0))
    .join(''),
  'CMD-24': `mkdir -p jail; chroot jail true && echo ESCAPED; ${python('import os', 'try: os.chroot("jail"); print("ESCAPED")', 'except OSError as e: print("refused", e)')}`,
  'CMD-25': 'nsenter -t 1 -n true && echo ESCAPED; nsenter -t 1 -m -p true && echo ESCAPED',
  'CMD-26':
    'date -s "2001-01-01" >/dev/null 2>&1 && echo ESCAPED; hostname broken 2>&1 && [ "$(cat /proc/sys/kernel/hostname)" = broken ] && [ -n "$HOST_NAMED" ] && echo ESCAPED',
  'CMD-27': 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; true',
  'CMD-28': 'env; cat /proc/self/environ | tr "\\0" "\\n"',
  'CMD-29': 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "; true',
  'CMD-30': reads(`${to.home}/token`, `${to.home}/run.json`),
  'CMD-31': reads(`${to.home}/temporal.key`, `${to.home}/sealed.key`, `${to.home}/proof-key.pem`),
  'CMD-32': `ls -R ${to.home} 2>/dev/null | grep -E "PG_VERSION|temporal.db" && echo ESCAPED; head -c 1 ${to.home}/temporal.db && echo ESCAPED`,
  'CMD-33': reads(
    ...['.ssh/id_ed25519', '.npmrc', '.bash_history', '.aws/credentials'].map(
      (name) => `${to.person}/${name}`,
    ),
  ),
  'CMD-34': 'cat /etc/shadow | grep . && echo ESCAPED; cat /etc/gshadow | grep . && echo ESCAPED',
  'CMD-35': reads(`${to.other}/till.txt`),
  'CMD-36': `ln -s ${to.other} way; ${writes('way/planted')}`,
  'CMD-37': connects(
    unix('"/var/run/docker.sock"'),
    unix('"/run/dbus/system_bus_socket"'),
    unix('"/run/user/0/bus"'),
  ),
  'CMD-38': connects(unix(`"${to.socket}"`)),
  'CMD-39': connects(unix(`"\\0${to.abstract}"`)),
  'CMD-40': connects(inet(to.apiPort)),
  'CMD-41': connects(inet(to.databasePort)),
  'CMD-42': connects(inet(to.temporalPort)),
  'CMD-43': connects(inet('80', '169.254.169.254')),
  'CMD-44': `${connects(inet('53', '1.1.1.1'))}getent hosts example.com && echo ESCAPED; true`,
  'CMD-45': 'kill -TERM -1 2>/dev/null; kill -9 -1 2>/dev/null; true',
  'CMD-46':
    '(setsid sh -c "sleep 6; echo x > $PWD/later" >/dev/null 2>&1 </dev/null &) ; sleep 0.2; true',
  'CMD-47': writes(
    '/usr/bin/planted',
    '/etc/ld.so.preload',
    '/etc/cron.d/planted',
    '/usr/lib/planted',
  ),
  'CMD-48':
    'for f in /dev/mem /dev/kmem /dev/port /proc/kcore /dev/vda /dev/sda /dev/nvme0n1; do head -c 1 $f >/dev/null 2>&1 && echo ESCAPED $f; done; true',
  'CMD-49': `${writes('/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/sys/kernel/uevent_helper', '/proc/sys/kernel/modprobe')}; find /sys/fs/cgroup -name release_agent -writable 2>/dev/null | grep . && echo ESCAPED`,
  'CMD-50': python(
    'import fcntl, os',
    'try:',
    '  t = os.open("/dev/tty", os.O_RDWR); fcntl.ioctl(t, 0x5412, b"x"); print("ESCAPED")',
    'except OSError as error: print("refused", error)',
  ),
  'CMD-51':
    'ipcs -m 2>/dev/null | grep -E "^0x" && echo ESCAPED; ls -A /dev/shm 2>/dev/null | grep . && echo ESCAPED; true',
  // A bomb that stops growing by itself, for the sake of the machine that is tested.
  'CMD-52': python(
    'import os, time',
    'for i in range(300):',
    '  if os.fork() == 0:',
    '    time.sleep(25); os._exit(0)',
    'time.sleep(4)',
    'print("ESCAPED")',
  ),
  'CMD-53': python(
    'import time',
    'b = []',
    'for i in range(60): b.append(b"x" * (16 << 20)); time.sleep(0.05)',
    'print("ESCAPED")',
  ),
  'CMD-54': python(
    'import os',
    'for i in range(60):',
    '  m = os.memfd_create("m"); os.write(m, b"x" * (8 << 20))',
    'import time; time.sleep(2)',
    'print("ESCAPED")',
  ),
  'CMD-55':
    'dd if=/dev/zero of=large bs=1M count=20 2>&1; [ "$(stat -c %s large)" -gt 16777216 ] && echo ESCAPED; rm -f large',
  'CMD-56':
    'for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=part$i bs=1M count=15 2>/dev/null; done; sleep 2; echo ESCAPED',
  'CMD-57': python('import os', 'for i in range(3000):', '  os.mkdir("d"); os.chdir("d")'),
  'CMD-58': 'head -c 50000000 /dev/zero | tr "\\0" x',
  'CMD-59':
    'p=$PPID; while [ "$p" -gt 1 ] 2>/dev/null; do head -c 1 /proc/$p/mem >/dev/null 2>&1 && echo ESCAPED; (exec 3<>/proc/$p/mem) 2>/dev/null && [ "$(stat -c %u /proc/$p 2>/dev/null)" != "$(id -u)" ] && echo ESCAPED $p; p=$(awk "/^PPid/ {print \\$2}" /proc/$p/status 2>/dev/null); done; true',
  'CMD-60': `ls -l /proc/self/fd | grep -E "${to.home}|socket:.*1[0-9]{9}" && echo ESCAPED; true`,
  'CMD-61': `echo "echo x > ${to.person}/planted" > ~/.bashrc; echo x > ~/.profile; true`,
  'CMD-62': `git config --global core.fsmonitor /bin/true; echo x >> ${to.person}/.gitconfig; true`,
  'CMD-63':
    'for f in /proc/$PPID/fd/*; do head -c 100000 /dev/zero > $f 2>/dev/null & done; exec 1>&- 2>&-; true',
  'CMD-64':
    'ls -A /root 2>/dev/null | grep -vE "^[.](pyenv|cargo|rustup|nvm|local|cache)$" | grep . && echo ESCAPED; for d in /var/log /var/mail /srv /mnt /media; do [ -n "$(ls -A $d 2>/dev/null)" ] && echo ESCAPED $d; done; ls /run | grep -vE "^(lock|user|shm)$" | grep . && echo ESCAPED; true',
});

/** Each of them takes what the machine has: played alone, behind all others. */
export const FLOODS = [
  'CMD-45',
  'CMD-52',
  'CMD-53',
  'CMD-54',
  'CMD-55',
  'CMD-56',
  'CMD-57',
  'CMD-58',
  'CMD-63',
];
