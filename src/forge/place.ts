import { ForgeRefused } from './refused.ts';

/** A repository as a forge knows it. */
export interface Place {
  /** As in a URL: with a port where it has one of its own. */
  readonly host: string;
  /** `owner/name`, with GitLab any number of groups before it. */
  readonly path: string;
  /** Without TLS, which only an address of the repository itself asks for. */
  readonly isPlain: boolean;
}

/** Of its pages and its API. */
export const originOf = ({ host, isPlain }: Place): string =>
  `${isPlain ? 'http' : 'https'}://${host}`;

const SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)([^:]+)$/;
const NAMES = /^[\w.-]+(?:\/[\w.-]+)+$/;

/** What the address of a git remote names; null = no repository of a forge. */
export function placeOfRemote(remote: string): Place | null {
  const [, host, path = ''] = SCP.exec(remote) ?? [];
  if (host !== undefined && !remote.includes('://')) return placed(host, path, false);
  const url = URL.canParse(remote) ? new URL(remote) : null;
  if (url?.protocol === 'https:' || url?.protocol === 'http:')
    return placed(url.host, url.pathname, url.protocol === 'http:');
  // The port of SSH says nothing of the forge's own.
  return url?.protocol === 'ssh:' ? placed(url.hostname, url.pathname, false) : null;
}

function placed(host: string, path: string, isPlain: boolean): Place | null {
  const name = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const isName = NAMES.test(name) && !name.split('/').some((part) => /^\.+$/.test(part));
  return isName ? { host: host.toLowerCase(), path: name, isPlain } : null;
}

export interface IssuePlace extends Place {
  readonly number: number;
}

const ISSUE = /^(\/.+?)\/(?:-\/)?issues\/(\d+)\/?$/;

/** @throws ForgeRefused for what is no address of an issue */
export function placeOfIssue(address: string): IssuePlace {
  const url = URL.canParse(address) ? new URL(address) : null;
  const [, path = '', number = ''] = ISSUE.exec(url?.pathname ?? '') ?? [];
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const place = url && isWeb ? placed(url.host, path, url.protocol === 'http:') : null;
  if (place !== null && Number.isSafeInteger(Number(number)))
    return { ...place, number: Number(number) };
  throw new ForgeRefused(
    `${address.slice(0, 200)} is no address of an issue.`,
    'Copy it from the browser: https://HOST/OWNER/NAME/issues/NUMBER.',
  );
}
