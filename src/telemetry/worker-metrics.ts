import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Decision } from '../contract/decision.ts';
import type { CallUsage } from '../contract/journal.ts';
import { boundedLabel } from './bounded-label.ts';
import type { WorkObserver } from './work-observer.ts';

/** A model call takes from a tenth of a second to minutes. */
const CALL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

/** What a worker counts since its start, for Prometheus. Money is in dollars, times in seconds. */
export interface WorkerMetrics {
  readonly registry: Registry;
  readonly modelLabel: (model: string) => string;
  readonly toolLabel: (tool: string) => string;
  readonly turns: Counter<'action' | 'rule'>;
  readonly completions: Counter<'verification' | 'source'>;
  readonly pauses: Counter<'reason'>;
  readonly gates: Counter<'verdict'>;
  readonly steps: Counter<'model' | 'kind' | 'outcome'>;
  readonly tokens: Counter<'model' | 'type'>;
  readonly cost: Counter<'model'>;
  readonly modelSeconds: Histogram<'model' | 'outcome'>;
  readonly tools: Counter<'tool' | 'outcome'>;
  readonly pruned: Counter<'what'>;
}

export function createWorkerMetrics(): WorkerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `goalkeeper_${name}`, help, labelNames, registers });
  return {
    registry,
    modelLabel: boundedLabel(),
    toolLabel: boundedLabel(),
    turns: counter('turns_total', 'Turns that were settled, by what followed.', ['action', 'rule']),
    completions: counter('completions_total', 'Goals that a turn completed.', [
      'verification',
      'source',
    ]),
    pauses: counter('pauses_total', 'Goals that a turn paused, by reason.', ['reason']),
    gates: counter('gate_verdicts_total', 'Evidence that was gathered, by what came of it.', [
      'verdict',
    ]),
    steps: counter('steps_total', 'Model calls that ended, by what for and how.', [
      'model',
      'kind',
      'outcome',
    ]),
    tokens: counter('tokens_total', 'Tokens that were charged; input includes cached.', [
      'model',
      'type',
    ]),
    cost: counter('cost_usd_total', 'Dollars that were charged, by known prices.', ['model']),
    modelSeconds: new Histogram({
      name: 'goalkeeper_model_call_seconds',
      help: 'Time of model calls, by how they ended.',
      labelNames: ['model', 'outcome'],
      buckets: CALL_SECONDS,
      registers,
    }),
    tools: counter('tool_calls_total', 'Calls of tools that were settled.', ['tool', 'outcome']),
    pruned: counter('pruned_rows_total', 'Rows that were removed, as retention says.', ['what']),
  };
}

/** Counts what it hears. */
export function countingObserver(metrics: WorkerMetrics): WorkObserver {
  const { modelLabel, toolLabel } = metrics;
  return {
    modelAnswered({ model, outcome, seconds }) {
      metrics.modelSeconds.observe({ model: modelLabel(model), outcome }, seconds);
    },
    stepEnded({ model: name, kind }, { outcome, usage }) {
      const model = modelLabel(name);
      metrics.steps.inc({ model, kind, outcome });
      if (usage !== null) charge(metrics, model, usage);
    },
    callEnded: ({ tool, outcome }) => metrics.tools.inc({ tool: toolLabel(tool), outcome }),
    turnSettled(_turn, { decision, evidence }) {
      const { outcome, rule } = decision;
      metrics.turns.inc({ action: outcome.action, rule });
      if (evidence !== null) metrics.gates.inc({ verdict: verdictOf(decision) });
      if (outcome.action === 'pause') metrics.pauses.inc({ reason: outcome.reason });
      if (outcome.action !== 'complete') return;
      const { verification, source } = outcome;
      metrics.completions.inc({ verification, source });
    },
  };
}

function charge(metrics: WorkerMetrics, model: string, usage: CallUsage): void {
  metrics.tokens.inc({ model, type: 'input' }, usage.inputTokens);
  metrics.tokens.inc({ model, type: 'cached_input' }, usage.cachedInputTokens);
  metrics.tokens.inc({ model, type: 'output' }, usage.outputTokens);
  metrics.cost.inc({ model }, Number(usage.costUsd));
}

const verdictOf = ({ outcome, asks }: Pick<Decision, 'outcome' | 'asks'>): string => {
  if (outcome.action === 'complete') return 'proven';
  return (asks ?? []).length > 0 ? 'asks' : 'refused';
};
