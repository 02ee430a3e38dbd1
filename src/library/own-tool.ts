import type { z } from 'zod';
import type { Mode } from '../../schema/goal.ts';
import type { Effect } from '../../schema/ledger.ts';
import { cutText } from '../tools/output.ts';
import { ALL_MODES, failed, succeeded } from '../tools/results.ts';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import { diffFingerprints, takeFingerprint } from '../workspace/fingerprint.ts';

/** What an application's tool gets beside its arguments. */
export interface OwnToolContext {
  readonly goalId: string;
  /** Absolute path of the goal's files. */
  readonly workspace: string;
  /** The same for every try of this call: hand it to services that repeat nothing under one key. */
  readonly idempotencyKey: string;
  /** Aborts when the goal is paused, cleared or replaced. */
  readonly signal: AbortSignal;
}

export interface OwnTool<Schema extends z.ZodType = z.ZodType> {
  /** Letters, digits, `_` and `-`, at most 64: what every provider takes. */
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  /**
   * What a crash in the middle means. `read`: it is run again. `write`: it changed the workspace at
   * most; the model is told that its end was not seen, and looks. `once`: it changed the world and
   * must not be repeated; a person is asked.
   */
  readonly effect: Effect;
  /** Of the arguments; nothing runs when they don't fit. */
  readonly schema: Schema;
  /** Unless told, tools that only read are in every mode, all others in `agent`. */
  readonly modes?: readonly Mode[];
  /** The text for the model. What it throws is told to the model as the reason of a failure. */
  run(args: z.output<Schema>, context: OwnToolContext): Promise<string>;
}

/** Names the type of the arguments; the tool itself stays as it is. */
export const defineTool = <Schema extends z.ZodType>(tool: OwnTool<Schema>): OwnTool =>
  tool as unknown as OwnTool;

const NAME = /^[\w-]{1,64}$/;

/**
 * As the ledger, the policy and the crash rules know tools.
 * @throws TypeError for a name that no provider would take
 */
export function asTool(own: OwnTool): Tool {
  if (!NAME.test(own.name)) {
    throw new TypeError(`The tool "${own.name}" needs a name of letters, digits, "_" and "-".`);
  }
  const { name, description, effect, schema } = own;
  const modes = own.modes ?? (effect === 'read' ? ALL_MODES : (['agent'] as const));
  return {
    name,
    description,
    effect,
    modes,
    schema,
    run: (args, context) => run(own, args, context),
  };
}

async function run(own: OwnTool, args: unknown, context: ToolContext): Promise<ToolResult> {
  if (own.effect === 'read') return await told(own, args, context);
  const { path } = context.workspace;
  const look = () => takeFingerprint(path, context.watched);
  const before = await look();
  const result = await told(own, args, context);
  const writes = diffFingerprints(before, await look());
  if (writes.length === 0) return result;
  const receipt = { ...result.receipt, writes: writes.slice(0, MOST_WRITES) };
  return { ...result, receipt, wrote: true };
}

const MOST_WRITES = 5000;

async function told(own: OwnTool, args: unknown, context: ToolContext): Promise<ToolResult> {
  const { workspace, signal, idempotencyKey } = context;
  const goalId = idempotencyKey.slice(0, idempotencyKey.indexOf('/'));
  try {
    const about = { goalId, workspace: workspace.path, signal, idempotencyKey };
    return succeeded(cutText(await own.run(args, about), 'ask for less'));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}
