import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { calcPrice } from '@pydantic/genai-prices';
import { z } from 'zod';
import { linesOf } from './json-lines.ts';

/** The file of `GOALKEEPER_PRICES` can't be used; the message says where. */
export class PriceFileError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'PriceFileError';
  }
}

interface TokenUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

interface PriceList {
  /** Null when the model has no known price. */
  price(model: string, usage: TokenUsage): { costUsd: string; version: string } | null;
  contextWindow(model: string): number;
  maxOutput(model: string): number;
}

const DEFAULT_WINDOW = 128_000;
/** What nearly every current model may write in one answer; providers refuse more than theirs. */
const DEFAULT_OUTPUT = 16_000;

/** Six decimals of a dollar per million tokens leave twelve decimals per token: exact. */
const perMillion = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be a decimal string such as "1.25", at most 6 decimals');

const pricedModel = z.strictObject({
  inputPerMTok: perMillion,
  cachedInputPerMTok: perMillion.optional(),
  outputPerMTok: perMillion,
  contextWindow: z.int().min(1000).optional(),
  maxOutput: z.int().min(1).optional(),
});

const priceFileSchema = z.strictObject({
  models: z.record(
    z.string().regex(/^[a-z]+\/\S+$/, 'must be a model id such as "compatible/NAME"'),
    pricedModel,
  ),
});

type PricedModel = z.infer<typeof pricedModel>;

/** @throws PriceFileError */
export function loadPrices(file: string | undefined): PriceList {
  const own = file === undefined ? null : readPriceFile(file);
  const entry = (model: string) =>
    own && Object.hasOwn(own.models, model) ? own.models[model] : undefined;
  const version = packageVersion();
  const windows = new Map<string, number>();
  const windowOf = (model: string): number => {
    const known = windows.get(model) ?? entry(model)?.contextWindow ?? packageWindow(model);
    windows.set(model, known);
    return known;
  };
  return {
    price(model, usage) {
      const priced = entry(model);
      if (own && priced) return { costUsd: ownPrice(priced, usage), version: own.version };
      const costUsd = packagePrice(model, usage);
      return costUsd === null ? null : { costUsd, version };
    },
    contextWindow: windowOf,
    maxOutput: (model) =>
      entry(model)?.maxOutput ?? Math.min(DEFAULT_OUTPUT, Math.floor(windowOf(model) / 4)),
  };
}

function ownPrice(priced: PricedModel, usage: TokenUsage): string {
  return cost(usage, {
    input: priced.inputPerMTok,
    cached: priced.cachedInputPerMTok ?? priced.inputPerMTok,
    output: priced.outputPerMTok,
  });
}

/** The package answers in floating point; only its rates are taken, the sum is exact. */
function packagePrice(model: string, usage: TokenUsage): string | null {
  const rates = lookUp(model, usage)?.model_price;
  const input = rateFor(rates?.input_mtok, usage);
  const output = rateFor(rates?.output_mtok, usage);
  if (input === null || output === null) return null;
  return cost(usage, { input, cached: rateFor(rates?.cache_read_mtok, usage) ?? input, output });
}

function packageWindow(model: string): number {
  const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  return lookUp(model, none)?.model.context_window ?? DEFAULT_WINDOW;
}

function lookUp(model: string, usage: TokenUsage) {
  const slash = model.indexOf('/');
  const providerId = model.slice(0, slash);
  // Anyone can serve any name at a compatible URL: its price is known only from the file.
  if (providerId === 'compatible') return null;
  const counts = {
    input_tokens: usage.inputTokens,
    cache_read_tokens: Math.min(usage.cachedInputTokens, usage.inputTokens),
    output_tokens: usage.outputTokens,
  };
  try {
    return calcPrice(counts, model.slice(slash + 1), { providerId });
  } catch {
    // The package throws on a model whose own price data is incomplete.
    return null;
  }
}

type Rate = number | { base: number; tiers: { start: number; price: number }[] } | undefined;

/** A tier's price holds for the whole call once its input is above the tier's start. */
function rateFor(rate: Rate, usage: TokenUsage): string | null {
  if (rate === undefined) return null;
  if (typeof rate === 'number') return decimal(rate);
  const tier = rate.tiers
    .filter((candidate) => usage.inputTokens > candidate.start)
    .reduce((top, next) => (next.start >= top.start ? next : top), { start: -1, price: rate.base });
  return decimal(tier.price);
}

const decimal = (value: number) => value.toFixed(6);

function cost(usage: TokenUsage, rates: { input: string; cached: string; output: string }): string {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const picoDollars =
    BigInt(usage.inputTokens - cached) * microDollars(rates.input) +
    BigInt(cached) * microDollars(rates.cached) +
    BigInt(usage.outputTokens) * microDollars(rates.output);
  return fromPicoDollars(picoDollars);
}

/** Dollars per million tokens, times a million: the same digits are pico-dollars per token. */
function microDollars(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function fromPicoDollars(amount: bigint): string {
  const digits = amount.toString().padStart(13, '0');
  const fraction = digits.slice(-12).replace(/0+$/, '');
  const whole = digits.slice(0, -12);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function readPriceFile(file: string): z.infer<typeof priceFileSchema> & { version: string } {
  const text = readText(file);
  const parsed = priceFileSchema.safeParse(parseJson(file, text), { reportInput: true });
  if (!parsed.success) throw new PriceFileError(describeIssue(file, text, parsed.error));
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { ...parsed.data, version: `file:${digest}` };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PriceFileError(
      `GOALKEEPER_PRICES: ${file} can't be read: ${(error as Error).message}`,
    );
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const at = errorPosition(text, message);
    const where = at === null ? file : `${file} line ${lineAt(text, at)}`;
    throw new PriceFileError(`GOALKEEPER_PRICES: ${where} is not JSON: ${message}`);
  }
}

/** Node 20 gives a position for some errors and only a snippet of the text for others. */
function errorPosition(text: string, message: string): number | null {
  const position = message.match(/at position (\d+)/)?.[1];
  if (position !== undefined) return Number(position);
  if (/end of JSON input/.test(message)) return text.length;
  const snippet = message.match(
    /^Unexpected token .*?, (?:\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not/,
  )?.[1];
  const found = snippet === undefined ? -1 : text.indexOf(snippet);
  return found < 0 ? null : found + Math.min(10, snippet?.length ?? 0);
}

function describeIssue(file: string, text: string, error: z.ZodError): string {
  const issue = error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []).map(String), ...unknown];
  const where = `${file} line ${lineOfPath(text, path)}, ${path.join(' › ') || 'the whole file'}`;
  return `GOALKEEPER_PRICES: ${where}: ${complaintOf(issue)}`;
}

function complaintOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return 'is no known field';
  if (issue?.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  // A record's own words for a bad key don't say what a good one looks like.
  if (issue?.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  return issue?.message ?? 'is not valid';
}

/** Of a field that is missing: the line of what it belongs to. */
function lineOfPath(text: string, path: readonly string[]): number {
  const lines = linesOf(text);
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.get(JSON.stringify(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return 1;
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length;

function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const manifest = readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8');
  return `genai-prices@${(JSON.parse(manifest) as { version: string }).version}`;
}
