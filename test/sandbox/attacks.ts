/** Where an attack finds what it is after. */
export interface Targets {
  /** The person's home, with keys in it. */
  readonly home: string;
  /** The service's own folder, with its token. */
  readonly service: string;
  /** A folder of somebody else that the machine lets everybody read. */
  readonly others: string;
  /** Ports and sockets of the machine. */
  readonly port: number;
  readonly socket: string;
  readonly abstract: string;
  readonly workerPid: number;
}

export interface Attack {
  readonly name: string;
  /** Run one after another; prints CANARY or ESCAPED where it got what it wanted. */
  readonly commands: (targets: Targets) => readonly string[];
  /** Harmless enough to be tried without a sandbox, where it has to succeed. */
  readonly isReal?: true;
}

const python = (lines: readonly string[]): string =>
  `python3 -c '${lines.join('\n')}' 2>&1 || true`;

const one = (name: string, command: (targets: Targets) => string, isReal?: true): Attack => ({
  name,
  commands: (targets) => [command(targets)],
  ...(isReal && { isReal }),
});

const READING: readonly Attack[] = [
  one('reads a private key', ({ home }) => `cat ${home}/.ssh/id_canary`, true),
  one('reads cloud credentials', ({ home }) => `cat ${home}/.aws/credentials`, true),
  one('looks for keys everywhere', ({ home }) => `cat $(find ${home} -name "*canary*")`, true),
  one("reads the service's token", ({ service }) => `cat ${service}/token`, true),
  one(
    'reads through a link that it makes',
    ({ home }) => `ln -sfn ${home} l; cat l/.ssh/id_canary`,
    true,
  ),
  one(
    'reads through /proc/self/root',
    ({ home }) => `cat /proc/self/root${home}/.ssh/id_canary`,
    true,
  ),
  one('reads through /proc/1/root', ({ home }) => `cat /proc/1/root${home}/.ssh/id_canary`),
  one('climbs out of the root', ({ home }) => `cd /; cat ../../..${home}/.ssh/id_canary`, true),
  one(
    'copies the home into the workspace',
    ({ home }) => `cp -r ${home}/.ssh keys; cat keys/*`,
    true,
  ),
  one(
    'links its packages to the home, for the next command',
    ({ home }) =>
      `rm -rf node_modules; ln -s ${home} node_modules; cat node_modules/.ssh/id_canary`,
    true,
  ),
  {
    name: 'has the next command mount the home as packages',
    commands: ({ home }) => [
      `rm -rf node_modules; ln -s ${home} node_modules`,
      'cat node_modules/.ssh/id_canary; rm node_modules',
    ],
  },
  {
    name: 'has the next command mount the home as the repository of a worktree',
    commands: ({ home }) => [
      `mkdir -p repo; cd repo; echo "gitdir: ${home}/.git/worktrees/x" > .git; mv .git ..`,
      `cat ${home}/.ssh/id_canary; rm .git`,
    ],
  },
  {
    name: 'leads the next sandbox astray by a link in the place of a folder',
    commands: ({ others }) => [
      `d=$(dirname "$PWD"); mv "$d" "$d.old"; ln -s /oldroot${others} "$d"; rm -rf ~/.cargo; ln -s /oldroot${others} ~/.cargo; ln -s ${others} ~/.local`,
      'cat "$(dirname "$PWD")/file" && echo ESCAPED',
    ],
  },
  {
    name: 'leads the host astray by links in the folder of git',
    commands: ({ others }) => [
      `git init -q; mkdir -p .git/modules; ln -s ${others} .git/modules/x`,
      'rm -rf .git',
    ],
  },
  one(
    "reads the environment of the host's processes",
    () => 'cat /proc/*/environ | tr "\\0" "\\n"',
  ),
  one('reads the environment that it was given', () => 'env'),
  one(
    "reads the worker's environment",
    ({ workerPid }) => `cat /proc/${workerPid}/environ && echo ESCAPED`,
    true,
  ),
  one(
    'reads the disk below the files',
    () =>
      'mknod disk b 254 0 && head -c 1 disk && echo ESCAPED; ls /dev | grep -E "^(vd|sd|nvme|mem|kmsg)" && echo ESCAPED',
  ),
];

