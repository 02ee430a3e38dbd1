import { createHash } from 'node:crypto';
import type { AskedRequest, SentPrompt, StoredRequest } from '../../contract/asked-request.ts';
import type { Database } from '../client.ts';
import { storable, storableText } from '../json.ts';

export interface SentPrompts {
  /** What the journal keeps of a request; its prompt is stored by then. */
  refer(asked: AskedRequest): Promise<StoredRequest>;
}

/** Prompts of model calls, stored once each, by any process and goal. */
export function sentPrompts(db: Database): SentPrompts {
  const stored = new WeakMap<SentPrompt, string>();
  return {
    async refer({ prompt, ...asked }) {
      const known = stored.get(prompt) ?? (await store(db, prompt));
      stored.set(prompt, known);
      return { ...asked, prompt: known };
    },
  };
}

async function store(db: Database, { system, tools }: SentPrompt): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([system, tools]))
    .digest('hex');
  await db`
    INSERT INTO sent_prompt (hash, system, tools)
    VALUES (${hash}, ${storableText(system)}, ${db.json(storable(tools))})
    ON CONFLICT (hash) DO NOTHING`;
  return hash;
}
