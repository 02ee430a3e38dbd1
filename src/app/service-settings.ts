import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type Agents, agentsSchema } from '../../schema/agents.ts';
import { type McpServers, mcpServersSchema } from '../../schema/mcp-servers.ts';
import { firstMisfit, tellMisfit } from '../../schema/misfits.ts';
import { type ServiceTarget, serviceTargetsSchema, targetKey } from '../../schema/notify.ts';
import { type OidcSettings, oidcSettingsSchema } from '../../schema/oidc.ts';
import { toolRulesSchema } from '../../schema/tool-rule.ts';
import type { ServiceSettings } from '../contract/config.ts';
import { addressRules, isAddressEntry } from '../net/addresses.ts';
import { whyRefused } from '../net/target-address.ts';

type Variable =
  | 'GOALKEEPER_TOOL_POLICY'
  | 'GOALKEEPER_NOTIFY'
  | 'GOALKEEPER_ALLOWED_ADDRESSES'
  | 'GOALKEEPER_NOTIFY_ALLOW'
  | 'GOALKEEPER_MCP'
  | 'GOALKEEPER_AGENTS'
  | 'GOALKEEPER_OIDC';

/** The message says what is wrong and repeats no value. */
export class SettingError extends Error {
  readonly variable: Variable;

  constructor(variable: Variable, problem: string) {
    super(problem);
    this.name = 'SettingError';
    this.variable = variable;
  }
}

/** @throws SettingError */
export function readServiceSettings(
  given: Readonly<Record<Exclude<Variable, 'GOALKEEPER_OIDC'>, string | undefined>>,
): ServiceSettings {
  // The second name is the deprecated one.
  const allowedAddresses = (
    ['GOALKEEPER_ALLOWED_ADDRESSES', 'GOALKEEPER_NOTIFY_ALLOW'] as const
  ).flatMap((variable) => readAllowed(variable, given[variable]));
  const notify = targetsOf(given.GOALKEEPER_NOTIFY, allowedAddresses);
  return {
    toolRules: readSetting(
      'GOALKEEPER_TOOL_POLICY',
      given.GOALKEEPER_TOOL_POLICY,
      toolRulesSchema,
      [],
    ),
    mcpServers: mcpServersOf(given.GOALKEEPER_MCP),
    agents: readSetting<Agents>('GOALKEEPER_AGENTS', given.GOALKEEPER_AGENTS, agentsSchema, {}),
    notify,
    allowedAddresses,
  };
}

function targetsOf(value: string | undefined, allowed: readonly string[]): ServiceTarget[] {
  const targets = readSetting<ServiceTarget[]>(
    'GOALKEEPER_NOTIFY',
    value,
    serviceTargetsSchema,
    [],
  );
  const rules = addressRules(allowed);
  const keys = targets.map(targetKey);
  for (const [index, target] of targets.entries()) {
    const refusal = 'url' in target ? whyRefused(target.url, rules) : null;
    const isTwice = keys.indexOf(targetKey(target)) !== index;
    const problem = refusal ?? (isTwice ? 'it is named twice' : null);
    if (problem !== null)
      throw new SettingError('GOALKEEPER_NOTIFY', `has at ${index}: ${problem}`);
  }
  return targets;
}

/** @throws SettingError */
export const mcpServersOf = (value: string | undefined): McpServers =>
  readSetting('GOALKEEPER_MCP', value, mcpServersSchema, {});

/** @throws SettingError */
export const oidcOf = (value: string | undefined): OidcSettings | null =>
  readSetting<OidcSettings | null>('GOALKEEPER_OIDC', value, oidcSettingsSchema, null);

function readAllowed(variable: Variable, list: string | undefined): string[] {
  const entries = (list ?? '').split(',').map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== '');
  if (named.every(isAddressEntry)) return named;
  throw new SettingError(variable, 'has an entry that is no address or range');
}

/** The setting is JSON, or the path of a file that holds it. */
function readSetting<Value>(
  variable: Variable,
  value: string | undefined,
  schema: z.ZodType<Value>,
  unset: Value,
): Value {
  if (value === undefined) return unset;
  const parsed = schema.safeParse(parseJson(variable, settingText(variable, value)));
  if (parsed.success) return parsed.data;
  const misfit = firstMisfit(parsed.error);
  const at = misfit.path.length === 0 ? ': ' : ' at ';
  throw new SettingError(variable, `is not usable${at}${tellMisfit(misfit)}`);
}

function settingText(variable: Variable, value: string): string {
  if (/^\s*[[{]/.test(value)) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingError(variable, `names a file that can't be read (${code})`);
  }
}

function parseJson(variable: Variable, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingError(variable, 'is not JSON');
  }
}
