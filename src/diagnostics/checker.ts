import type { Parser } from './parse.ts';

/** A program of the project that finds errors without running anything. */
export interface Checker {
  readonly name: string;
  readonly command: string;
  /** True when the command itself looks only at the given paths. */
  readonly isNarrowed: boolean;
  /** The program that its command starts. */
  readonly program: string;
  /** Files by which the project tells it what an error is. */
  readonly configuration: { test(path: string): boolean };
  /** Prints the files that it looks at, where sources say which; absent = the project's settings do. */
  readonly listing?: string;
  /** Reads what it printed. */
  readonly parse: Parser;
}
