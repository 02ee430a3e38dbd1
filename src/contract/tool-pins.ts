import type { ToolDefinition, ToolPin } from '../../schema/tool-pin.ts';
import type { NewSecurityEntry } from './security-log.ts';

/** A tool as its server describes it at the moment. */
export interface OfferedTool {
  readonly server: string;
  /** As the model knows it. */
  readonly tool: string;
  readonly definition: ToolDefinition;
  /** The operator's settings name the tool, and not only its server. */
  readonly isNamed: boolean;
}

export interface SeenPin {
  readonly server: string;
  readonly tool: string;
  readonly hash: string | null;
  readonly offeredHash: string | null;
}

/** Which definition of each tool the goals of a workspace may see. */
export interface ToolPinsPort {
  /**
   * Trusts what is new, notes what changed, and tells the goal of what is withheld from it.
   * @returns the hash that is trusted, by tool
   */
  see(
    goalId: string,
    workspace: string,
    offered: readonly OfferedTool[],
  ): Promise<ReadonlyMap<string, string>>;
}

export interface ToolPinsOfPeople {
  list(): Promise<ToolPin[]>;
  /** @returns null if no such definition waits there */
  accept(
    pin: { readonly workspace: string; readonly tool: string; readonly hash: string },
    entry: NewSecurityEntry,
  ): Promise<ToolPin | null>;
  /** @returns how many pins there were */
  reset(workspace: string, server: string, entry: NewSecurityEntry): Promise<number>;
}
