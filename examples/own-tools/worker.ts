import type { LanguageModelV3 } from '@ai-sdk/provider';
import { z } from 'zod';
// In an application of yours: from 'goalkeeper'.
import { createWorker, defineTool } from '../../src/index.ts';

/** Whatever the application has already: here, the desk that takes tickets. */
export interface TicketDesk {
  /** Opens nothing twice under one key. */
  open(title: string, key: string): Promise<string>;
}

export function startWorker(
  desk: TicketDesk,
  models: Record<string, LanguageModelV3>,
  environment: NodeJS.ProcessEnv = process.env,
) {
  const openTicket = defineTool({
    name: 'open_ticket',
    description: 'Opens a ticket for the people who look after the shop; answers with its number.',
    effect: 'once',
    schema: z.strictObject({ title: z.string().min(1).max(200) }),
    run: async ({ title }, { idempotencyKey }) =>
      `Opened ${await desk.open(title, idempotencyKey)}.`,
  });
  return createWorker({ tools: [openTicket], models, environment });
}
