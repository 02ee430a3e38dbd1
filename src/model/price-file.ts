import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { linesOf } from './json-lines.ts';

/** The file of `GOALKEEPER_PRICES` can't be used; the message says where. */
export class PriceFileError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'PriceFileError';
  }
}

/** Six decimals of a dollar per million tokens leave twelve decimals per token: exact. */
const perMillion = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be a decimal string such as "1.25", at most 6 decimals');

const pricedModel = z.strictObject({
  inputPerMTok: perMillion,
  cachedInputPerMTok: perMillion.optional(),
  cacheWritePerMTok: perMillion.optional(),
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

export type PricedModel = z.infer<typeof pricedModel>;

/** Also called where nothing is priced: a service with a wrong file doesn't start. @throws PriceFileError */
export function readPriceFile(file: string): z.infer<typeof priceFileSchema> & { version: string } {
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
