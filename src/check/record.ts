import { createHash } from 'node:crypto';
import type { Isolation } from '../../schema/isolation.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { LedgerSegment } from '../../schema/proof-bundle.ts';
import type { CriterionBaseline, ProofFinding } from '../contract/proofs.ts';
import type { CallEnd, CallStart } from '../contract/tool-call.ts';
import { genesisHash, hashRow, type UnhashedRow } from '../store/ledger/ledger-chain.ts';
import type { CheckedRun } from './order.ts';

const WEAKEST_FIRST: readonly Isolation[] = ['none', 'partial', 'full'];

/** The record of one check: the rows that a goal would have in its ledger, chained as there. */
export class CheckRecord {
  readonly goalId: string;
  readonly #onRun: (run: CheckedRun) => void;
  readonly #rows: LedgerRow[] = [];
  readonly #baselines: CriterionBaseline[] = [];
  finding: ProofFinding | null = null;

  constructor(goalId: string, onRun: (run: CheckedRun) => void) {
    this.goalId = goalId;
    this.#onRun = onRun;
  }

  readonly journal = {
    startCall: async (_fence: unknown, call: CallStart): Promise<void> => {
      const { callId, turn, step, tool, effect, arguments: given } = call;
      this.#add({ phase: 'started', callId, turn, step, tool, effect, arguments: given });
    },
    settleCall: async (_fence: unknown, end: CallEnd): Promise<LedgerRow> => {
      const { callId, turn, step, tool, effect, outcome, receipt, output } = end;
      const outputSha256 = createHash('sha256')
        .update(output ?? '')
        .digest('hex');
      const told = { ...receipt, outputSha256 };
      const row = { phase: 'settled', callId, turn, step, tool, effect, outcome } as const;
      const added = this.#add({ ...row, receipt: told });
      this.#onRun(runOf(added));
      return added;
    },
    decidedApprovals: async () => [],
  };

  readonly proofs = {
    keepBaselines: async (_fence: unknown, baselines: readonly CriterionBaseline[]) => {
      const fresh = new Set(baselines.map(({ criterionId }) => criterionId));
      const others = this.#baselines.filter(({ criterionId }) => !fresh.has(criterionId));
      this.#baselines.splice(0, Infinity, ...others, ...baselines);
    },
    baselines: async () => [...this.#baselines],
    keepFinding: async (_fence: unknown, _turn: number, finding: ProofFinding) => {
      this.finding = finding;
    },
    finishedGoals: async () => [],
  };

  /** Commands that ran. */
  get runs(): number {
    return this.#rows.filter(({ phase }) => phase === 'settled').length;
  }

  /** Did a later run on the base alone pass? */
  heldOnBase(criterionId: string): boolean {
    return this.#rows.some(
      ({ phase, callId, outcome }) =>
        phase === 'settled' &&
        outcome === 'succeeded' &&
        callId.endsWith(`.${criterionId}.original`),
    );
  }

  /** The weakest that a command ran with. */
  get isolation(): Isolation | null {
    const begun = this.#rows.filter(({ receipt }) => hasEnded(receipt));
    const seen = new Set(begun.map(({ receipt }) => receipt?.isolation));
    return WEAKEST_FIRST.find((one) => seen.has(one)) ?? null;
  }

  /** These rows whole, the others by their hashes. */
  segment(whole: readonly number[]): LedgerSegment {
    const rows = this.#rows.map((row) =>
      whole.includes(row.seq) ? row : { seq: row.seq, hash: row.hash },
    );
    const { seq = 0, hash = genesisHash(this.goalId) } = this.#rows.at(-1) ?? {};
    return { previous: genesisHash(this.goalId), rows, head: { seq, hash } };
  }

  #add(row: Omit<UnhashedRow, 'seq' | 'token' | 'at' | 'previous'>): LedgerRow {
    const previous = this.#rows.at(-1)?.hash ?? genesisHash(this.goalId);
    const seq = this.#rows.length + 1;
    const at = new Date().toISOString();
    // As a reader gets it: without what is undefined.
    const unhashed = JSON.parse(
      JSON.stringify({ seq, token: 1, ...row, at, previous }),
    ) as UnhashedRow;
    const added = { ...unhashed, hash: hashRow(unhashed, null) };
    this.#rows.push(added);
    return added;
  }
}

/** What could not begin has no exit code and no signal, and shows no isolation. */
const hasEnded = (receipt: LedgerRow['receipt']): boolean =>
  receipt?.exitCode !== undefined || receipt?.signal !== undefined;

function runOf({ callId, receipt, outcome, tool }: LedgerRow): CheckedRun {
  return {
    criterionId: receipt?.criterionId ?? '',
    command: receipt?.command ?? '',
    on: tool === 'check.setup' ? 'what the base asks for' : filesOf(callId),
    isMet: outcome === 'succeeded',
    whyEnded: receipt?.exitCode === undefined ? (receipt?.reason?.split('\n')[0] ?? null) : null,
    durationMs: receipt?.durationMs ?? 0,
  };
}

/** By the part of a call's id that tells what the run is for. */
function filesOf(callId: string): string {
  const found = labels.find(([pattern]) => pattern.test(callId));
  return found?.[1] ?? 'the base with the work';
}

const labels: readonly (readonly [RegExp, string])[] = [
  [/^baseline\b/, 'the base'],
  [/^judged\b/, 'the base with what is accepted'],
  [/\.(?:canary|control)\d*$/, 'the base with the work, and other values expected'],
  [/\.felt\d+\b/, 'the base with a part of the work'],
  [/\.search\d+\b/, 'the work with a part of what lies beyond its scope'],
  [/\.all\b/, 'the work with all that lies beyond its scope'],
  [/\.delivered\b/, 'all that is delivered'],
  [/\.original\b/, 'the base'],
];
