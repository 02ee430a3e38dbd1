import type { NewToken, Session, Token } from '../api/types.ts';
import { quoted } from './shell-words.ts';
import type { Tone } from './tone.ts';

export type Role = Session['role'];

const ROLES: readonly Role[] = ['viewer', 'agent', 'operator', 'admin'];

/** Nobody makes a token that may more than its maker. */
export const rolesUpTo = (role: Role): readonly Role[] => ROLES.slice(0, ROLES.indexOf(role) + 1);

export const mayText: Readonly<Record<Role, string>> = {
  viewer: 'look',
  agent: 'start, message, pause',
  operator: 'answer, approve, pay',
  admin: 'all, and the security log',
};

export interface TokenForm {
  readonly name: string;
  readonly role: Role;
  /** Names between commas; empty = all that its maker has. */
  readonly workspaces: string;
  /** WORKSPACE/TEMPLATE between commas, for a program; empty = it is bound to none. */
  readonly templates: string;
  /** In days; empty = as long as its maker. */
  readonly days: string;
}

export const emptyTokenForm: TokenForm = {
  name: '',
  role: 'agent',
  workspaces: '',
  templates: '',
  days: '90',
};

export const dayChoices = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['', 'with its maker'],
] as const;

export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export function tokenBody({ name, role, workspaces, templates, days }: TokenForm): NewToken {
  const names = namesIn(workspaces);
  const bound = role === 'agent' ? namesIn(templates) : [];
  const asked = {
    name: name.trim(),
    ...(names.length === 0 ? {} : { workspaces: names }),
    expiresInDays: days === '' ? null : Number(days),
  };
  return bound.length === 0
    ? { ...asked, role }
    : { ...asked, role: 'agent' as const, templates: bound };
}

/** The same from the command line. */
export function tokenTwin(form: TokenForm): string {
  const { name, role, workspaces, templates, expiresInDays } = tokenBody(form);
  return [
    `goalkeeper token create ${quoted(name === '' ? '…' : name)}`,
    `--role ${role}`,
    ...(workspaces ?? []).map((one) => `--workspace ${quoted(one)}`),
    ...(templates ?? []).map((one) => `--template ${quoted(one)}`),
    expiresInDays === null ? '--no-expiry' : `--days ${expiresInDays}`,
  ].join(' ');
}

export type TokenState = 'valid' | 'expired' | 'revoked';

export function tokenState({ revokedAt, expiresAt }: Token, now: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'valid';
}

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 60;
const SOON_DAYS = 7;

/** Says that nobody seems to need it: since it was made, or since its last use. */
export const idleTone = ({ lastUsedAt, createdAt }: Token, now: number): Tone =>
  now - Date.parse(lastUsedAt ?? createdAt) > UNUSED_DAYS * DAY_MS ? 'warn' : '';

export const endTone = ({ expiresAt }: Token, now: number): Tone =>
  expiresAt !== null && Date.parse(expiresAt) - now < SOON_DAYS * DAY_MS ? 'warn' : '';

/** Those that work first, each group as the service orders it. */
export function byState(tokens: readonly Token[], now: number) {
  const isValid = (token: Token) => tokenState(token, now) === 'valid';
  return {
    valid: tokens.filter(isValid),
    ended: tokens.filter((token) => !isValid(token)),
  };
}
