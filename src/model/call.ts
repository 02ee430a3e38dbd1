import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { FinishReason, ProviderTrouble } from '../goal/facts.ts';
import type { ModelAnswer, ModelRequest } from '../turn/ports.ts';
import { type StreamEnd, watchEnd } from './end-of-stream.ts';
import { classifyError, isBeforeGeneration, trouble } from './errors.ts';
import { createPartsCollector } from './provider-parts.ts';

type Answer = Extract<ModelAnswer, { kind: 'answer' }>;

/** Everything that a stream brought so far. */
interface Received {
  text: string;
  readonly calls: Answer['calls'][number][];
  finish: { reason: LanguageModelV3FinishReason; usage: LanguageModelV3Usage } | null;
  error: { value: unknown } | null;
  /** True from the first sign that the provider generates. */
  hasStarted: boolean;
  readonly parts: ReturnType<typeof createPartsCollector>;
}

/**
 * One streamed call without retries; whatever goes wrong is part of the answer.
 * @param idleTimeoutMs longest silence between two parts of the stream
 */
export async function callModel(
  model: LanguageModelV3,
  options: Pick<LanguageModelV3CallOptions, 'prompt' | 'tools' | 'maxOutputTokens'>,
  request: Pick<ModelRequest, 'signal' | 'onText'>,
  idleTimeoutMs: number,
): Promise<ModelAnswer> {
  const received: Received = {
    text: '',
    calls: [],
    finish: null,
    error: null,
    hasStarted: false,
    parts: createPartsCollector(),
  };
  if (request.signal.aborted) return aborted(received);
  const idle = abortWhenIdle(idleTimeoutMs, request.signal);
  const end = watchEnd(idle.signal);
  try {
    const { stream } = await model.doStream({ ...options, abortSignal: idle.signal });
    await readAll(stream, received, request.onText, idle.touch);
  } catch (error) {
    received.error ??= { value: error };
    received.hasStarted ||= !isBeforeGeneration(error);
  } finally {
    idle.stop();
  }
  if (request.signal.aborted) return aborted(received);
  if (idle.isOver()) {
    return troubled(
      received,
      trouble('timeout', `The provider was silent for ${idleTimeoutMs} ms.`),
    );
  }
  return outcome(received, end);
}

async function readAll(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  received: Received,
  onText: ModelRequest['onText'],
  touch: () => void,
): Promise<void> {
  received.hasStarted = true;
  for await (const part of stream) {
    touch();
    take(part, received, onText);
  }
}

function take(
  part: LanguageModelV3StreamPart,
  received: Received,
  onText: ModelRequest['onText'],
): void {
  received.parts.take(part);
  if (part.type === 'text-delta') {
    received.text += part.delta;
    onText?.(part.delta);
  } else if (part.type === 'tool-call') {
    received.calls.push({ providerId: part.toolCallId, tool: part.toolName, input: part.input });
  } else if (part.type === 'finish') {
    received.finish = { reason: part.finishReason, usage: part.usage };
  } else if (part.type === 'error') {
    received.error ??= { value: part.error };
  }
}

function outcome(received: Received, end: StreamEnd): ModelAnswer {
  const { finish, error } = received;
  const hasReason = finish?.reason.raw !== undefined;
  if (error !== null && !isMissingReason(error.value)) {
    return troubled(received, classifyError(error.value, Date.now()));
  }
  if (finish === null || !(hasReason || end.isMarked)) return troubled(received, brokenOff());
  return {
    kind: 'answer',
    text: received.text,
    calls: received.calls,
    finishReason: hasReason ? finishReason(finish.reason) : 'absent',
    usage: usageOf(finish.usage),
    ...received.parts.result(),
  };
}

/** The compatible client's error for it says nothing about the end mark, which decides here. */
function isMissingReason(error: unknown): boolean {
  return error instanceof Error && error.message.includes('ended without a finish reason');
}

const brokenOff = () =>
  trouble('connection', 'The stream broke off before the answer was finished.');

const FINISH: Record<LanguageModelV3FinishReason['unified'], FinishReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'other',
  other: 'other',
};

const finishReason = (reason: LanguageModelV3FinishReason) => FINISH[reason.unified];

/** A usage of zero everywhere means that none was reported: no request has an empty input. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Answer['usage'] {
  if (!inputTokens.total) return null;
  return {
    inputTokens: inputTokens.total,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    outputTokens: outputTokens.total ?? 0,
  };
}

function aborted({ text, hasStarted }: Received): ModelAnswer {
  return { kind: 'aborted', partialText: text, hasStarted };
}

function troubled({ text, hasStarted }: Received, problem: ProviderTrouble): ModelAnswer {
  return { kind: 'trouble', trouble: problem, partialText: text, hasStarted };
}

/** Aborts on silence or with `parent`, which lives longer than a call and must not collect listeners. */
function abortWhenIdle(milliseconds: number, parent: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, milliseconds);
  parent.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    touch: () => void timer.refresh(),
    isOver: () => controller.signal.aborted,
    stop: () => {
      clearTimeout(timer);
      parent.removeEventListener('abort', abort);
    },
  };
}
