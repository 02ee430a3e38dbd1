import type { DatabaseUsers } from './database-roles.ts';
import { ensurePassword } from './postgres-cluster.ts';

/** The users of the embedded cluster; their passwords lie in the home. */
export function embeddedUsers(
  home: string,
  owner: string,
): DatabaseUsers & { readonly reader: string } {
  const urlOf = (name: string): string => {
    const password = ensurePassword(home, `postgres-${name}-password`);
    return Object.assign(new URL(owner), { username: `goalkeeper_${name}`, password }).href;
  };
  return { owner, writer: urlOf('writer'), reader: urlOf('reader') };
}
