import type { Role } from '../../view/token-form.ts';

export function RoleTag({ role }: { readonly role: Role }) {
  return <span className={`tag ${role === 'admin' ? 'tone-accent' : ''}`}>{role}</span>;
}
