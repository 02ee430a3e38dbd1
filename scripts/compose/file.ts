import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What this project's compose file uses of the format; a key that isn't here is refused by name. */
export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: Condition }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly retries?: number };
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  /** `SOURCE:TARGET[:ro]`. */
  readonly volumes?: readonly string[];
  readonly user?: string;
  readonly restart?: 'unless-stopped' | 'on-failure';
  readonly stop_grace_period?: string;
}

type Condition = 'service_healthy' | 'service_completed_successfully' | 'service_started';

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

/** Of no meaning without containers. */
const PASSED_OVER = ['build', 'init', 'hostname', 'ports', 'deploy'];
const KNOWN = [
  ...['image', 'command', 'environment', 'depends_on', 'healthcheck', 'configs', 'volumes', 'user'],
  ...['restart', 'stop_grace_period', ...PASSED_OVER],
];

/**
 * Reads a compose file as Compose does: YAML with merges, then variables.
 * @throws when it uses what this reader doesn't know, or a variable that must be set
 */
export function readCompose(
  path: string,
  variables: Readonly<Record<string, string>>,
): ComposeFile {
  const read = interpolated(parse(readFileSync(path, 'utf8'), { merge: true }), variables);
  const { services, configs } = read as ComposeFile;
  for (const [name, service] of Object.entries(services)) {
    const strange = Object.keys(service).filter((key) => !KNOWN.includes(key));
    if (strange.length > 0) throw new Error(`${name} has ${strange.join(', ')}, unknown here`);
  }
  return { services, configs };
}

function interpolated(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return filled(value, variables);
  if (Array.isArray(value)) return value.map((item) => interpolated(item, variables));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolated(item, variables)]),
  );
}

/** `$$`, `${NAME}`, `${NAME:-otherwise}` and `${NAME:?complaint}`. */
export const filled = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (whole, name, mark, rest) => {
    if (whole === '$$') return '$';
    const value = variables[name] ?? '';
    if (value !== '') return value;
    if (mark === '-') return rest;
    throw new Error(`${name} is not set: ${rest ?? ''}`);
  });

/** The services in an order in which each comes behind those that it depends on. */
export function inOrder(services: ComposeFile['services']): string[] {
  const order: string[] = [];
  const visit = (name: string, above: readonly string[]): void => {
    if (above.includes(name)) throw new Error(`a circle: ${[...above, name].join(' → ')}`);
    if (order.includes(name)) return;
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) {
      if (!services[needed]) throw new Error(`${name} depends on ${needed}, which is no service`);
      visit(needed, [...above, name]);
    }
    order.push(name);
  };
  for (const name of Object.keys(services)) visit(name, []);
  return order;
}
