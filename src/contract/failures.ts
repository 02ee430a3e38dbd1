import type { Mode } from '../../schema/goal.ts';
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

/**
 * The task is another installation's, or the record behind this worker is. It decides nothing here:
 * the task goes back until a worker of its own takes it. People are told.
 */
export class OtherInstallation extends Error {
  readonly why = 'elsewhere';

  constructor(detail: string) {
    super(detail);
    this.name = 'OtherInstallation';
  }
}

/** The goal stopped being open for beginnings (paused, limited, cleared). Endings still work. */
export class Closed extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'Closed';
  }
}

/** Nothing ran: a command would have had root's rights, or no way into its folder. */
export class CommandsRefused extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'CommandsRefused';
  }
}

/** What is stored of a goal is not what may be worked from: its seals or its place are wrong. */
export class RecordAltered extends Error {
  /** As the row says, for the turn that ends by it. */
  readonly mode: Mode;

  constructor(why: string, mode: Mode) {
    super(why);
    this.name = 'RecordAltered';
    this.mode = mode;
  }
}

/**
 * Temporal asked for what nobody ordered here: no order of that id stands for the goal, or the
 * stored one isn't what was ordered. People are told.
 */
export class OrderRefused extends Refusal {
  readonly why: 'no_order' | 'altered';

  constructor(why: OrderRefused['why']) {
    super(
      why === 'altered' ? 'internal' : 'worker_unavailable',
      why === 'altered'
        ? 'What is stored of the order is not what was ordered: nothing is done'
        : 'No order stands for it here; a retry with the same Idempotency-Key is safe',
    );
    this.name = 'OrderRefused';
    this.why = why;
  }
}
