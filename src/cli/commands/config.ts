import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { serviceRulesSchema } from '../../../schema/service-rules.ts';
import { loadConfigWithOrigins, type SettingOrigin } from '../../app/config.ts';
import type { ServiceRules } from '../../contract/service-rules.ts';
import { builtInRules } from '../../intake/service-rules.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommonOptions } from '../session.ts';
import { printable, processTerminal } from '../terminal.ts';

interface Shown {
  readonly name: string;
  /** null = not set, and without a default; secrets are never shown. */
  readonly value: unknown;
  readonly origin: SettingOrigin['origin'];
  /** The variable that sets it, or would. */
  readonly variable: string | null;
}

/** Reads what a service that starts here would read; asks no running one. */
export async function showConfig(options: CommonOptions): Promise<ExitCode> {
  const { file, settings, config } = loadConfigWithOrigins(process.env);
  const shown = [
    ...settings.map((setting): Shown => {
      const { name, variable, origin, isSecret } = setting;
      const value = setting.value ?? (variable === 'GOALKEEPER_HOME' ? config.home : null);
      return { name, variable, origin, value: isSecret ? secretOr(value) : shownValue(value) };
    }),
    ...rulesShown(config.rules, file?.rules ?? {}),
  ];
  const terminal = processTerminal();
  if (options.json === true) {
    terminal.out(JSON.stringify({ file: file?.path ?? null, settings: shown }));
    return EXIT.complete;
  }
  terminal.out(file === null ? noFile(config.home) : `File: ${file.path}`);
  for (const one of shown.filter(({ value }) => value !== null)) {
    const from = one.origin === 'environment' ? one.variable : one.origin;
    terminal.out(`${one.name} = ${printable(text(one.value))}  (${from})`);
  }
  return EXIT.complete;
}

/** @throws ConfigError with the place and the way out */
export async function checkConfig(
  path: string | undefined,
  options: CommonOptions,
): Promise<ExitCode> {
  const named = path === undefined ? {} : { GOALKEEPER_CONFIG: path };
  const { file, config } = loadConfigWithOrigins({ ...process.env, ...named });
  const terminal = processTerminal();
  if (options.json === true) terminal.out(JSON.stringify({ file: file?.path ?? null, ok: true }));
  else terminal.out(file === null ? noFile(config.home) : `${file.path} is fine.`);
  return EXIT.complete;
}

const SECRET = '(secret)';
const secretOr = (value: unknown) => (value === null ? null : SECRET);

/** What signs, and what programs and servers are given, which may be a key. */
const HIDDEN = new Set(['secret', 'env', 'headers']);

/** JSON as what it holds, so that nothing of it passes for a text. */
function shownValue(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^\s*[[{]/.test(value) ? withoutSecrets(JSON.parse(value)) : withoutSecrets(value);
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return addressShown(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    HIDDEN.has(name) ? SECRET : withoutSecrets(inner),
  ]);
  return Object.fromEntries(fields);
}

/** User and password of an address, and its query, which may be a key. */
const addressShown = (text: string): string =>
  text
    .replace(/:\/\/[^/?#\s]*@/g, `://${SECRET}@`)
    .replace(/^(https?:\/\/[^?\s]*\?)\S+$/, `$1${SECRET}`);

const noFile = (home: string): string =>
  `There is no file. Write ${join(home, 'goalkeeper.config.yaml')}, or name one as GOALKEEPER_CONFIG.`;

/** The rules as a file would say all of them. What it doesn't name may follow from what it does. */
function rulesShown(rules: ServiceRules, inFile: object): Shown[] {
  const said = new Set(leaves(inFile).map(([name]) => name));
  const builtIn = new Map(leaves(asFile(builtInRules)));
  return leaves(asFile(rules)).map(([name, value]) => {
    const isOfFile = said.has(name) || !isDeepStrictEqual(value, builtIn.get(name));
    return { name, value, origin: isOfFile ? 'file' : 'default', variable: null };
  });
}

const TOOLS = Object.keys(serviceRulesSchema.shape.tools.unwrap().shape);

function asFile(rules: ServiceRules): object {
  const { budget, budgetMaximum, policy, bounds, thresholds, phrases } = rules;
  const { spend, retention } = rules;
  const { deadline: _, ...limits } = budget;
  return {
    budget: { default: limits, maximum: budgetMaximum },
    spend,
    policy: { default: policy, bounds },
    thresholds,
    phrases,
    retention,
    tools: Object.fromEntries(TOOLS.map((name) => [name, !rules.withheld.includes(name)])),
  };
}

const leaves = (value: object, above: readonly string[] = []): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const path = [...above, name];
    const isInner = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isInner ? leaves(inner, path) : [[path.join('.'), inner]];
  });

const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
