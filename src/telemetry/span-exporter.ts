import { type Link, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { type EndedSpan, statusOf } from './goal-spans.ts';
import { type TraceContext, traceIdOf } from './trace-ids.ts';

export interface SpanExporter {
  end(span: EndedSpan): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Sends spans by OTLP over HTTP, in batches; headers come from `OTEL_EXPORTER_OTLP_HEADERS`. A collector
 * that is away loses spans and holds nothing up.
 * @param url base URL of the collector
 */
export function createSpanExporter(url: string, version: string): SpanExporter {
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }));
  const resource = resourceFromAttributes({
    'service.name': process.env.OTEL_SERVICE_NAME ?? 'goalkeeper',
    'service.version': version,
  });
  const instrumentationScope = { name: 'goalkeeper', version };
  return {
    end: (span) => processor.onEnd(readable(span, { resource, instrumentationScope })),
    close: () => processor.shutdown().catch(() => undefined),
  };
}

function readable(
  span: EndedSpan,
  origin: Pick<ReadableSpan, 'resource' | 'instrumentationScope'>,
): ReadableSpan {
  const { goalId, spanId, parentId, name, kind, begunAt, endedAt, attributes, caller } = span;
  const contextOf = (id: string) => ({
    traceId: traceIdOf(goalId),
    spanId: id,
    traceFlags: TraceFlags.SAMPLED,
  });
  return {
    ...origin,
    name,
    kind,
    spanContext: () => contextOf(spanId),
    ...(parentId !== null && { parentSpanContext: contextOf(parentId) }),
    startTime: timeOf(begunAt),
    endTime: timeOf(endedAt),
    duration: timeOf(endedAt - begunAt),
    status: statusOf(span),
    attributes: { ...attributes, 'goalkeeper.goal.id': goalId },
    links: caller ? [linkTo(caller)] : [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function linkTo(caller: TraceContext): Link {
  const context = { ...caller, isRemote: true };
  return { context };
}

/** Seconds and nanoseconds. */
const timeOf = (milliseconds: number): [number, number] => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1e6),
];
