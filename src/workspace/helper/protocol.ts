import type { CommandLimits } from '../../../schema/command-limits.ts';
import type { CommandRun, PlaceOrder, PlaceOutcome, WriteOutcome } from '../../contract/effects.ts';
import type { Proxied } from '../../sandbox/boxed-command.ts';
import type { GroupOrder } from '../../sandbox/groups/command-group.ts';
import type { Piece } from './live-tail.ts';

/** The helper's part of a run's result; the worker adds where it ran. */
export type Ran = Omit<CommandRun, 'isolation' | 'disarmed' | 'undecided'>;

export interface CommandOrder {
  readonly command: string;
  readonly cwd: string;
  /** The same folder as the sandbox shows it; absent = under its own path. */
  readonly cwdInside?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly printsFreely?: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly isStreamed: boolean;
  /** Program and arguments that put the command into a sandbox; absent = there is none. */
  readonly launcher?: readonly string[];
  /** What the command is started by, inside of it. */
  readonly entry?: readonly string[];
  /** As whom; absent = as the helper. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Further folders that it writes to: the disks on which they lie count as well. */
  readonly writes?: readonly string[];
  /** What the sandbox reads on its descriptor for filters. */
  readonly filter?: Uint8Array;
  readonly limits?: CommandLimits;
  /** Its own control group, which is not there yet; absent = what it uses is counted. */
  readonly group?: GroupOrder;
  /** The launcher joins the network of this proxy. */
  readonly proxied?: ProxyOrder;
}

export interface ProxyOrder extends Proxied {
  /** Program and arguments of the proxy's process. */
  readonly proxy: readonly string[];
}

export interface WriteOrder {
  readonly path: string;
  readonly content: Uint8Array;
  readonly expected: string | null;
  readonly callId: string;
}

export type Order =
  | { readonly kind: 'run'; readonly id: number; readonly order: CommandOrder }
  | { readonly kind: 'write'; readonly id: number; readonly order: WriteOrder }
  | { readonly kind: 'place'; readonly id: number; readonly order: PlaceOrder }
  | { readonly kind: 'cancel'; readonly id: number };

export type Report =
  | { readonly kind: 'output'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'ran'; readonly id: number; readonly result: Ran }
  | { readonly kind: 'wrote'; readonly id: number; readonly result: WriteOutcome }
  | { readonly kind: 'placed'; readonly id: number; readonly result: PlaceOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
