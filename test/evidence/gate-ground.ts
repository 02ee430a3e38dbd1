import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import type { Criterion } from '../../schema/criteria.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { Evidence } from '../../src/contract/evidence.ts';
import type { GoalBrief, StoredBaseline } from '../../src/contract/goal-brief.ts';
import type { JournaledStep } from '../../src/contract/journal.ts';
import type { CallEnd } from '../../src/contract/tool-call.ts';
import { startBaseline } from '../../src/evidence/baseline.ts';
import { gatherEvidence } from '../../src/evidence/gather.ts';
import { defaultPolicy } from '../../src/goal/defaults.ts';
import { attemptCompletionTool } from '../../src/tools/attempt-completion.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { createRunningSlices } from '../../src/turn/running.ts';
import type { SliceRun } from '../../src/turn/slice-run.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { testEffects } from '../tools/support.ts';

const input = { goalId: 'g-1', epoch: 1, runId: 'r-1', turn: 1, gate: 1, kind: 'start' as const };
const signal = new AbortController().signal;

/** Baseline and gate over a real folder with real commands; only the record is in memory. */
export function openGround(
  path: string,
  specs: readonly Criterion[],
  change: Partial<TurnPorts> = {},
  own: Partial<GoalBrief> = {},
) {
  const home = `${path}-home`;
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const rows: LedgerRow[] = [];
  const charged: { readonly step: number; readonly usage: unknown }[] = [];
  const steps: JournaledStep[] = [];
  let baseline: StoredBaseline | null = null;
  let token = 0;
  const settle = (end: Partial<CallEnd> & Pick<CallEnd, 'callId' | 'tool' | 'outcome'>) => {
    const row = {
      seq: rows.length + 1,
      phase: 'settled',
      turn: 1,
      step: 0,
      token,
      effect: 'read',
      at: new Date().toISOString(),
      previous: '',
      hash: '',
      ...end,
    } as unknown as LedgerRow;
    rows.push(row);
    return row;
  };
  const brief = () =>
    ({
      goalId: 'g-1',
      objective: 'Do it',
      mode: 'agent',
      model: 'test/model',
      fallbackModel: null,
      fallback: null,
      policy: defaultPolicy,
      criteria: specs.map((spec, index) => ({
        criterionId: `c${index + 1}`,
        spec,
        state: 'unmet',
        baseline: 'not_run',
        origin: 'caller',
        receipts: [],
      })),
      criteriaRevision: 1,
      budget: { tokens: null, costUsd: null, turns: null, activeSeconds: null, deadline: null },
      usage: { tokens: 0, costUsd: '0', turns: 1, activeSeconds: 0 },
      workspace: { name: 'w', path, marker: '', writeSeq: 0 },
      scope: { change: ['*', '**', 'answer.txt'] },
      baseline,
      ...own,
    }) as unknown as GoalBrief;
  const ports = {
    journal: {
      lastAttempt: async () => null,
      raiseToken: async () => {
        token += 1;
        return { goalId: 'g-1', epoch: 1, token };
      },
      recordHelper: async () => {},
      brief: async () => brief(),
      startCall: async () => {},
      settleCall: async (_: unknown, end: CallEnd) => settle(end),
      receipts: async () => rows,
      unread: async () => 0,
      decidedApprovals: async () => [],
      delegates: async () => ({ unread: 0, waking: 0, awaited: 0, staged: 0 }),
      turn: async () => ({ steps, started: [], settled: rows }),
      beginStep: async () => true,
      commitStep: async (_: unknown, step: (typeof charged)[number]) => void charged.push(step),
      failStep: async (_: unknown, step: (typeof charged)[number]) => void charged.push(step),
    },
    record: {
      recordBaseline: async (_: unknown, fresh: StoredBaseline) => {
        baseline = fresh;
      },
    },
    proofs: {
      baselines: async () => [],
      keepBaselines: async () => {},
      keepFinding: async () => {},
      finishedGoals: async () => [],
    },
    sealed: {
      whyNot: 'no sandbox',
      open: async () => ({ problem: 'none' }),
      runs: async () => [],
      keepRun: async () => {},
    },
    home,
    tools: createRegistry([attemptCompletionTool]),
    startEffects: () => testEffects().effects,
    running: createRunningSlices(),
    host: 'test',
    workerId: 'w-1',
    now: Date.now,
    ...change,
  } as unknown as TurnPorts;
  return {
    ports,
    rows,
    charged,
    steps,
    settle,
    async lookFirst() {
      const attempt = {
        fence: { goalId: 'g-1', epoch: 1, token },
        effects: ports.startEffects(async () => {}, NOWHERE),
      };
      await startBaseline({ ports, attempt, brief: brief(), input, signal } as unknown as SliceRun);
      return baseline;
    },
    async gate(): Promise<Evidence> {
      const { evidence } = await gatherEvidence(ports, input, signal, Date.now());
      if (evidence === null) throw new Error('the gate saw nothing');
      return evidence;
    },
  };
}

/** Nobody asks: these effects have no sandbox. */
const NOWHERE = () => Promise.reject(new Error('no ground'));
