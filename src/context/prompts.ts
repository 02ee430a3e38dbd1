import { readdirSync, readFileSync } from 'node:fs';
import type { Mode } from '../../schema/goal.ts';
import type { LimitReached, TurnKind } from '../contract/turn-facts.ts';
import type { StoredWakeRequest } from '../contract/wake-request.ts';
import { checksBeforeClaim } from '../record/claim-order.ts';
import { reasonLine } from './reason-line.ts';

export type PromptName =
  | `system-${Mode}`
  | `why-${TurnKind}`
  | 'start'
  | 'start-plan'
  | 'start-planned'
  | 'start-gather'
  | 'continued'
  | 'nudge-go-on'
  | 'nudge-missing'
  | 'nudge-claim'
  | 'nudge-gather'
  | 'refused-claim'
  | 'resume'
  | 'message'
  | 'answer'
  | 'wake'
  | 'wake-timer'
  | 'wake-met'
  | 'wake-timed-out'
  | 'wake-refused'
  | 'text-tokens'
  | 'host-mark'
  | 'wrap-up'
  | 'repeated-call'
  | 'compacted'
  | 'summarise'
  | 'transcript'
  | 'review'
  | 'agent-rules'
  | 'agent-unseen'
  | 'agent-refused'
  | 'agent-allowed'
  | 'agent-done'
  | 'session-amended'
  | 'session-missing'
  | 'session-go-on';

const NO_TOOLS: ReadonlySet<string> = new Set();

/** Calls that a text may end with as a token. */
const CALLS_OF_TOKENS = ['continue_work', 'delegate', 'attempt_completion'];

/** Characters shown of a reason, which may quote an output. */
const MOST_REASON = 600;

const folder = new URL('./prompts/', import.meta.url);

/** Read once at start: a missing or unreadable template stops the process, not a goal. */
const templates = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.slice(0, -3), readFileSync(new URL(file, folder), 'utf8').trimEnd()]),
);

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const SECTION = /\{\{#(\w+)\}\}([\s\S]*?)\{\{\/\1\}\}/g;

/**
 * Values are inserted verbatim and never expanded again. `{{#tool}}…{{/tool}}` stands only where
 * the goal is offered that tool.
 */
export function renderPrompt(
  name: PromptName,
  values: Readonly<Record<string, string>> = {},
  offered: ReadonlySet<string> = NO_TOOLS,
): string {
  const template = templates.get(name);
  if (template === undefined) throw new Error(`There is no prompt template "${name}".`);
  const whole = template.replace(SECTION, (_match, tool: string, text: string) =>
    offered.has(tool) ? text : '',
  );
  return whole.replace(PLACEHOLDER, (_match, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`The prompt "${name}" needs a value for "${key}".`);
    return value;
  });
}

export interface SystemGround {
  readonly mode: Mode;
  /** Names of the tools that the goal is offered: no prompt speaks of another one. */
  readonly offered: ReadonlySet<string>;
  readonly hasTextTokens?: boolean;
  readonly hostMark?: string | undefined;
}

/** The goal's own mark comes last: all goals share what stands before it. */
export function systemPrompt({ mode, offered, hasTextTokens, hostMark }: SystemGround): string {
  const values = { checks: checksBeforeClaim(mode) };
  const tellsTokens = hasTextTokens === true && CALLS_OF_TOKENS.some((name) => offered.has(name));
  return [
    renderPrompt(`system-${mode}`, values, offered),
    ...(tellsTokens ? [renderPrompt('text-tokens', values, offered)] : []),
    ...(hostMark === undefined ? [] : [renderPrompt('host-mark', { mark: hostMark })]),
  ].join('\n\n');
}

/** The missing ids, each with the reason and the call that would satisfy it. */
interface Missing {
  readonly missing: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly mode?: Mode;
}

/** The host's words for a turn that follows a yield. */
export function nudgeText(nudge: Missing & { readonly isGoOn: boolean }): string {
  const { isGoOn, missing, mode = 'agent' } = nudge;
  if (isGoOn) return renderPrompt('nudge-go-on');
  const checks = checksBeforeClaim(mode);
  if (missing.length === 0) return renderPrompt('nudge-claim', { checks });
  return renderPrompt('nudge-missing', { missing: missingLines(nudge), checks });
}

/** The result of a refused `attempt_completion`, also the opening of the turn after it. */
export function refusedClaimText(refusal: Missing): string {
  const checks = checksBeforeClaim(refusal.mode ?? 'agent');
  return renderPrompt('refused-claim', { missing: missingLines(refusal), checks });
}

export function wrapUpText({ name, used, allowed }: LimitReached): string {
  return renderPrompt('wrap-up', { limit: name, used, allowed });
}

/** The model's own words, with what the host observed meanwhile. */
export function wakeText(election: StoredWakeRequest | null): string {
  if (election === null || election.endedAt === null) return renderPrompt('wake');
  const { spec, state, seen, createdAt, endedAt } = election;
  const after = Math.round((Date.parse(endedAt) - Date.parse(createdAt)) / 1000);
  const values = {
    seconds: String(after),
    asked: reasonLine(askedFor(spec), MOST_REASON),
    seen: reasonLine(seen, MOST_REASON),
  };
  if (state === 'fired') return renderPrompt('wake-timer', values);
  if (state === 'met') return renderPrompt('wake-met', values);
  if (state === 'timed_out') return renderPrompt('wake-timed-out', values);
  return state === 'refused' ? renderPrompt('wake-refused', values) : renderPrompt('wake');
}

const askedFor = (spec: StoredWakeRequest['spec']): string =>
  String(spec.reason ?? spec.command ?? spec.file ?? spec.url ?? spec.event ?? spec.until ?? '');

export function repeatedCallText(tool: string, times: number): string {
  return renderPrompt('repeated-call', { tool, times: String(times) });
}

/** For a person's own session, which has tools of its own. */
export const sessionText = (found: Missing): string =>
  found.missing.length === 0
    ? renderPrompt('session-go-on')
    : renderPrompt('session-missing', { missing: missingLines(found) });

function missingLines({ missing, reasons }: Missing): string {
  return missing.map((id) => `- ${reasonLine(id, MOST_REASON)}${reasonOf(reasons[id])}`).join('\n');
}

function reasonOf(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reasonLine(reason, MOST_REASON)}`;
}
