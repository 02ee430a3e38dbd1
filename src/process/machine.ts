import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { bootId } from './process-identity.ts';

/** The name under which this machine's workers serve workspaces. */
export const poolOf = ({ pool }: { readonly pool: string | null }): string => pool ?? hostname();

/** Where processes see each other by their numbers: containers of one host may share its name. */
export function machineName(): string {
  let numbers = '';
  try {
    numbers = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    // Only Linux has such namespaces.
  }
  return [hostname(), bootId(), numbers].filter((part) => part !== '').join('/');
}
