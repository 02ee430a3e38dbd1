import { APICallError } from '@ai-sdk/provider';
import type { ProviderTrouble } from '../contract/turn-facts.ts';
import { AnswerTooLong } from './fetch.ts';
import { retryAdvice } from './retry-advice.ts';

type Kind = ProviderTrouble['kind'];

const RETRYABLE: Record<Kind, boolean> = {
  rate_limit: true,
  overload: true,
  timeout: true,
  connection: true,
  auth: false,
  quota: false,
  context_overflow: false,
  content_refused: false,
  malformed: true,
  spend_limit: true,
  other: false,
};

/** Tells whether the same request may succeed later. Context overflow needs a shorter request. */
export function isRetryable(kind: Kind): boolean {
  return RETRYABLE[kind];
}

export function trouble(
  kind: Kind,
  message: string,
  retryAfterSeconds: number | null = null,
): ProviderTrouble {
  return { kind, isRetryable: isRetryable(kind), retryAfterSeconds, message: oneLine(message) };
}

/**
 * Classifies an error that a provider's client threw or put into its stream.
 * @param now for advice that names a moment, milliseconds since the epoch
 * @param mask removes secrets before the text is cut, because half a secret is not recognised
 */
export function classifyError(
  error: unknown,
  now: number,
  mask: (text: string) => string = (text) => text,
): ProviderTrouble {
  const tooLong = chainOf(error).find((cause) => cause instanceof AnswerTooLong);
  if (tooLong !== undefined) return trouble('malformed', tooLong.message);
  const facts = factsOf(error);
  const advice = retryAdvice(facts.headers, `${facts.words} ${facts.message}`, now);
  const kind = kindOf(facts, advice !== null);
  return trouble(kind, mask(facts.message), isRetryable(kind) ? advice : null);
}

/**
 * True when nothing can have been generated: the provider answered with an error status, or was
 * never reached. Only these calls are free.
 */
export function isBeforeGeneration(error: unknown): boolean {
  const { status, codes } = factsOf(error);
  return status !== null || codes.some((code) => NEVER_CONNECTED.has(code));
}

interface ErrorFacts {
  readonly status: number | null;
  /** A status that only the error's own text has. */
  readonly code: number | null;
  readonly message: string;
  /** The provider's own words for the error: type and code of the body. */
  readonly words: string;
  /** System codes of the whole cause chain. */
  readonly codes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMEOUTS = new Set([
  'ETIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const QUOTA = /insufficient_quota|billing|credit balance|exceeded your current quota|payment/i;
const OVERFLOW =
  /context_length_exceeded|context (length|window|size|limit)|prompt is too long|input is too long|maximum context|too many (input )?tokens|input token count/i;
const REFUSED = /content_filter|content_policy|content management policy|safety|responsible ai/i;
const BAD_KEY = /api_key_invalid|api key (not valid|invalid|expired)/i;
/** A server error that the provider reports in a stream that has begun. */
const ITS_OWN = /\bapi_error|server_error|internal (server )?error/i;
const OVERLOAD = /overloaded|server_overloaded|unavailable/i;
const RATE = /rate_limit|rate limit|too many requests|resource_exhausted/i;

const MALFORMED =
  /JSONParseError|TypeValidationError|InvalidResponseData|EmptyResponseBody|invalid json/i;

function kindOf(
  { status: answered, code, message, words, codes }: ErrorFacts,
  isPassing: boolean,
): Kind {
  const text = `${words} ${message}`;
  // Gateways put the upstream provider's status into a stream that has begun.
  const status = answered ?? code;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429 || status === null || status === 400) {
    // Some providers call a rate limit per minute a quota too, and say when it ends.
    if (QUOTA.test(text) && !isPassing) return 'quota';
  }
  if (status === 429) return 'rate_limit';
  if (status === 529 || status === 503) return 'overload';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'context_overflow';
  if (status !== null && status >= 500) return OVERLOAD.test(text) ? 'overload' : 'connection';
  if (status !== null && status >= 400) return requestKind(text);
  return transportKind(text, codes);
}

function requestKind(text: string): Kind {
  if (OVERFLOW.test(text)) return 'context_overflow';
  if (BAD_KEY.test(text)) return 'auth';
  return REFUSED.test(text) ? 'content_refused' : 'other';
}

/** Errors without a status: broken transport, or an error event inside the stream. */
function transportKind(text: string, codes: readonly string[]): Kind {
  if (codes.some((code) => TIMEOUTS.has(code))) return 'timeout';
  if (codes.length > 0) return 'connection';
  if (RATE.test(text)) return 'rate_limit';
  if (OVERLOAD.test(text)) return 'overload';
  if (OVERFLOW.test(text)) return 'context_overflow';
  if (/authentication_error|permission_error|invalid_api_key/i.test(text)) return 'auth';
  if (MALFORMED.test(text)) return 'malformed';
  if (ITS_OWN.test(text)) return 'connection';
  if (/terminated|fetch failed|socket|network|connect/i.test(text)) return 'connection';
  return 'other';
}

function factsOf(error: unknown): ErrorFacts {
  if (APICallError.isInstance(error)) {
    return {
      status: error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : null,
      code: null,
      message: inBody(error.responseBody) ?? error.message,
      words: `${wordsOf(error.data)} ${(error.responseBody ?? '').slice(0, 2000)}`,
      codes: codesOf(error),
      headers: error.responseHeaders ?? {},
    };
  }
  const message = messageOf(error);
  const name = error instanceof Error ? error.name : '';
  return {
    status: null,
    code: statusIn(error),
    message,
    words: `${name} ${wordsOf(error)}`,
    codes: codesOf(error),
    headers: {},
  };
}

function messageOf(error: unknown): string {
  if (typeof error === 'string' && error.trim() !== '') return error;
  const { message, error: inner } = fieldsOf(error);
  if (typeof message === 'string' && message.trim() !== '') return message;
  return inner === undefined || inner === error ? WITHOUT_TEXT : messageOf(inner);
}

/** Clients look for it only where their own provider puts it; gateways put it elsewhere. */
function inBody(body: string | undefined): string | null {
  try {
    const message = messageOf(JSON.parse(body ?? ''));
    return message === WITHOUT_TEXT ? null : message;
  } catch {
    return null;
  }
}

const WITHOUT_TEXT = 'The provider reported an error without a text.';

const fieldsOf = (value: unknown): { message?: unknown; error?: unknown; code?: unknown } =>
  typeof value === 'object' && value !== null ? value : {};

function statusIn(error: unknown): number | null {
  const { code, error: inner } = fieldsOf(error);
  const found = code ?? fieldsOf(inner).code;
  return typeof found === 'number' && found >= 400 && found < 600 ? found : null;
}

/** `type` and `code`, also one level down in `error`. */
function wordsOf(data: unknown): string {
  if (typeof data !== 'object' || data === null || data instanceof Error) return '';
  const { type, code, error } = data as { type?: unknown; code?: unknown; error?: unknown };
  return [type, code].filter((word) => typeof word === 'string').join(' ') + wordsOf(error);
}

function codesOf(error: unknown): string[] {
  return chainOf(error).flatMap((one) => {
    const { code } = one as { code?: unknown };
    const inside = one instanceof AggregateError ? one.errors.flatMap(codesOf) : [];
    return typeof code === 'string' ? [code, ...inside] : inside;
  });
}

/** The error and what caused it, outermost first. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 6; one = one.cause) chain.push(one);
  return chain;
}

function oneLine(message: string): string {
  const text = message.replace(/\s+/g, ' ').trim() || WITHOUT_TEXT;
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
