import { z } from 'zod';
import type { Mode } from '../../schema/goal.ts';
import { misfitsOf, tellMisfit } from '../../schema/misfits.ts';
import { NOT_BLANK } from '../../schema/text.ts';
import type { ToolDeclaration } from '../contract/model.ts';
import type { OfferedTool } from '../contract/tool-pins.ts';
import { createMasker, type Masker } from '../secrets/masker.ts';
import { maskResult } from './output.ts';
import { failed } from './results.ts';
import type { CheckedInput, Tool, ToolContext, ToolResult } from './tool.ts';

export type ParsedArguments =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly message: string };

export interface Registry {
  /** Returns the same list each time, so that callers can cache what they derive from it. */
  declarations(mode: Mode): readonly ToolDeclaration[];
  find(name: string): Tool | undefined;
  /** The tools whose words come from elsewhere, as they are described now. */
  offered(): readonly OfferedTool[];
  /** The same tools without those of `offered` whose hash differs from the trusted one. */
  trusting(hashes: ReadonlyMap<string, string>): Registry;
  /** Never throws. A message is for the model and means that nothing may run. */
  parse(name: string, rawInput: string): Promise<ParsedArguments>;
}

const NONE: readonly Tool[] = [];

/**
 * Results of the tools it hands out are masked already.
 * @param others that come and go: the same list for as long as it holds the same tools
 */
export function createRegistry(
  tools: readonly Tool[],
  mask: Masker = createMasker(process.env),
  others: () => readonly Tool[] = () => NONE,
): Registry {
  let seen = others();
  let set = toolSet([...seen, ...tools], mask);
  const now = (): ToolSet => {
    const present = others();
    if (present !== seen) {
      seen = present;
      set = toolSet([...seen, ...tools], mask);
    }
    return set;
  };
  return registryOf(now, mask);
}

/** @param now the same set for as long as it holds the same tools */
function registryOf(now: () => ToolSet, mask: Masker): Registry {
  return {
    declarations: (mode) => now().declarations(mode),
    find: (name) => now().byName.get(name),
    offered: () => now().offered,
    trusting: (hashes) => registryOf(trusted(now, hashes, mask), mask),
    parse: async (name, rawInput) => {
      const { byName, withheld } = now();
      const tool = byName.get(name);
      if (tool === undefined && withheld.has(name)) return refuse(withheldText(name));
      const parsed =
        tool === undefined ? unknownTool(name, namesOf(byName)) : await parse(tool, rawInput, mask);
      return parsed.ok ? parsed : { ok: false, message: mask.text(parsed.message) };
    },
  };
}

const withheldText = (name: string): string =>
  `${name} is withheld: its server describes it otherwise than before, or only now, and a person has to accept that. Nothing was run. Go on without it.`;

/** The set itself where nothing is withheld. */
function trusted(
  now: () => ToolSet,
  hashes: ReadonlyMap<string, string>,
  mask: Masker,
): () => ToolSet {
  let seen: ToolSet | null = null;
  let set: ToolSet | null = null;
  return () => {
    const present = now();
    if (present === seen && set !== null) return set;
    const isTrusted = ({ name, offer }: Tool) =>
      offer === undefined || hashes.get(name) === offer.definition.hash;
    const tools = [...present.byName.values()];
    const kept = tools.filter(isTrusted);
    const left = tools.filter((tool) => !isTrusted(tool)).map(({ name }) => name);
    seen = present;
    set = left.length === 0 ? present : setOf(kept, mask, new Set(left));
    return set;
  };
}

interface ToolSet {
  readonly byName: ReadonlyMap<string, Tool>;
  readonly declarations: Registry['declarations'];
  readonly offered: readonly OfferedTool[];
  readonly withheld: ReadonlySet<string>;
}

const toolSet = (tools: readonly Tool[], mask: Masker): ToolSet =>
  setOf(
    tools.map((tool) => masked(tool, mask)),
    mask,
  );

