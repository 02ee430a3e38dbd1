import type { Isolation } from '../../schema/isolation.ts';
import type { Owner } from './command-user.ts';
import type { Tidied } from './git-guard.ts';

/** What a command reaches through a proxy of its own. */
export interface Proxied {
  /** As the policy lists them. */
  readonly domains: readonly string[];
  /** Addresses and ranges that may be reached although they are not public. */
  readonly addresses: readonly string[];
}

/** What one command runs in, with a sandbox or without. */
export interface Boxed {
  /** The program and its arguments up to the command; null = no sandbox. */
  readonly launcher: readonly string[] | null;
  /** What the command is started by inside, to become its user. */
  readonly entry: readonly string[];
  /** As whom it is started, where that is not the worker's user. */
  readonly user: Owner | null;
  /** The calls of the kernel that are refused, as bwrap reads them. */
  readonly filter: Uint8Array | null;
  /** Folders outside that it writes to. */
  readonly writes: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly isolation: Isolation;
  /** What the proxy in its network allows; null = there is none, and its launcher joins no network. */
  readonly proxied: Proxied | null;
  /** Where a folder of the tree shows inside. */
  inside(folder: string): string;
  /**
   * Called after the command: removes what git would run or follow later, and reports it.
   * @throws TamperingLeft, GitUnanswered
   */
  tidy(): Promise<Tidied>;
  /** Called instead of `tidy` if the command's end is unknown. */
  lose(): void;
}
