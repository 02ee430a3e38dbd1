/** A pull request; GitLab calls it a merge request. */
export interface Pull {
  readonly number: number;
  /** The page of it. */
  readonly url: string;
}

export interface NewPull {
  readonly title: string;
  readonly text: string;
  /** The branch that was pushed, and the one that it is to be merged into. */
  readonly branch: string;
  readonly into: string;
  readonly isDraft: boolean;
}

export interface Issue {
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/** What is asked of the place where code is hosted. Null = there is none, or it is not shown. */
export interface Forge {
  defaultBranch(): Promise<string | null>;
  /** The open one from this branch. */
  find(branch: string, into: string): Promise<Pull | null>;
  open(pull: NewPull): Promise<Pull | null>;
  /** Its text alone: the title may be somebody's by now. */
  update(number: number, text: string): Promise<Pull | null>;
  issue(number: number): Promise<Issue | null>;
}
