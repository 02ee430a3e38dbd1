/** A shell text as plain data: what a parser hands to the rules, which have none of their own. */
export interface Script {
  /** Why it can't be read; such a script has no steps. */
  readonly problem: string | null;
  readonly steps: readonly Step[];
}

export type ParseShell = (text: string) => Script;

/** The facts from outside of the rules by which a command line is judged. */
export interface ShellReader {
  readonly parse: ParseShell;
  /** Absolute path of the workspace, so that an absolute `cd` into it is understood. */
  readonly workspace?: string | undefined;
}

export interface Step {
  readonly statement: Statement;
  /** Ended by `&`: its outcome never reaches the script. */
  readonly isBackground: boolean;
}

export type Statement =
  | Command
  | AndOrList
  | Pipeline
  | Group
  | Conditional
  | Loop
  | Round
  | Choice
  | Definition;

/** A simple command, an assignment on its own (no words), or a test in brackets. */
export interface Command {
  readonly kind: 'command';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export interface Redirect {
  /** `>`, `>>`, `&>`, `<`, `<<`, `<<<`… */
  readonly operator: string;
  /** The file or descriptor; the body of a here-document. */
  readonly target: Word;
}

export interface Word {
  /** Quotes taken away; what the shell fills in at run time stands as it was written. */
  readonly text: string;
  /** False where a variable, a substitution or a pattern decides at run time. */
  readonly isFixed: boolean;
  /** The text when a backslash is meant as a path separator. */
  readonly slashed: string;
  /** Command substitutions inside it. */
  readonly substitutions: readonly Script[];
  /** The word read as a script of its own, where the command runs it as one (`bash -c`, `eval`). */
  readonly script?: Script;
}

export interface AndOrList {
  readonly kind: 'chain';
  readonly operator: '&&' | '||';
  readonly left: Statement;
  readonly right: Statement;
}

export interface Pipeline {
  readonly kind: 'pipeline';
  readonly isNegated: boolean;
  readonly parts: readonly Statement[];
}

export interface Group {
  readonly kind: 'group';
  readonly isSubshell: boolean;
  readonly steps: readonly Step[];
  readonly redirects: readonly Redirect[];
}

export interface Conditional {
  readonly kind: 'if';
  readonly arms: readonly { readonly condition: readonly Step[]; readonly body: readonly Step[] }[];
  readonly otherwise: readonly Step[] | null;
}

/** `while` and `until`. */
export interface Loop {
  readonly kind: 'loop';
  readonly isUntil: boolean;
  readonly condition: readonly Step[];
  readonly body: readonly Step[];
}

/** `for` over words; null where the shell finds out at run time how often. */
export interface Round {
  readonly kind: 'for';
  readonly variable: string;
  readonly words: readonly Word[] | null;
  /** Command substitutions in its head. */
  readonly substitutions: readonly Script[];
  readonly body: readonly Step[];
}

export interface Choice {
  readonly kind: 'case';
  /** Command substitutions in its subject and patterns. */
  readonly substitutions: readonly Script[];
  readonly branches: readonly (readonly Step[])[];
  readonly hasDefault: boolean;
}

export interface Definition {
  readonly kind: 'function';
  readonly name: string;
  readonly body: Statement;
}
