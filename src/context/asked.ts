import type { AskedRequest, SentPrompt } from '../contract/asked-request.ts';
import type { ToolDeclaration } from '../contract/model.ts';

/** Stands for the mark of the host where a request is kept or shown. */
export const UNSHOWN_MARK = '…';

const known = new WeakMap<readonly ToolDeclaration[], Map<string, SentPrompt>>();
/** Of one list of tools; a goal's requests alternate between two at most. */
const MOST_KNOWN = 20;

/**
 * One object for each pair, as every step of a goal sends the same.
 * @param system with `mark` in it, where there is one
 */
export function promptOf(
  system: string,
  tools: readonly ToolDeclaration[],
  mark?: string,
): SentPrompt {
  const ofTools = known.get(tools) ?? new Map<string, SentPrompt>();
  known.set(tools, ofTools);
  const before = ofTools.get(system);
  if (before !== undefined) return before;
  if (ofTools.size >= MOST_KNOWN) ofTools.clear();
  const shown = mark === undefined ? system : system.replaceAll(mark, UNSHOWN_MARK);
  const made = { system: shown, tools };
  ofTools.set(system, made);
  return made;
}

const NO_TOOLS: readonly ToolDeclaration[] = [];

/** Of a request that is one text, without the conversation. */
export const askedAlone = (system: string, text: string): AskedRequest => ({
  prompt: promptOf(system, NO_TOOLS),
  through: null,
  compaction: null,
  isMarked: false,
  own: [{ text }],
});
