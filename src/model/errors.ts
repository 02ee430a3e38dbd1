import { APICallError } from '@ai-sdk/provider';
import type { ProviderTrouble } from '../goal/facts.ts';

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
  other: false,
};

/** Would the same request have a chance later? Context overflow has none until it is shortened. */
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
 * What went wrong, from whatever a provider's client threw or put into its stream.
 * @param now for a `retry-after` that is a date, milliseconds since the epoch.
 */
export function classifyError(error: unknown, now: number): ProviderTrouble {
  const facts = factsOf(error);
  const kind = kindOf(facts);
  return trouble(kind, facts.message, retryAfter(facts.headers, now));
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
  /context_length_exceeded|context (length|window|size)|prompt is too long|input is too long|maximum context|too many (input )?tokens|input token count/i;
const REFUSED = /content_filter|content_policy|content management policy|safety|responsible ai/i;
const OVERLOAD = /overloaded|server_overloaded|unavailable/i;
const RATE = /rate_limit|rate limit|too many requests|resource_exhausted/i;

function kindOf({ status, message, words, codes }: ErrorFacts): Kind {
  const text = `${words} ${message}`;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429 || status === null || status === 400) {
    if (QUOTA.test(text)) return 'quota';
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
  if (/JSONParseError|TypeValidationError|InvalidResponseData/.test(text)) return 'malformed';
  if (/terminated|fetch failed|socket|network|connect/i.test(text)) return 'connection';
  return 'other';
}

function factsOf(error: unknown): ErrorFacts {
  if (APICallError.isInstance(error)) {
    return {
      status: error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : null,
      message: error.message,
      words: `${wordsOf(error.data)} ${(error.responseBody ?? '').slice(0, 2000)}`,
      codes: codesOf(error),
      headers: error.responseHeaders ?? {},
    };
  }
  const message = messageOf(error);
  const name = error instanceof Error ? error.name : '';
  return {
    status: null,
    message,
    words: `${name} ${wordsOf(error)}`,
    codes: codesOf(error),
    headers: {},
  };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message);
  return typeof error === 'string' ? error : 'The provider reported an error without a text.';
}

/** `type` and `code`, also one level down in `error`. */
function wordsOf(data: unknown): string {
  if (typeof data !== 'object' || data === null || data instanceof Error) return '';
  const { type, code, error } = data as { type?: unknown; code?: unknown; error?: unknown };
  return [type, code].filter((word) => typeof word === 'string').join(' ') + wordsOf(error);
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string') codes.push(code);
    if (current instanceof AggregateError) codes.push(...current.errors.flatMap(codesOf));
    current = current.cause;
  }
  return codes;
}

function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds / 1000);
  const value = headers['retry-after'];
  if (value === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Math.ceil(Number(value));
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

function oneLine(message: string): string {
  const text = message.replace(/\s+/g, ' ').trim();
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