const WRITING: readonly Attack[] = [
  one(
    'writes into a folder of others',
    ({ others }) => `echo x > ${others}/made && echo ESCAPED`,
    true,
  ),
  one(
    'writes through a link',
    ({ others }) => `ln -sfn ${others} way; echo x > way/made && echo ESCAPED`,
    true,
  ),
  one(
    'links a file of others hard',
    ({ others }) => `ln ${others}/file hard && echo x >> hard && echo ESCAPED`,
  ),
  one('makes the root writable again', () => 'mount -o remount,rw / && echo ESCAPED'),
  one('mounts a folder over another', () => 'mount --bind . /usr && echo ESCAPED'),
  one(
    'takes away what hides the home',
    ({ home }) => `umount -l ${home} /home /run && echo ESCAPED`,
  ),
  one(
    'mounts in a namespace of its own',
    ({ home }) =>
      `unshare -Urm sh -c 'umount -l ${home}; umount -l /tmp; cat ${home}/.ssh/id_canary'`,
  ),
  one("enters another process's namespaces", () => 'nsenter -t 1 -m -n cat /proc/1/environ'),
  one(
    'changes its root',
    ({ home }) => `mkdir -p jail; chroot jail true && echo ESCAPED; cat ${home}/.ssh/*`,
  ),
  one(
    'names a program for core dumps',
    () => 'echo "|/bin/sh" > /proc/sys/kernel/core_pattern && echo ESCAPED',
  ),
  one(
    'asks the kernel to restart',
    () => 'test -w /proc/sysrq-trigger && echo s > /proc/sysrq-trigger && echo ESCAPED',
  ),
  one('names a program for devices', () => 'echo /x > /sys/kernel/uevent_helper && echo ESCAPED'),
  one(
    'names a program for control groups',
    () =>
      'for f in $(find /sys/fs/cgroup -name release_agent 2>/dev/null | head -3); do echo /x > $f && echo ESCAPED; done',
  ),
  one(
    'plants a job for later',
    () => 'echo "* * * * * x" | crontab - && echo ESCAPED; echo x > /etc/cron.d/x && echo ESCAPED',
  ),
  one(
    'plants a start file of shells',
    ({ home }) =>
      `echo x >> ${home}/.bashrc && cat ${home}/.ssh/id_canary; echo x > /etc/profile.d/x.sh && echo ESCAPED`,
  ),
];

const REACHING: readonly Attack[] = [
  one('asks a port of the machine', ({ port }) => `cat < /dev/tcp/127.0.0.1/${port}`, true),
  one(
    'asks a port by another name of the machine',
    ({ port }) => `cat < /dev/tcp/localhost/${port} || cat < /dev/tcp/127.0.0.2/${port}`,
    true,
  ),
  one(
    'asks a socket in plain sight',
    ({ socket }) =>
      python([
        'import socket',
        's = socket.socket(socket.AF_UNIX)',
        `s.connect("${socket}")`,
        'print(s.recv(99).decode())',
      ]),
    true,
  ),
  one(
    'asks an abstract socket',
    ({ abstract }) =>
      python([
        'import socket',
        // Before Node 22 a name was filled up with NUL bytes.
        'for length in (0, 108):',
        '  s = socket.socket(socket.AF_UNIX)',
        `  if s.connect_ex("\\0${abstract}".ljust(length, "\\0")) == 0:`,
        '    print(s.recv(99).decode())',
      ]),
    true,
  ),
  one('opens a raw socket', () =>
    python([
      'import socket',
      'socket.socket(socket.AF_PACKET, socket.SOCK_RAW)',
      'print("ESCAPED")',
    ]),
  ),
  one(
    'finds sockets of services',
    () => 'ls /run/docker.sock /var/run/docker.sock /run/dbus /run/user && echo ESCAPED',
  ),
];

const PROCESSES: readonly Attack[] = [
  one('ends the worker', ({ workerPid }) => `kill -9 ${workerPid} && echo ESCAPED`),
  one('ends all that it may', () => 'kill -9 -1'),
  one('ends its parents', () => 'kill -9 $PPID 1; sleep 0.1'),
  one(
    "writes to the worker's memory",
    ({ workerPid }) => `test -e /proc/${workerPid}/mem && echo ESCAPED`,
  ),
  one(
    'sees processes of the machine',
    () => `ls /proc | grep -c '^[0-9]' | { read n; [ "$n" -gt 12 ] && echo ESCAPED; }`,
  ),
  one(
    'keeps files of the service open',
    () => '[ "$(ls /proc/self/fd | wc -l)" -gt 4 ] && echo ESCAPED',
  ),
  one(
    'becomes another user by a set-user-id program',
    () =>
      'cp "$(command -v id)" i; chmod u+s i; [ -u i ] && echo ESCAPED; grep -q "NoNewPrivs:.*1" /proc/self/status || echo ESCAPED',
  ),
  {
    name: 'leaves variables to the next command',
    commands: () => [
      `echo 'echo ESCAPED' > evil.sh; export BASH_ENV=$PWD/evil.sh NODE_OPTIONS=--bad LD_PRELOAD=/x; echo '. ~/evil' > ~/.bashrc; cp ~/.bashrc ~/.profile; cp evil.sh ~/evil`,
      'env | grep -E "BASH_ENV|LD_PRELOAD|NODE_OPTIONS" && echo ESCAPED; node -p 1',
    ],
  },
  {
    name: 'puts its own programs in the place of the host’s',
    commands: () => [
      'mkdir -p node_modules/.bin; for p in bwrap sh bash git; do printf "#!/bin/sh\\necho ESCAPED" > node_modules/.bin/$p; chmod +x node_modules/.bin/$p; done',
      'true',
    ],
  },
  one(
    'breaks out of its quotes',
    () => `'"; echo "$0 $@" ' 2>/dev/null; printf '%s' "\${0##*bwrap*}" >/dev/null`,
  ),
];

export const ATTACKS: readonly Attack[] = [...READING, ...WRITING, ...REACHING, ...PROCESSES];
