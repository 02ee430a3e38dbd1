/*
 * A process of the work may be a child of the judge, with the same user. In the place of proofs it
 * must not write into the memory of its parent, neither by /proc/PID/mem, for which /proc is
 * read-only there, nor by these system calls. Debuggers may still read and stop, as leak checkers do.
 */

/** Where bwrap reads the filter. */
export const FILTER_DESCRIPTOR = 4;

interface Machine {
  /** As the kernel's audit names it. */
  readonly audit: number;
  readonly ptrace: number;
  readonly writesMemory: number;
}

/** A 64-bit program can also make the calls of its 32-bit sister. */
const MACHINES: Readonly<Record<string, readonly Machine[]>> = {
  x64: [
    { audit: 0xc000003e, ptrace: 101, writesMemory: 311 },
    { audit: 0x40000003, ptrace: 26, writesMemory: 348 },
  ],
  arm64: [
    { audit: 0xc00000b7, ptrace: 117, writesMemory: 271 },
    { audit: 0x40000028, ptrace: 26, writesMemory: 377 },
  ],
};

/** `pidfd_getfd` takes another process's open files; it has one number everywhere. */
const TAKES_FILES = 438;
/** Numbers of a third kind of calls on x64. */
const X32 = 0x40000000;

/** Requests of `ptrace` that begin, end, stop, continue or read. */
const READING = [
  ...[0, 1, 2, 3, 7, 8, 9, 12, 14, 16, 17, 24],
  ...[0x4200, 0x4201, 0x4202, 0x4204, 0x4206, 0x4207, 0x4208, 0x420e],
];

const [LOAD, IS, IS_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [NUMBER, MACHINE, FIRST_ARGUMENT] = [0, 4, 16];
const ALLOW: Step = [RETURN, 0x7fff0000];
const REFUSE: Step = [RETURN, 0x00050001];

/** An instruction, and how many it skips where its condition holds, and where not. */
type Step = readonly [code: number, value: number, then?: number, otherwise?: number];

/** The filter for this machine, as bwrap reads it; null where nobody knows its calls. */
export function writeGuard(arch: string = process.arch): Buffer | null {
  const machines = MACHINES[arch];
  if (machines === undefined) return null;
  const steps = [...machines.flatMap(guardOf), ALLOW];
  return Buffer.concat(steps.map(encode));
}

function guardOf({ audit, ptrace, writesMemory }: Machine): Step[] {
  const reads = READING.map((request, at): Step => [IS, request, READING.length - at, 0]);
  const ofCall: Step[] = [
    [LOAD, NUMBER],
    [IS_AT_LEAST, X32, reads.length + 4, 0],
    [IS, writesMemory, reads.length + 3, 0],
    [IS, TAKES_FILES, reads.length + 2, 0],
    [IS, ptrace, 0, reads.length + 2],
    [LOAD, FIRST_ARGUMENT],
    ...reads,
    REFUSE,
    ALLOW,
  ];
  return [[LOAD, MACHINE], [IS, audit, 0, ofCall.length], ...ofCall];
}

function encode([code, value, then = 0, otherwise = 0]: Step): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
