import { getSystemErrorMap } from 'node:util';

/** What a disk or a name keeps from being done, in words, with the way out. */
export interface DiskFault {
  readonly why: string;
  readonly wayOut: string;
}

const FAULTS: Readonly<Record<string, DiskFault>> = {
  ENOSPC: { why: 'no space is left', wayOut: 'Free some space on that disk and try again.' },
  EDQUOT: { why: 'the quota is used up', wayOut: 'Free some space, or have the quota raised.' },
  EFBIG: { why: 'it is larger than that disk takes', wayOut: 'Name another disk.' },
  EROFS: { why: 'the disk is read-only', wayOut: 'Mount it writable, or name another one.' },
  EIO: { why: 'the disk fails', wayOut: 'Look at the disk and the log of the kernel.' },
  ENODEV: { why: 'the disk is gone', wayOut: 'Mount it again.' },
  ENXIO: { why: 'nothing answers there', wayOut: 'Name a file or a folder.' },
  ESTALE: { why: 'the disk of another machine changed', wayOut: 'Mount it again.' },
  ENOTDIR: { why: 'a part of the path is no folder', wayOut: 'Name a path through folders.' },
  EISDIR: { why: 'it is a folder', wayOut: 'Name a file.' },
  ENOENT: { why: 'it is not there', wayOut: 'Correct the path, or mount its disk.' },
  EEXIST: { why: 'it is there already', wayOut: 'Name another path.' },
  ENOTEMPTY: { why: 'the folder is not empty', wayOut: 'Name another path.' },
  ELOOP: { why: 'its links lead in a circle', wayOut: 'Name the path without them.' },
  ENAMETOOLONG: { why: 'the path is too long', wayOut: 'Name a shorter path.' },
  EINVAL: { why: 'that disk does not take it', wayOut: 'Name another path or disk.' },
  ENOTSUP: { why: 'that disk can not do it', wayOut: 'Name another disk.' },
  EXDEV: { why: 'it lies on another disk', wayOut: 'Name a path on the same disk.' },
  EBUSY: { why: 'it is in use', wayOut: 'End what uses it, and try again.' },
  ETXTBSY: { why: 'it is in use', wayOut: 'End what uses it, and try again.' },
  EACCES: {
    why: 'this user has no right to it',
    wayOut: 'Run it as its owner, or give the right.',
  },
  EPERM: { why: 'this user has no right to it', wayOut: 'Run it as its owner, or give the right.' },
  EMFILE: { why: 'too many files are open', wayOut: 'Raise the limit (ulimit -n).' },
  ENFILE: { why: 'too many files are open', wayOut: 'Raise the limit of the machine.' },
};

/**
 * Whatever a system call on files answers is the machine's, with words of its own where there are
 * none here. Null = another call's, a line's, or one that only a mistake of this program's gets.
 */
export function diskFaultOf(error: unknown): DiskFault | null {
  const { code, errno, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || typeof errno !== 'number') return null;
  if (isOfNet.test(syscall) || isOfLine.test(code) || isMistake.test(code)) return null;
  const why = getSystemErrorMap().get(errno)?.[1] ?? 'the system refuses it';
  return (Object.hasOwn(FAULTS, code) ? FAULTS[code] : null) ?? { why, wayOut: LOOK };
}

const LOOK = 'Look at that path, its disk and the log of the kernel.';
/** Sockets and pipes are read and written by the same calls as files. */
const isOfLine = /^E(?:PIPE|CONN|NOTCONN|NET|HOST|ADDR|SHUTDOWN|NOTSOCK|PROTO|TIMEDOUT$)/;
const isMistake = /^E(?:BADF|FAULT)$/;
const isOfNet = /^(connect|listen|bind|accept|getaddrinfo|kill|send|recv|shutdown)/;

/** The path that a system call failed at; null = it says none. */
export const pathOfFault = (error: unknown): string | null => {
  const { path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  return dest ?? path ?? null;
};
