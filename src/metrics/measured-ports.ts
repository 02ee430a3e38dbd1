import type { Decision } from '../contract/decision.ts';
import type { CallUsage, JournalPort, StepKind } from '../contract/journal.ts';
import type { ModelAnswer, ModelPort } from '../contract/model.ts';
import type { RecordPort, SettledTurn } from '../contract/record.ts';
import type { CallEnd } from '../contract/tool-call.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

/** Times each call; how it ended is `answer`, `aborted` or the kind of trouble. */
export function measuredModel<Port extends ModelPort>(port: Port, metrics: WorkerMetrics): Port {
  return {
    ...port,
    async call(request) {
      const begun = performance.now();
      const answer = await port.call(request);
      metrics.modelSeconds.observe(
        { model: metrics.modelLabel(request.model), outcome: outcomeOf(answer) },
        (performance.now() - begun) / 1000,
      );
      return answer;
    },
  };
}

const outcomeOf = (answer: ModelAnswer): string =>
  answer.kind === 'trouble' ? answer.trouble.kind : answer.kind;

/**
 * Counts what ends in the journal. An end whose answer was lost is sent again and counted twice;
 * the record itself has it once.
 */
export function measuredJournal(port: JournalPort, metrics: WorkerMetrics): JournalPort {
  // The model of a step is said where it begins.
  const models = new Map<string, string>();
  const begin = (at: StepOf, model: string) => {
    models.set(keyOf(at), metrics.modelLabel(model));
    // Those that another worker ends are never taken out.
    const [oldest] = models.size > MOST_OPEN ? models.keys() : [];
    if (oldest !== undefined) models.delete(oldest);
  };
  const end = (at: StepOf, outcome: string, usage: CallUsage | null) => {
    const key = keyOf(at);
    const model = models.get(key) ?? 'unknown';
    models.delete(key);
    metrics.steps.inc({ model, kind: at.kind, outcome });
    charge(metrics, model, usage);
  };
  const settled = ({ tool, outcome }: Pick<CallEnd, 'tool' | 'outcome'>) =>
    metrics.tools.inc({ tool: metrics.toolLabel(tool), outcome });
  return {
    ...port,
    async beginStep(fence, step) {
      const hasBegun = await port.beginStep(fence, step);
      if (hasBegun) begin({ ...fence, ...step }, step.model);
      if (step.settles !== undefined) settled(step.settles);
      return hasBegun;
    },
    async commitStep(fence, step) {
      const committed = await port.commitStep(fence, step);
      end({ ...fence, ...step }, 'committed', step.usage);
      return committed;
    },
    async failStep(fence, step) {
      await port.failStep(fence, step);
      end({ ...fence, ...step }, step.trouble?.kind ?? 'cut', step.usage);
    },
    async loseStep(fence, step) {
      await port.loseStep(fence, step);
      end({ ...fence, ...step }, 'lost', step.usage);
    },
    async commitCompaction(fence, done) {
      await port.commitCompaction(fence, done);
      if (done.call === null) return;
      const { turn, model, call } = done;
      begin({ ...fence, ...call, turn, kind: 'compaction' }, model);
      end({ ...fence, ...call, turn, kind: 'compaction' }, 'committed', call.usage);
    },
    async settleCall(fence, call) {
      const row = await port.settleCall(fence, call);
      settled(call);
      return row;
    },
  };
}

/** More steps than this are not under way in one worker. */
const MOST_OPEN = 10_000;

interface StepOf {
  readonly goalId: string;
  readonly turn: number;
  readonly kind: StepKind;
  readonly step: number;
  readonly attempt: number;
}

const keyOf = ({ goalId, turn, kind, step, attempt }: StepOf): string =>
  `${goalId} ${turn} ${kind} ${step} ${attempt}`;

function charge(metrics: WorkerMetrics, model: string, usage: CallUsage | null): void {
  if (usage === null) return;
  metrics.tokens.inc({ model, type: 'input' }, usage.inputTokens);
  metrics.tokens.inc({ model, type: 'cached_input' }, usage.cachedInputTokens);
  metrics.tokens.inc({ model, type: 'output' }, usage.outputTokens);
  metrics.cost.inc({ model }, Number(usage.costUsd));
}

/** Counts turns that were settled; one that was judged anew because something moved counts once. */
export function measuredRecord(port: RecordPort, metrics: WorkerMetrics): RecordPort {
  return {
    ...port,
    async recordTurn(execution, turn) {
      const state = await port.recordTurn(execution, turn);
      if (state !== null) countTurn(metrics, turn);
      return state;
    },
  };
}

function countTurn(metrics: WorkerMetrics, { decision, evidence }: SettledTurn): void {
  const { outcome, rule } = decision;
  metrics.turns.inc({ action: outcome.action, rule });
  if (evidence !== null) metrics.gates.inc({ verdict: verdictOf(decision) });
  if (outcome.action === 'pause') metrics.pauses.inc({ reason: outcome.reason });
  if (outcome.action !== 'complete') return;
  const { verification, source } = outcome;
  metrics.completions.inc({ verification, source });
}

const verdictOf = ({ outcome, asks }: Decision): string => {
  if (outcome.action === 'complete') return 'proven';
  return (asks ?? []).length > 0 ? 'asks' : 'refused';
};
