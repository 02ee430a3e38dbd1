import { goalIdOf, type Script, type ScriptedReply, sequence } from '../../demo/script.ts';
import type { UsageFields } from '../../schema/budget.ts';
import type { ChargedStep, StepSums } from '../../schema/usage.ts';
import type { WorkerOptions } from '../../src/app/worker/options.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

export const works = sequence([write, claim]);

/** All of these reach the scripted server. */
export const COMPATIBLE = 'compatible/scripted';
export const ANTHROPIC = 'anthropic/claude-sonnet-4-5';
export const GOOGLE = 'google/gemini-2.5-pro';

/** Long enough for a busy machine, short enough to be waited for. */
export const PATIENCE_MS = 8000;

export const openProviderGoals = (
  scripts: Readonly<Record<string, Script>>,
  options: { readonly worker?: boolean; readonly wrapPorts?: WorkerOptions['wrapPorts'] } = {},
) =>
  openScriptedGoals(scripts, {
    ...options,
    models: (url) => ({
      anthropicApiKey: 'test-key-of-anthropic',
      googleApiKey: 'test-key-of-google',
      baseUrls: { anthropic: url, google: url },
      patience: { firstByteTimeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
    }),
  });

/** These first, whatever each goal asks; a retried request may differ in its remaining budget. */
export const atFirst = (faults: readonly ScriptedReply[], otherwise: Script = works): Script => {
  const asked = new Map<string | null, number>();
  return (request) => {
    const times = asked.get(goalIdOf(request)) ?? 0;
    asked.set(goalIdOf(request), times + 1);
    return faults[times] ?? otherwise(request);
  };
};

export interface UsageReport {
  readonly usage: UsageFields & { readonly own: UsageFields };
  readonly series: readonly { readonly turn: number; readonly usage: UsageFields }[];
  readonly stepSums: StepSums;
  readonly steps: readonly ChargedStep[];
  readonly nextCursor: string | null;
}

export const usageOf = (goals: ScriptedGoals, goalId: string, query = ''): Promise<UsageReport> =>
  goals.world.client.get<UsageReport>(`/v1/goals/${goalId}/usage${query}`);

/** How often the provider was asked for this goal. */
export const timesAsked = ({ world }: ScriptedGoals, goalId: string): number =>
  world.model.requests.filter((request) => goalIdOf(request) === goalId).length;
