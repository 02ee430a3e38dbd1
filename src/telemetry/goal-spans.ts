import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { goalSpanIdOf, spanIdOf, type TraceContext, turnSpanIdOf } from './trace-ids.ts';
import type { StepOf, WorkObserver } from './work-observer.ts';

/** One span as it ends; times are milliseconds since 1970. */
export interface EndedSpan {
  readonly goalId: string;
  readonly spanId: string;
  /** null = the goal's own. */
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly hasFailed: boolean;
  readonly attributes: Attributes;
  /** What asked for it, in a trace of its own. */
  readonly caller?: TraceContext | null;
}

/** How a goal came to be. */
export interface Acceptance {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly caller: TraceContext | null;
}

interface SpanPorts {
  readonly now: () => number;
  readonly end: (span: EndedSpan) => void;
  /** null = the goal is gone. */
  readonly acceptanceOf: (goalId: string) => Promise<Acceptance | null>;
}

/** Beginnings that are kept for an end that another worker may see. */
const MOST_OPEN = 10_000;

/**
 * goal → turn → model call and tool. Names and attributes are OpenTelemetry's for generative AI;
 * no text of a goal is in them. What began in another worker begins here where it ends.
 */
export function spanningObserver({ now, end, acceptanceOf }: SpanPorts): WorkObserver {
  const open = new Map<string, number>();
  const begin = (spanId: string) => {
    open.set(spanId, now());
    const [oldest] = open.size > MOST_OPEN ? open.keys() : [];
    if (oldest !== undefined) open.delete(oldest);
  };
  const close = (span: Omit<EndedSpan, 'begunAt' | 'endedAt'>) => {
    const endedAt = now();
    const begunAt = open.get(span.spanId) ?? endedAt;
    open.delete(span.spanId);
    end({ ...span, begunAt, endedAt });
  };
  return {
    turnOpened: ({ goalId, turn }) => begin(turnSpanIdOf(goalId, turn)),
    stepBegun: (step) => begin(stepSpanIdOf(step)),
    stepEnded(step, { outcome, finishReason, usage }) {
      const { goalId, turn, kind, model, attempt } = step;
      close({
        goalId,
        spanId: stepSpanIdOf(step),
        parentId: turnSpanIdOf(goalId, turn),
        name: `chat ${model}`,
        kind: SpanKind.CLIENT,
        hasFailed: outcome !== 'committed' && outcome !== 'cut',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': model.split('/', 1)[0] ?? '',
          'gen_ai.request.model': model.slice(model.indexOf('/') + 1),
          ...(finishReason !== null && { 'gen_ai.response.finish_reasons': [finishReason] }),
          ...(usage !== null && {
            'gen_ai.usage.input_tokens': usage.inputTokens,
            'gen_ai.usage.output_tokens': usage.outputTokens,
            'goalkeeper.cost_usd': Number(usage.costUsd),
          }),
          ...(outcome !== 'committed' && { 'error.type': outcome }),
          'goalkeeper.step.kind': kind,
          'goalkeeper.step.attempt': attempt,
        },
      });
    },
    callBegun: ({ goalId, callId }) => begin(spanIdOf(goalId, callId)),
    callEnded: ({ goalId, callId, turn, tool, outcome }) =>
      close({
        goalId,
        spanId: spanIdOf(goalId, callId),
        parentId: turnSpanIdOf(goalId, turn),
        name: `execute_tool ${tool}`,
        kind: SpanKind.INTERNAL,
        hasFailed: outcome !== 'succeeded',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.call.id': callId,
          'goalkeeper.outcome': outcome,
        },
      }),
    turnSettled({ goalId, turn }, { decision, evidence, facts }) {
      close({
        goalId,
        spanId: turnSpanIdOf(goalId, turn),
        parentId: goalSpanIdOf(goalId),
        name: 'turn',
        kind: SpanKind.INTERNAL,
        hasFailed: false,
        attributes: {
          'goalkeeper.turn': turn,
          'goalkeeper.turn.kind': facts.kind,
          'goalkeeper.action': decision.outcome.action,
          'goalkeeper.rule': decision.rule,
          'goalkeeper.gate': evidence !== null,
        },
      });
    },
    goalCompleted(goalId) {
      const endedAt = now();
      acceptanceOf(goalId).then(
        (accepted) =>
          end({
            goalId,
            spanId: goalSpanIdOf(goalId),
            parentId: null,
            name: 'invoke_agent goalkeeper',
            kind: SpanKind.INTERNAL,
            begunAt: accepted?.at ?? endedAt,
            endedAt,
            hasFailed: false,
            attributes: { 'gen_ai.operation.name': 'invoke_agent' },
            caller: accepted?.caller ?? null,
          }),
        // A trace without its first span is no reason to disturb the work.
        () => undefined,
      );
    },
  };
}

const stepSpanIdOf = ({ goalId, turn, kind, step, attempt }: StepOf): string =>
  spanIdOf(goalId, `${turn} ${kind} ${step} ${attempt}`);

export const statusOf = ({ hasFailed }: EndedSpan) => ({
  code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET,
});