/** @param tools masked already */
function setOf(
  tools: readonly Tool[],
  mask: Masker,
  withheld: ReadonlySet<string> = new Set(),
): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const declared = new Map<Mode, readonly ToolDeclaration[]>();
  return {
    byName,
    withheld,
    offered: [...byName.values()].flatMap(({ offer }) => (offer ? [mask.value(offer)] : [])),
    declarations(mode) {
      const known = declared.get(mode);
      if (known !== undefined) return known;
      const fresh = [...byName.values()]
        .filter((tool) => tool.modes.includes(mode) && tool.isHostsOwn !== true)
        .map(declare);
      declared.set(mode, fresh);
      return fresh;
    },
  };
}

const namesOf = (tools: ReadonlyMap<string, Tool>): string[] =>
  [...tools.values()].flatMap(({ name, isHostsOwn }) => (isHostsOwn ? [] : name));

/** Masks results; a call whose plan fails has changed nothing. */
function masked(tool: Tool, mask: Masker): Tool {
  const plan = tool.plan?.bind(tool);
  const within = (context: ToolContext): ToolContext => ({
    ...context,
    mask: mask.text,
    maskLines: mask.lines,
  });
  return {
    ...tool,
    ...(plan && {
      plan: async (args, context) => {
        const made = await plan(args, within(context)).catch(cannotPlan);
        return 'outcome' in made ? maskResult(made, mask) : made;
      },
    }),
    run: async (args, context, made) => {
      try {
        return maskResult(await tool.run(args, within(context), made), mask);
      } catch (error) {
        if (error instanceof Error) error.message = mask.text(error.message);
        throw error;
      }
    },
  };
}

/** The model is told of missing rights, a broken disk, or too many open files. */
function cannotPlan(error: unknown): ToolResult {
  const reason = error instanceof Error ? error.message : String(error);
  return failed(`nothing was changed: ${reason}`);
}

function declare({ name, description, schema, parameters: given }: Tool): ToolDeclaration {
  if (given !== undefined) return { name, description, parameters: given };
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', override: plainly });
  return { name, description, parameters };
}

const KNOWN_FORMATS: readonly (string | undefined)[] = ['date-time', 'uri'];

/**
 * Providers refuse all tools for one word of JSON Schema that they don't know, so a model is told
 * types and lengths. Of what else the schema judges it learns by the answer.
 */
function plainly({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.allOf;
  if (!KNOWN_FORMATS.includes(jsonSchema.format)) delete jsonSchema.format;
  if (jsonSchema.pattern === NOT_BLANK.source) delete jsonSchema.pattern;
}

function whyNoJson(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return ` (${(error as Error).message})`;
  }
}

async function parse(tool: Tool, rawInput: string, mask: Masker): Promise<ParsedArguments> {
  let input: unknown;
  try {
    input = rawInput.trim() === '' ? {} : JSON.parse(rawInput);
  } catch {
    // The text is masked before parsing, because the error quotes a part that may cut a secret.
    const why = whyNoJson(mask.text(rawInput));
    return refuse(`The arguments of ${tool.name} are not JSON${why}. Nothing was run.`);
  }
  const checked = await (tool.check?.(input) ?? checkedBy(tool, input));
  if (checked.ok) return checked;
  return refuse(`The arguments of ${tool.name} are wrong: ${checked.why}. Nothing was run.`);
}

function checkedBy({ schema }: Tool, input: unknown): CheckedInput {
  const parsed = schema.safeParse(input);
  return parsed.success
    ? { ok: true, args: parsed.data }
    : { ok: false, why: tellMisfits(parsed.error) };
}

/** For the model, a field each. */
export const tellMisfits = (error: { readonly issues: readonly z.core.$ZodIssue[] }): string =>
  misfitsOf(error)
    .map((misfit) => tellMisfit(misfit))
    .join('; ');

function unknownTool(name: string, names: readonly string[]): ParsedArguments {
  const nearest = names
    .map((candidate) => ({ candidate, score: commonPairs(name.toLowerCase(), candidate) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
  return refuse(`There is no tool "${name}". The nearest are: ${nearest.join(', ')}.`);
}

function commonPairs(a: string, b: string): number {
  const pairs = (text: string) => new Set([...text].slice(1).map((c, i) => (text[i] ?? '') + c));
  const [left, right] = [pairs(a), pairs(b)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / (left.size + right.size || 1);
}

function refuse(message: string): ParsedArguments {
  return { ok: false, message };
}
