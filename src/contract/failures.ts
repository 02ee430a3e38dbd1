import type { ProblemCode } from '../../schema/problem.ts';

/** A refusal that a caller can act on: becomes problem+json, an exit code, or a failed update. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string, data: Record<string, unknown> = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.data = data;
  }
}

/**
 * This execution, attempt or epoch was replaced. The caller stops at once and writes nothing more;
 * the error is never retried.
 */
export class Superseded extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'Superseded';
  }
}

/** The goal stopped being open for beginnings (paused, limited, cleared). Endings still work. */
export class Closed extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'Closed';
  }
}
