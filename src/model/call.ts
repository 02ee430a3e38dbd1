import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { Patience } from '../contract/config.ts';
import type { ModelAnswer, ModelRequest, ReportedUsage, Unfinished } from '../contract/model.ts';
import type { FinishReason, ProviderTrouble } from '../contract/turn-facts.ts';
import { type StreamEnd, watchEnd } from './end-of-stream.ts';
import { classifyError, isBeforeGeneration, trouble } from './errors.ts';
import { type Silence, watchSilence } from './patience.ts';
import { createPartsCollector } from './provider-parts.ts';
import { readUsage } from './reported-usage.ts';

type Answer = Extract<ModelAnswer, { kind: 'answer' }>;

/** The parts of a stream that were received so far. */
interface Received {
  text: string;
  generated: string;
  readonly calls: Answer['calls'][number][];
  finish: { reason: LanguageModelV3FinishReason; usage: LanguageModelV3Usage } | null;
  reported: ReportedUsage | null;
  error: { value: unknown } | null;
  /** True from the first sign that the provider generates. */
  hasStarted: boolean;
  /** Milliseconds, on a clock that nobody sets. */
  readonly askedAt: number;
  firstTokenMs: number | undefined;
  readonly parts: ReturnType<typeof createPartsCollector>;
}

/** One streamed call without retries; errors are part of the answer. */
export async function callModel(
  model: LanguageModelV3,
  options: Pick<
    LanguageModelV3CallOptions,
    'prompt' | 'tools' | 'maxOutputTokens' | 'providerOptions'
  >,
  request: Pick<ModelRequest, 'signal' | 'onText'>,
  { patience, mask }: { readonly patience: Patience; readonly mask: (text: string) => string },
): Promise<ModelAnswer> {
  const received: Received = {
    text: '',
    generated: '',
    calls: [],
    finish: null,
    reported: null,
    error: null,
    hasStarted: false,
    askedAt: performance.now(),
    firstTokenMs: undefined,
    parts: createPartsCollector(),
  };
  if (request.signal.aborted) return aborted(received);
  const silence = watchSilence(patience, request.signal);
  const end = watchEnd(silence.signal);
  const abortSignal = silence.signal;
  const most = mostCharacters(options.maxOutputTokens);
  let isEndless = false;
  try {
    const { stream } = await model.doStream({ ...options, abortSignal, includeRawChunks: true });
    isEndless = !(await readAll(stream, received, request.onText, { silence, most }));
  } catch (error) {
    received.error ??= { value: error };
    received.hasStarted ||= !isBeforeGeneration(error);
  } finally {
    silence.stop();
  }
  if (request.signal.aborted) return aborted(received);
  const problem = silence.problem();
  if (problem !== null) return troubled(received, trouble('timeout', problem));
  if (isEndless) return troubled(received, trouble('malformed', ENDLESS));
  return outcome(received, end, mask);
}

const ENDLESS = 'The provider went on far beyond the length that was asked for.';
/** Far above the average length of tokens in any text, so only a runaway provider is cut. */
const CHARACTERS_PER_TOKEN = 16;

const mostCharacters = (maxOutputTokens = Number.POSITIVE_INFINITY): number =>
  maxOutputTokens * CHARACTERS_PER_TOKEN + 2000;

/** @returns false if the stream was left before its end because it is too long */
async function readAll(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  received: Received,
  onText: ModelRequest['onText'],
  { silence, most }: { readonly silence: Silence; readonly most: number },
): Promise<boolean> {
  received.hasStarted = true;
  for await (const part of stream) {
    // The client emits `stream-start` itself, before anything is received.
    if (part.type !== 'stream-start') silence.touch();
    if (isOutput(part)) {
      silence.progress();
      received.firstTokenMs ??= Math.round(performance.now() - received.askedAt);
    }
    take(part, received, onText);
    if (received.generated.length > most) return false;
  }
  return true;
}

/** Visible reasoning counts as output, and so do the markers of hidden reasoning. */
function isOutput(part: LanguageModelV3StreamPart): boolean {
  if ('delta' in part) return part.delta !== '';
  return ['tool-call', 'reasoning-start', 'reasoning-end', 'finish'].includes(part.type);
}

function take(
  part: LanguageModelV3StreamPart,
  received: Received,
  onText: ModelRequest['onText'],
): void {
  received.parts.take(part);
  switch (part.type) {
    case 'raw':
      received.reported = readUsage(part.rawValue, received.reported);
      return;
    case 'text-delta':
      received.text += part.delta;
      received.generated += part.delta;
      onText?.(part.delta);
      return;
    case 'reasoning-delta':
    case 'tool-input-delta':
      received.generated += part.delta;
      return;
    case 'tool-call':
      received.calls.push({ providerId: part.toolCallId, tool: part.toolName, input: part.input });
      return;
    case 'finish':
      received.finish = { reason: part.finishReason, usage: part.usage };
      return;
    case 'error':
      received.error ??= { value: part.error };
  }
}

function outcome(received: Received, end: StreamEnd, mask: (text: string) => string): ModelAnswer {
  const { finish, error } = received;
  const hasReason = finish?.reason.raw !== undefined;
  if (error !== null && !isMissingReason(error.value)) {
    return troubled(received, classifyError(error.value, Date.now(), mask));
  }
  if (finish === null || !(hasReason || end.isMarked)) return troubled(received, brokenOff(end));
  return {
    kind: 'answer',
    text: received.text,
    calls: received.calls,
    finishReason: hasReason ? finishReason(finish.reason) : 'absent',
    usage: usageOf(finish.usage),
    firstTokenMs: received.firstTokenMs,
    ...received.parts.result(),
  };
}

/** The compatible client's error for it says nothing about the end mark, which decides here. */
function isMissingReason(error: unknown): boolean {
  return error instanceof Error && error.message.includes('ended without a finish reason');
}

const brokenOff = ({ contentType }: StreamEnd): ProviderTrouble =>
  contentType === null
    ? trouble('connection', 'The stream broke off before the answer was finished.')
    : trouble('malformed', `The provider answered with ${contentType} where a stream was due.`);

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
function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ReportedUsage | null {
  if (!inputTokens.total) return null;
  return {
    inputTokens: inputTokens.total,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    outputTokens: outputTokens.total ?? 0,
    ...(inputTokens.cacheWrite ? { cacheWriteTokens: inputTokens.cacheWrite } : {}),
  };
}

function unfinished(received: Received): Unfinished {
  const { text, generated, hasStarted, reported, finish, firstTokenMs } = received;
  const atEnd = finish === null ? null : usageOf(finish.usage);
  const usage = atEnd ?? (reported?.inputTokens ? reported : null);
  return { partialText: text, generated, hasStarted, reported: usage, firstTokenMs };
}

const aborted = (received: Received): ModelAnswer => ({
  kind: 'aborted',
  ...unfinished(received),
});

const troubled = (received: Received, problem: ProviderTrouble): ModelAnswer => ({
  kind: 'trouble',
  trouble: problem,
  ...unfinished(received),
});
