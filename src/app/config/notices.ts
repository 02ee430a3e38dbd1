import type { ServiceTarget } from '../../../schema/notify.ts';
import {
  ConfigError,
  type MailSettings,
  type NoticeSettings,
  type ServiceSettings,
} from '../../contract/config.ts';
import { addressRules, literalAddress } from '../../net/addresses.ts';
import { type Parsed, WAY_OUT } from './environment.ts';

type Variable = keyof typeof WAY_OUT;

/**
 * What the targets of GOALKEEPER_NOTIFY need beside themselves.
 * @throws ConfigError
 */
export function noticeSettings(
  parsed: Parsed,
  { notify, allowedAddresses }: ServiceSettings,
): NoticeSettings {
  const publicUrl = publicUrlOf(parsed);
  const mail = mailOf(parsed, allowedAddresses);
  const linkHours = parsed.GOALKEEPER_LINK_HOURS;
  const needs = (variable: Variable, index: number, why: string): ConfigError =>
    new ConfigError(
      variable,
      `is not set, and GOALKEEPER_NOTIFY.${index} ${why}`,
      WAY_OUT[variable],
    );
  for (const [index, target] of notify.entries()) {
    if ('mailto' in target && mail === null) throw needs('GOALKEEPER_SMTP_URL', index, 'is e-mail');
    if (!grants(target)) continue;
    const why = 'has links that decide';
    if (publicUrl === null) throw needs('GOALKEEPER_PUBLIC_URL', index, why);
    if (parsed.GOALKEEPER_LEDGER_KEY === undefined)
      throw needs('GOALKEEPER_LEDGER_KEY', index, why);
  }
  return { publicUrl, mail, linkHours };
}

const grants = (target: ServiceTarget): boolean => 'as' in target && target.as !== undefined;

/** Whoever reads a link on its way decides with it. */
function publicUrlOf({ GOALKEEPER_PUBLIC_URL: url }: Parsed): string | null {
  if (url === undefined) return null;
  const { protocol, hostname, search, hash, username, password } = new URL(url);
  const isOwn = /^(?:127\.|::1$)/.test(literalAddress({ hostname }) ?? '');
  const isBare = search + hash + username + password === '';
  if (isBare && (protocol === 'https:' || isOwn)) return url;
  const problem = isBare ? 'is not https' : 'holds more than host, port and path';
  throw new ConfigError('GOALKEEPER_PUBLIC_URL', problem, WAY_OUT.GOALKEEPER_PUBLIC_URL);
}

function mailOf(parsed: Parsed, allowed: readonly string[]): MailSettings | null {
  const { GOALKEEPER_SMTP_URL: text, GOALKEEPER_MAIL_FROM: from } = parsed;
  if (text === undefined) return null;
  if (from === undefined)
    throw new ConfigError('GOALKEEPER_MAIL_FROM', 'is not set', WAY_OUT.GOALKEEPER_MAIL_FROM);
  const url = new URL(text);
  const isTls = url.protocol === 'smtps:';
  // `smtp:` is no scheme whose hosts are read as addresses, so it is read as one that is.
  const host = new URL(text.replace(/^smtps?/, 'https')).hostname;
  const address = literalAddress({ hostname: host });
  const rules = addressRules(allowed);
  if (address !== null && !rules.isPermitted(address)) {
    const problem =
      'leads to a loopback, link-local or private address that GOALKEEPER_ALLOWED_ADDRESSES does not name';
    throw new ConfigError('GOALKEEPER_SMTP_URL', problem, WAY_OUT.GOALKEEPER_SMTP_URL);
  }
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isTls ? 465 : 587),
    isTls,
    isPlain: !isTls && address !== null && rules.isNamed(address),
    user: decoded(url.username),
    password: decoded(url.password),
    from,
  };
}

function decoded(text: string): string | null {
  try {
    return text === '' ? null : decodeURIComponent(text);
  } catch {
    throw new ConfigError(
      'GOALKEEPER_SMTP_URL',
      'has a % that begins no letter',
      WAY_OUT.GOALKEEPER_SMTP_URL,
    );
  }
}
