import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, test } from 'vitest';
import { hasNamespaces } from '../../src/sandbox/namespace.ts';
import { nameSkipped } from './skip-reason.ts';

/** What a machine may lack: the tests that need it are skipped then, and their names say why. */
export interface Need {
  readonly what: string;
  readonly isThere: boolean;
}

/** What lacks first is named. */
export const both = (one: Need, other: Need): Need => (one.isThere ? other : one);

export function describeWith(need: Need, name: string, body: () => void): void {
  if (need.isThere) describe(name, body);
  else describe.skip(withReason(name, need), body);
}

/** `test` where the need is met. */
export function testWith(need: Need): (name: string, body: () => unknown) => void {
  return (name, body) => {
    if (need.isThere) test(name, async () => void (await body()));
    else test.skip(withReason(name, need), () => {});
  };
}

const withReason = (name: string, { what }: Need): string => nameSkipped(name, what);

export const PROCESS_NUMBERS: Need = {
  what: 'no bubblewrap that may make process namespaces',
  isThere: await hasNamespaces(),
};

const runs = (file: string, ...args: string[]): boolean => spawnSync(file, args).status === 0;

/** Who alone may give files away and act as somebody else. */
export const ROOT: Need = { what: 'not root', isThere: process.getuid?.() === 0 };

/** A host name and process numbers of its own, as a pod has. */
export const PODS: Need = {
  what: 'no right to make namespaces of names and processes',
  isThere: runs('unshare', ...'--uts --pid --fork --mount-proc true'.split(' ')),
};

export const PYTEST: Need = {
  what: 'no pytest',
  isThere: runs('python3', '-m', 'pytest', '--version') && runs('pytest', '--version'),
};

export const GO: Need = { what: 'no go', isThere: runs('go', 'version') };

/** A file system of a fixed size, for one process. */
export const SMALL_DISK: Need = {
  what: 'no bubblewrap that may mount a small disk',
  isThere: runs('bwrap', ...'--dev-bind / / --size 4096 --tmpfs'.split(' '), tmpdir(), 'true'),
};

export const CHROMIUM_PATH = process.env.GOALKEEPER_TEST_CHROMIUM ?? '/usr/bin/chromium';

export const CHROMIUM: Need = {
  what: `no chromium at ${CHROMIUM_PATH}`,
  isThere: existsSync(CHROMIUM_PATH),
};

/** Another time on the wall for one process (Debian: `faketime`). */
export const FAKETIME_LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;

export const FAKETIME: Need = {
  what: `no libfaketime at ${FAKETIME_LIBRARY}`,
  isThere: existsSync(FAKETIME_LIBRARY),
};

export const CARGO: Need = { what: 'no cargo', isThere: runs('cargo', '--version') };

export const CC: Need = { what: 'no C compiler', isThere: runs('cc', '--version') };

export const PROVE: Need = { what: 'no prove', isThere: runs('prove', '--version') };

const tool = (name: string): Need => ({ what: `no ${name}`, isThere: runs(name, '--version') });

export const YARN_BERRY = process.env.GOALKEEPER_TEST_YARN_BERRY ?? '';

/** Package managers that few machines have all of. */
export const MANAGERS = {
  cargo: CARGO,
  pnpm: tool('pnpm'),
  poetry: tool('poetry'),
  uv: tool('uv'),
  yarn: tool('yarn'),
  /** Projects keep it among their files, and the one on PATH starts that. */
  berry: {
    what: 'no yarn, or no yarn.cjs of Yarn 4 in GOALKEEPER_TEST_YARN_BERRY',
    isThere: runs('yarn', '--version') && existsSync(YARN_BERRY),
  },
} as const;

/** Gives a program a terminal of its own (util-linux). */
export const SCRIPT: Need = {
  what: 'no script of util-linux',
  isThere: runs('script', '-qec', 'true', '/dev/null'),
};

export const ZSH: Need = tool('zsh');
export const FISH: Need = tool('fish');

export const MAKE: Need = { what: 'no make', isThere: runs('make', '--version') };
