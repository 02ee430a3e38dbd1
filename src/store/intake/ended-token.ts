import type { Executor } from '../client.ts';

/**
 * Whether whoever gave the row's order was a token that has ended since: an order may wait for a
 * worker. Tokens of the settings and people of a provider have no row.
 */
export const isOfEndedToken = (sql: Executor) => sql`
  EXISTS (SELECT 1 FROM token WHERE token.name = ordered_by
    AND (token.revoked_at IS NOT NULL OR token.expires_at <= now()))`;
