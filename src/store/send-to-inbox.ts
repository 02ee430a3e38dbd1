import type { AttachmentRef } from '../../schema/attachment.ts';
import type { Transaction } from './client.ts';
import { storable, storableText } from './json.ts';
import type { LedgerKeys } from './ledger/ledger-keys.ts';
import { sealWritten } from './ledger/written-seal.ts';
import type { Row } from './row.ts';

export interface NewLetter extends Row<'inbox', 'voice' | 'delivery'> {
  /** Names it for good: a second one with this name is the same. */
  readonly messageId: string;
  readonly goalId: string;
  readonly kind: string;
  readonly text: string;
  /** Of the question that it answers. */
  readonly questionId?: string;
  readonly attachments?: readonly AttachmentRef[];
  /** Of a person's or program's message: who may take it back. */
  readonly sentBy?: string;
  /** The goal was paused until it came. */
  readonly hasLedOn?: boolean;
}

/** Adds what a goal is told by people, programs or the host, for the turn that takes it. */
export async function sendToInbox(
  tx: Transaction,
  keys: LedgerKeys,
  { attachments = [], ...letter }: NewLetter,
): Promise<void> {
  const row = {
    message_id: letter.messageId,
    goal_id: letter.goalId,
    kind: letter.kind,
    voice: letter.voice,
    text: storableText(letter.text),
    delivery: letter.delivery,
    question_id: letter.questionId ?? null,
  };
  const files = attachments.length === 0 ? null : storable(attachments);
  const seal = sealWritten(keys, 'inbox', { ...row, attachments: files });
  const stored = {
    ...row,
    attachments: files === null ? null : tx.json(files),
    sent_by: letter.sentBy ?? null,
    led_on: letter.hasLedOn === true,
    seal,
  };
  await tx`
    INSERT INTO inbox ${tx(stored)}
    ON CONFLICT (message_id) DO NOTHING`;
}
