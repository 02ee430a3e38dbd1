import type { Caller } from '../../schema/role.ts';
import type { NewToken, Token } from '../../schema/token.ts';
import { fieldIssue, type Issue } from '../intake/issue.ts';
import { isAtLeast } from '../policy/role-rank.ts';

const DAY_MS = 86_400_000;

/** What a token is bound by: its own bounds within those of its maker. */
export function boundsOf(maker: Caller, asked: NewToken, now: Date) {
  const { workspaces = maker.workspaces, expiresInDays } = asked;
  const own = expiresInDays === null ? null : now.getTime() + expiresInDays * DAY_MS;
  const ends = [own, maker.expiresAt === null ? null : Date.parse(maker.expiresAt)];
  const first = Math.min(...ends.map((at) => at ?? Number.POSITIVE_INFINITY));
  const expiresAt = Number.isFinite(first) ? new Date(first).toISOString() : null;
  return { workspaces, expiresAt };
}

/** Nobody makes a token that may more than its maker. */
export function tokenIssue(maker: Caller, asked: NewToken): Issue | null {
  if (!isAtLeast(maker.role, asked.role)) {
    const detail = `The role ${maker.role} makes no token of role ${asked.role}.`;
    return { code: 'forbidden', detail, data: { field: 'role', role: maker.role } };
  }
  const beyond = asked.workspaces?.find((name) => !isWithin(maker, [name]));
  return beyond === undefined
    ? null
    : fieldIssue('workspaces', `${beyond} is none of the workspaces of this token.`);
}

/** A caller sees and revokes the tokens that it could have made. */
export const couldMake = (caller: Caller, token: Token): boolean =>
  coversBounds(caller, token) && endOf(token) <= endOf(caller);

/** The caller may all that this principal may. */
export const coversBounds = (
  caller: Caller,
  { role, workspaces, templates }: Pick<Caller, 'role' | 'workspaces' | 'templates'>,
): boolean =>
  isAtLeast(caller.role, role) &&
  isWithin(caller, workspaces) &&
  (caller.templates === null ||
    (templates?.every((one) => caller.templates?.includes(one)) ?? false));

const endOf = ({ expiresAt }: Pick<Caller, 'expiresAt'>): number =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);

const isWithin = ({ workspaces: own }: Caller, asked: readonly string[] | null): boolean =>
  own === null || (asked?.every((name) => own.includes(name)) ?? false);
