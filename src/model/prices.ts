import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { calcPrice } from '@pydantic/genai-prices';
import type { ImageSight } from '../contract/attachments.ts';
import { type PricedModel, readPriceFile } from './price-file.ts';
import { sightOf } from './sight.ts';

interface TokenUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens?: number;
}

interface PriceList {
  /** Null when the model has no known price. */
  price(model: string, usage: TokenUsage): { costUsd: string; version: string } | null;
  contextWindow(model: string): number;
  maxOutput(model: string): number;
  sees(model: string): ImageSight | null;
}

const DEFAULT_WINDOW = 128_000;
/** Nearly every current model allows this output; providers refuse more than their maximum. */
const DEFAULT_OUTPUT = 16_000;

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
    sees: (model) => sightOf(model, entry(model)),
    maxOutput: (model) =>
      entry(model)?.maxOutput ?? Math.min(DEFAULT_OUTPUT, Math.floor(windowOf(model) / 4)),
  };
}

function ownPrice(priced: PricedModel, usage: TokenUsage): string {
  return cost(usage, {
    input: priced.inputPerMTok,
    cached: priced.cachedInputPerMTok ?? priced.inputPerMTok,
    written: priced.cacheWritePerMTok ?? priced.inputPerMTok,
    output: priced.outputPerMTok,
  });
}

/** The package answers in floating point; only its rates are taken, the sum is exact. */
function packagePrice(model: string, usage: TokenUsage): string | null {
  const rates = lookUp(model, usage)?.model_price;
  const input = rateFor(rates?.input_mtok, usage);
  const output = rateFor(rates?.output_mtok, usage);
  if (input === null || output === null) return null;
  const cached = rateFor(rates?.cache_read_mtok, usage) ?? input;
  const written = rateFor(rates?.cache_write_mtok, usage) ?? input;
  return cost(usage, { input, cached, written, output });
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

interface Rates {
  readonly input: string;
  readonly cached: string;
  readonly written: string;
  readonly output: string;
}

function cost(usage: TokenUsage, rates: Rates): string {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const picoDollars =
    BigInt(usage.inputTokens - cached - written) * microDollars(rates.input) +
    BigInt(cached) * microDollars(rates.cached) +
    BigInt(written) * microDollars(rates.written) +
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

function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const manifest = readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8');
  return `genai-prices@${(JSON.parse(manifest) as { version: string }).version}`;
}
