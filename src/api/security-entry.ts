import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../schema/role.ts';
import type { SecurityEntry } from '../../schema/security-log.ts';
import type { NewSecurityEntry } from '../contract/security-log.ts';

interface Told {
  /** The request's own unless it only now becomes known. */
  readonly caller?: Caller;
  readonly subject?: string;
  readonly result?: SecurityEntry['result'];
  readonly data?: Readonly<Record<string, unknown>>;
}

export function entryOf(
  request: FastifyRequest,
  what: SecurityEntry['what'],
  { caller, subject, result = 'done', data = {} }: Told = {},
): NewSecurityEntry {
  const known = caller ?? request.principal;
  return {
    who: known?.name ?? null,
    role: known?.role ?? null,
    address: request.ip,
    what,
    subject: subject ?? null,
    result,
    data: { ...data },
  };
}
