export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
  /** The whole URL with this host alone, as drivers take it. */
  readonly url: string;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(.*)$/;
const DEFAULT_PORT = 5432;
/** What a URL with several hosts asks of the one that is used: that it takes writes. */
const WRITABLE = ['read-write', 'primary'];

/**
 * The hosts of a database's URL, which may name several as libpq's do:
 * `postgresql://user@one:5432,two:5432/name?target_session_attrs=read-write`.
 * @returns null for what no driver could use, and for several hosts of which any would do
 */
export function hostsOf(url: string): readonly [DatabaseHost, ...DatabaseHost[]] | null {
  const [, before = '', hosts = '', behind = ''] = PARTS.exec(url) ?? [];
  const names = hosts.split(',');
  const each = names.map((name) => before + name + behind);
  if (!each.every((single) => PARTS.test(single) && URL.canParse(single))) return null;
  if (names.length === 1) return [hostOf(new URL(url), url)];
  if (names.includes('') || !isForWrites(each[0] ?? '')) return null;
  const [first, ...others] = each.map((single) => hostOf(withoutChoice(single), null));
  return first === undefined ? null : [first, ...others];
}

function hostOf(parsed: URL, url: string | null): DatabaseHost {
  const { hostname, port } = parsed;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(port || DEFAULT_PORT), url: url ?? parsed.href };
}

const isForWrites = (single: string): boolean =>
  WRITABLE.includes(new URL(single).searchParams.get('target_session_attrs') ?? '');

function withoutChoice(single: string): URL {
  const url = new URL(single);
  url.searchParams.delete('target_session_attrs');
  return url;
}

/** Whom the database's URL names, in words for people: hosts and ports, no secrets. */
export const placesIn = (url: string): string => PARTS.exec(url)?.[2] ?? '';
