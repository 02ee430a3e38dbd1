import { z } from 'zod';
import { roleSchema } from './role.ts';
import { wordSchema } from './text.ts';

export const securityEventSchema = z.enum([
  'sign_in',
  'sign_out',
  /** A token, code or session that is unknown or has ended; too many of them. */
  'sign_in_refused',
  /** A code that signs one browser in as its maker. */
  'code_made',
  'token_made',
  'token_revoked',
  'trigger_made',
  'trigger_paused',
  'trigger_resumed',
  'trigger_deleted',
  /** A delivery of an inbound trigger that is not signed with its secret, or too old. */
  'delivery_refused',
  /** A person let goals see a tool as its MCP server describes it now. */
  'tool_accepted',
  /** The next goal trusts anew what the server says then. */
  'tool_pins_reset',
  /** What a person let run for good in a workspace, and its end. */
  'rule_made',
  'rule_revoked',
  /** Somebody decided by the link of a notice, or tried with one that is altered, over or overtaken. */
  'link_used',
  'link_refused',
  /** A link to a proof was made, taken back, or opened. */
  'proof_shared',
  'proof_unshared',
  'proof_opened',
  /** What comes by the clock. */
  'schedule_made',
  'schedule_changed',
  'schedule_paused',
  'schedule_resumed',
  'schedule_run',
  'schedule_deleted',
  /** What is stored of one is not what people made it, so it begins nothing. */
  'schedule_refused',
  /** Somebody who is known may not do that, or sees no such goal. */
  'action_refused',
  /** Temporal told something that nobody ordered, or that does not open. */
  'temporal_refused',
  /** What is stored gives rights or decides, and is not what the service sealed. */
  'record_refused',
  /** Retention removed a goal; `data` says where its archive lies, and with what its record ended. */
  'goal_removed',
  /** From here on a key seals the log; `data` says what stood there before it was a chain. */
  'log_sealed',
]);

export const securityEntrySchema = z.strictObject({
  seq: z.int(),
  at: z.string(),
  /** null = nobody that is known */
  who: z.string().nullable(),
  role: roleSchema.nullable(),
  /** Where it came from; null = by Temporal. */
  address: z.string().nullable(),
  what: securityEventSchema,
  /** The operation with its path, the token, or the goal. */
  subject: z.string().nullable(),
  result: z.enum(['done', 'refused']),
  data: z.record(z.string(), z.unknown()),
});

/** Entries that are looked for; what is absent narrows nothing. */
export const securityFilter = {
  what: securityEventSchema.optional(),
  /** A whole name, as entries hold it. */
  who: wordSchema(320).optional(),
  result: securityEntrySchema.shape.result.optional(),
};

export type SecurityFilter = z.infer<z.ZodObject<typeof securityFilter>>;
export type SecurityEntry = z.infer<typeof securityEntrySchema>;
