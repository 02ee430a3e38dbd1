import type { CommandRun } from '../tool.ts';

export type WriteOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'changed'; readonly found: string | null };

export interface CommandOrder {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly env: Readonly<Record<string, string>>;
  readonly isStreamed: boolean;
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
  | { readonly kind: 'cancel'; readonly id: number };

export type Report =
  | { readonly kind: 'output'; readonly id: number; readonly chunk: string }
  | { readonly kind: 'ran'; readonly id: number; readonly result: CommandRun }
  | { readonly kind: 'wrote'; readonly id: number; readonly result: WriteOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
