/** When a call is refused. Arguments count from 0; the lower half of each is looked at. */
export type Answer =
  | { readonly kind: 'never'; readonly error: number }
  | {
      /** Where one of these bits is set, and, if `where` is given, one of those of that argument. */
      readonly kind: 'bits';
      readonly argument: number;
      readonly bits: number;
      readonly where?: readonly [argument: number, bits: number];
      readonly error: number;
    }
  | {
      /** Where the value is none of these. */
      readonly kind: 'only';
      readonly argument: number;
      readonly values: readonly number[];
      /** One more value is allowed where another argument says so. */
      readonly orElse?: {
        readonly value: number;
        readonly argument: number;
        readonly mustBe: number;
      };
      readonly error: number;
    }
  | {
      /** Where the value is one of these. */
      readonly kind: 'none';
      readonly argument: number;
      readonly values: readonly number[];
      readonly error: number;
    };

export interface Rule {
  readonly number: number;
  readonly answer: Answer;
}

/** Numbers of a call on x86-64 and on arm64; null = the machine has none. */
type Numbers = readonly [x64: number | null, arm64: number | null];

const both = (number: number): Numbers => [number, number];

const EPERM = 1;
/** Programs take it for an older kernel and use the call that came before. */
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Calls that came after this table; from 424 on, numbers are the same on all machines. */
export const FIRST_UNKNOWN = 463;

const NO_ONES: readonly Numbers[] = [
  // Namespaces, mounts and roots: unshare, setns, mount, umount2, pivot_root, chroot.
  ...([
    [272, 97],
    [308, 268],
    [165, 40],
    [166, 39],
    [155, 41],
    [161, 51],
  ] as const),
  // Keys, which belong to the user and not to the sandbox: add_key, request_key, keyctl.
  ...([
    [248, 217],
    [249, 218],
    [250, 219],
  ] as const),
  // Programs in the kernel: bpf, perf_event_open, userfaultfd, modules, another kernel.
  ...([
    [321, 280],
    [298, 241],
    [323, 282],
    [175, 105],
    [313, 273],
    [176, 106],
  ] as const),
  ...([
    [246, 104],
    [320, 294],
  ] as const),
  // The machine: reboot, swapon, swapoff, acct, syslog, quotactl, vhangup, clocks, names.
  ...([
    [169, 142],
    [167, 224],
    [168, 225],
    [163, 89],
    [103, 116],
    [179, 60],
    [443, 443],
  ] as const),
  ...([
    [153, 58],
    [164, 170],
    [227, 112],
    [305, 266],
    [159, 171],
    [170, 161],
    [171, 162],
  ] as const),
  // Ports, segments and files by their inode: iopl, ioperm, modify_ldt, open_by_handle_at.
  ...([
    [172, null],
    [173, null],
    [154, null],
    [304, 265],
    [212, 18],
    [180, 42],
  ] as const),
  // The memory of other users' processes, and watching whole mounts: move_pages, fanotify_init.
  ...([
    [256, 238],
    [279, 239],
    [300, 262],
  ] as const),
];

/** Their arguments lie in memory, where a filter can't look, or have a simpler sister. */
const OLDER_KERNEL: readonly Numbers[] = [
  // clone3, openat2 and io_uring.
  ...[435, 437, 425, 426, 427].map(both),
  // The newer way to mount: open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr.
  ...[428, 429, 430, 431, 432, 433, 442].map(both),
];

const NEW_NAMESPACE = 0x7e020000;
const SET_ID = 0o6000;
/** `O_CREAT` and `__O_TMPFILE`: without them, the mode that is passed means nothing. */
const CREATES = 0x400040;
const [UNIX, INTERNET, INTERNET_6, NETLINK] = [1, 2, 10, 16];
/** Characters that count as typed at a terminal: TIOCSTI, TIOCLINUX. */
const TYPES = [0x5412, 0x541c];

const never = (error: number): Answer => ({ kind: 'never', error });
const noSetId = (argument: number): Answer => ({
  kind: 'bits',
  argument,
  bits: SET_ID,
  error: EPERM,
});

/** No command needs them, and each has led out of sandboxes or leaves rights behind. */
const OF_ALL: readonly (readonly [Numbers, Answer])[] = [
  ...NO_ONES.map((numbers) => [numbers, never(EPERM)] as const),
  ...OLDER_KERNEL.map((numbers) => [numbers, never(ENOSYS)] as const),
  [[56, 220], { kind: 'bits', argument: 0, bits: NEW_NAMESPACE, error: EPERM }],
  // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat, open, openat.
  [[90, null], noSetId(1)],
  [[91, 52], noSetId(1)],
  [[268, 53], noSetId(2)],
  [both(452), noSetId(2)],
  [[85, null], noSetId(1)],
  [[133, null], noSetId(1)],
  [[259, 33], noSetId(2)],
  [[2, null], { kind: 'bits', argument: 2, bits: SET_ID, where: [1, CREATES], error: EPERM }],
  [[257, 56], { kind: 'bits', argument: 3, bits: SET_ID, where: [2, CREATES], error: EPERM }],
  // socket and socketpair; of netlink, addresses and routes only.
  [
    [41, 198],
    {
      ...{ kind: 'only', argument: 0, values: [UNIX, INTERNET, INTERNET_6], error: EAFNOSUPPORT },
      orElse: { value: NETLINK, argument: 2, mustBe: 0 },
    },
  ],
  [[53, 199], { kind: 'only', argument: 0, values: [UNIX], error: EAFNOSUPPORT }],
  [[16, 29], { kind: 'none', argument: 1, values: TYPES, error: EPERM }],
];

/** Requests of `ptrace` that begin, end, stop, continue or read. */
const READING = [
  ...[0, 1, 2, 3, 7, 8, 9, 12, 14, 16, 17, 24],
  ...[0x4200, 0x4201, 0x4202, 0x4204, 0x4206, 0x4207, 0x4208, 0x420e],
];

/**
 * A process of the work may be a child of the judge, with the same user. In the place of proofs it
 * must not write into the memory of its parent, neither by /proc/PID/mem, for which /proc is
 * read-only there, nor by ptrace, process_vm_writev and pidfd_getfd. Debuggers may still read and
 * stop, as leak checkers do.
 */
const OF_THE_PLACE: readonly (readonly [Numbers, Answer])[] = [
  [[311, 271], never(EPERM)],
  [both(438), never(EPERM)],
  [[101, 117], { kind: 'only', argument: 0, values: READING, error: EPERM }],
];

/** What a machine of this kind may not do; null where nobody knows its calls. */
export function rulesFor(arch: string, isInPlace: boolean): readonly Rule[] | null {
  const index = ['x64', 'arm64'].indexOf(arch);
  if (index < 0) return null;
  return [...OF_ALL, ...(isInPlace ? OF_THE_PLACE : [])].flatMap(([numbers, answer]) => {
    const number = numbers[index] ?? null;
    return number === null ? [] : [{ number, answer }];
  });
}
