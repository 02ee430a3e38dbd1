import { z } from 'zod';
import { domainRuleOf } from './domain.ts';
import { atMost, inFormat } from './text.ts';

const WAY_OUT =
  'is no domain: give a name such as example.org, *.example.org for those below it, or an address, each with :PORT where it is neither 443 nor 80';

const domainSchema = z
  .string()
  .min(1)
  .check(atMost(300))
  .check(inFormat('domain', (entry) => (domainRuleOf(entry) === null ? WAY_OUT : null)));

/**
 * What commands reach: `none` = a loopback of their own; `host` = the machine's network, with all
 * that listens on it; or listed domains, by HTTP and HTTPS through a proxy.
 */
export const networkSchema = z.union([
  z.enum(['none', 'host']),
  z.strictObject({ domains: z.array(domainSchema).min(1).max(100) }),
]);

export type Network = z.infer<typeof networkSchema>;

/** One place that a command connected to, or tried to. */
export const reachedSchema = z.strictObject({
  /** `host:port`; in parentheses where it is no single place. */
  to: z.string(),
  connections: z.int(),
  /** Why none was made; absent = allowed. */
  refused: z.string().optional(),
  sentBytes: z.int(),
  receivedBytes: z.int(),
});

export type Reached = z.infer<typeof reachedSchema>;
