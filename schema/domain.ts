/** A name or address with a port, as a command asks for it. */
export interface Destination {
  /** As the URL standard writes it, without a dot at its end. */
  readonly host: string;
  readonly port: number;
}

/** What an entry of a list lets commands reach. */
export interface DomainRule {
  readonly host: string;
  /** Names below the host, at any depth, and not the host itself. */
  readonly isBelow: boolean;
  readonly ports: readonly number[];
}

/** Of an entry that names no port. */
const USUAL_PORTS: readonly number[] = [443, 80];
const MOST_CHARACTERS = 253;
/** What the URL standard would read as something else than a host, or leave out. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[^\s\p{C}/\\?#@%:<>^|`"{}*[\]]+)$/iu;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;

export const isAddress = (host: string): boolean => ADDRESS.test(host);

/** A host as the URL standard writes it: lower case, punycode, addresses in one form; else null. */
export function hostOf(text: string): string | null {
  if (text.length > 2 * MOST_CHARACTERS || !HOST.test(text)) return null;
  if (!URL.canParse(`http://${text}/`)) return null;
  const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  if (isAddress(host)) return host;
  const isName = host.length <= MOST_CHARACTERS && host.split('.').every((one) => LABEL.test(one));
  return isName ? host : null;
}

/** `host:port`; null where it can't be read in exactly one way. */
export function destinationOf(text: string): Destination | null {
  const [, name = '', digits = ''] = /^(.*):([1-9]\d{0,4})$/s.exec(text) ?? [];
  const host = hostOf(name);
  const port = Number(digits);
  return host === null || digits === '' || port > 65_535 ? null : { host, port };
}

/** Reads `example.org`, `*.example.org`, `example.org:8443`, `203.0.113.7` or `[2001:db8::1]:443`. */
export function domainRuleOf(entry: string): DomainRule | null {
  const isBelow = entry.startsWith('*.');
  const rest = isBelow ? entry.slice(2) : entry;
  const named = destinationOf(rest);
  const host = named?.host ?? hostOf(rest);
  if (host === null) return null;
  // Everything below one label is a whole part of the internet.
  if (isBelow && (isAddress(host) || !host.includes('.'))) return null;
  return { host, isBelow, ports: named === null ? USUAL_PORTS : [named.port] };
}

/** Compared label by label: `evilexample.org` is not below `example.org`. */
export function namesHost({ host, isBelow }: DomainRule, asked: string): boolean {
  if (!isBelow) return asked === host;
  if (isAddress(asked)) return false;
  const [above, labels] = [host.split('.'), asked.split('.')];
  const tail = labels.slice(-above.length);
  return labels.length > above.length && tail.every((label, index) => label === above[index]);
}
