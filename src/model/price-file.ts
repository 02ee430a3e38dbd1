import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import jsonc from 'jsonc-parser';
import { z } from 'zod';
import { firstMisfit } from '../../schema/misfits.ts';

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
  /** Whether the model sees images; absent = what is known of its name. */
  images: z.boolean().optional(),
  /** The most tokens that an image counts. */
  tokensPerImage: z.int().min(1).max(1_000_000).optional(),
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
  const parsed = priceFileSchema.safeParse(parseJson(file, text));
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
    const faults: jsonc.ParseError[] = [];
    jsonc.parse(text, faults, { disallowComments: true });
    const [first] = faults;
    const where = first === undefined ? file : `${file} line ${lineAt(text, first.offset)}`;
    throw new PriceFileError(
      `GOALKEEPER_PRICES: ${where} is not JSON: ${(error as Error).message}`,
    );
  }
}

function describeIssue(file: string, text: string, error: z.ZodError): string {
  const misfit = firstMisfit(error);
  const path = misfit.path.map(String);
  const where = `${file} line ${lineOfPath(text, path)}, ${path.join(' › ') || 'the whole file'}`;
  return `GOALKEEPER_PRICES: ${where}: ${misfit.message}`;
}

/** The line of a field; for a missing field, the line of its parent. */
function lineOfPath(text: string, path: readonly string[]): number {
  const tree = jsonc.parseTree(text);
  for (let length = path.length; tree !== undefined && length > 0; length -= 1) {
    const node = jsonc.findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return lineAt(text, (node.parent ?? node).offset);
  }
  return 1;
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length;
