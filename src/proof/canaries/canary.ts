/** A test file of the project, as it is in the proof. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
  /** A name of letters and digits that nobody could know before. */
  readonly id: string;
}

export interface Planting {
  /** The file with the canaries behind its own tests. */
  readonly text: string;
  /** The canaries alone: what the file would be if it loaded nothing of the project. */
  readonly bare: string;
  /** By the name of the test: the assertion that must fail in it. */
  readonly mustFail: ReadonlyMap<string, string>;
  readonly mustPass: string;
}

export interface Outcomes {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * How one runner gets canaries: tests at the end of the project's own test files, so that they run
 * in the same process, behind the code under test, and no name of a file gives them away.
 */
export interface CanaryKind {
  readonly runner: string;
  /** True when files of this runner tell it themselves, whatever the command says. */
  readonly isOwn: (file: Pick<TestFile, 'path' | 'text'>) => boolean;
  /** True for files that are this runner's where the command starts it. */
  readonly mayBeOwn?: (file: Pick<TestFile, 'path' | 'text'>) => boolean;
  readonly plant: (file: TestFile) => Planting | null;
  /** Reads the results of canaries from the output of a runner that reports no names. */
  readonly printed?: (output: string) => Outcomes;
}

/** One canary: the assertion for people, and the statement that must fail. */
export type Statement = readonly [assertion: string, code: string];

/** Statements for the functions that the file calls, and for the first ones in any case. */
export function statementsFor(
  text: string,
  table: Readonly<Record<string, string>>,
  always: readonly string[],
  write: (name: string, values: string) => Statement,
): Statement[] {
  const isUsed = (name: string) => new RegExp(`\\b${name}\\s*\\(`).test(text);
  return Object.entries(table)
    .filter(([name]) => always.includes(name) || isUsed(name))
    .map(([name, values]) => write(name, values));
}
