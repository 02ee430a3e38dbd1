import type { Token } from '../../schema/token.ts';

const day = (at: string): string => at.slice(0, 10);

/** One line: who it is, what it may, and until when. */
export function tokenText(token: Token): string {
  const {
    name,
    role,
    workspaces,
    templates,
    createdBy,
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  } = token;
  const parts = [
    `${name} ${role}`,
    workspaces === null ? 'all workspaces' : workspaces.join(', '),
    ...(templates === null ? [] : [`starts ${templates.join(', ')} alone`]),
    `made ${day(createdAt)} by ${createdBy}`,
    lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`,
    revokedAt === null ? endOf(expiresAt) : `revoked ${day(revokedAt)} by ${token.revokedBy}`,
  ];
  return parts.join(' · ');
}

function endOf(expiresAt: string | null): string {
  if (expiresAt === null) return 'never expires';
  return `${Date.parse(expiresAt) > Date.now() ? 'expires' : 'expired'} ${day(expiresAt)}`;
}
