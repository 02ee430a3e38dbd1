/**
 * A toolchain that compiles its own library anew in each empty home. What it makes there without any
 * file of a project is its seed: one row of `all.ts`.
 *
 * A row is for results that the toolchain itself finds by all that decides them, as Go does: an old
 * or foreign seed may cost time, and must not change what a check says.
 */
export interface Toolchain {
  readonly name: string;
  /** Names on PATH that decide the result. Without the first there is no seed. */
  readonly programs: readonly [string, ...string[]];
  /** What changes with its version, relative to the folder of the first program. */
  readonly beside: readonly string[];
  /** Variables of commands that decide the result. */
  readonly settings: readonly string[];
  /** Variables that lead to other places; where one is set there is no seed. */
  readonly elsewhere: readonly string[];
  /** Names of files by which a tree shows that it is of this toolchain. */
  readonly marks: readonly string[];
  /** Folders of a home in which the result lies. */
  readonly places: readonly string[];
  /** Runs once, in an empty folder with an empty home, and without network. */
  readonly command: string;
}
