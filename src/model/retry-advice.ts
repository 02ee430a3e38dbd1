type Headers = Readonly<Record<string, string>>;

/**
 * The provider's retry delay in seconds from now; null = it gives none. The standard header comes
 * first, then providers' own headers, then the text.
 * @param now milliseconds since the epoch
 * @param text body and message of the error
 */
export function retryAdvice(headers: Headers, text: string, now: number): number | null {
  return (
    fromMilliseconds(headers['retry-after-ms']) ??
    fromTime(headers['retry-after'], now) ??
    fromExhausted(headers, now) ??
    fromTime(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'], now) ??
    fromText(text)
  );
}

function fromMilliseconds(value: string | undefined): number | null {
  if (value === undefined || !/^\d+(\.\d+)?$/.test(value.trim())) return null;
  return Math.ceil(Number(value) / 1000);
}

/** A larger number is a moment, not a duration. */
const LONGEST_DURATION_SECONDS = 31_536_000;
const FIRST_MILLISECONDS = 100_000_000_000;

/** Seconds, a moment in seconds or milliseconds since the epoch, a date, or `1m30s`. */
function fromTime(given: string | undefined, now: number): number | null {
  const value = given?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number <= LONGEST_DURATION_SECONDS) return Math.ceil(number);
    return until(number < FIRST_MILLISECONDS ? number * 1000 : number, now);
  }
  // Date parsers accept much, also "-5", so only a text with a colon is read as a date.
  return fromDuration(value) ?? (value.includes(':') ? until(Date.parse(value), now) : null);
}

function until(moment: number, now: number): number | null {
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - now) / 1000));
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

function fromDuration(value: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(value)) return null;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const seconds = parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? 's'] ?? 1),
    0,
  );
  return Math.ceil(seconds);
}

const REMAINING = /^(x-ratelimit|anthropic-ratelimit)-(?:remaining-(.+)|(.+)-remaining)$/;

/** Each exhausted limit has its own reset; the latest reset counts. */
function fromExhausted(headers: Headers, now: number): number | null {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const [, family, after, before] = REMAINING.exec(name) ?? [];
    if (family === undefined || Number(value) !== 0) return [];
    const reset = after === undefined ? `${family}-${before}-reset` : `${family}-reset-${after}`;
    return fromTime(headers[reset], now) ?? [];
  });
  return resets.length === 0 ? null : Math.max(...resets);
}

/** `"retryDelay": "34s"`, "Please try again in 1m2.5s", "retry after 20 seconds". */
function fromText(text: string): number | null {
  const [, delay] = /"retryDelay"\s*:\s*"([\d.]+s)"/.exec(text) ?? [];
  if (delay !== undefined) return fromDuration(delay);
  const [, short] =
    /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|h|m|s))+)\b/i.exec(text) ?? [];
  if (short !== undefined) return fromDuration(short);
  const [, amount] =
    /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) seconds?\b/i.exec(text) ?? [];
  return amount === undefined ? null : Math.ceil(Number(amount));
}
