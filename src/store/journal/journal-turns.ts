import { Closed } from '../../contract/failures.ts';
import type { JournalPort, OpenTurn } from '../../contract/journal.ts';
import { hostsKind, turnKindWith } from '../../record/decision/turn-kind.ts';
import type { Database, Transaction } from '../client.ts';
import type { NewEvent } from '../events.ts';
import { lockFenced, throwStopped } from '../fence.ts';
import { sealStored } from '../ledger/counted-seal.ts';
import type { SealCharge, UsageHeads } from '../ledger/usage-seal.ts';
import type { Row } from '../row.ts';
import { addActive } from '../usage-row.ts';
import { type InboxRow, takeInbox } from './inbox.ts';
import { appendMessages, type NewMessage } from './messages.ts';

type Turns = Pick<JournalPort, 'openTurn' | 'takeSteering' | 'addActiveTime'>;

/** Opens turns and takes the messages that arrive while they run. */
export function journalTurns(db: Database, usage: UsageHeads): Turns {
  return {
    openTurn(fence, { turn, kind, hostText, attached, isRecheck, keepsKind, tells }) {
      const { goalId } = fence;
      const open = async (tx: Transaction, seal: SealCharge) => {
        await lockFenced(tx, fence, 'beginning');
        const [known] = await tx<Row<'turn', 'kind' | 'state'>[]>`
          SELECT kind, state FROM turn WHERE goal_id = ${goalId} AND turn = ${turn}`;
        if (known?.state === 'settled') throw new Closed(`${goalId}: turn ${turn} is over`);
        if (known !== undefined) return known.kind;
        const inbox = await takeInbox(tx, goalId, turn, 'all');
        const actual =
          keepsKind === true ? hostsKind(kind) : turnKindWith(kind, inbox, isRecheck === true);
        const taken = tx.json(inbox.map((message) => message.message_id));
        const counted = isRecheck === true && actual === kind ? 0 : 1;
        await tx`
          WITH opened AS (
            INSERT INTO turn (goal_id, turn, kind, inbox, state)
            VALUES (${goalId}, ${turn}, ${actual}, ${taken}, 'open')
          ), j AS (
            UPDATE journal SET turn = ${turn}, turns = turns + ${counted}::int,
              told_revision = greatest(told_revision, ${tells ?? 0}::int)
            WHERE goal_id = ${goalId}
            RETURNING goal_id
          )${sealStored(tx, seal({ turns: counted }), tx`j`)}
          SELECT goal_id FROM j`;
        const opened = { type: 'turn.opened', data: { turn, kind: actual } };
        const messages = [...hostMessage(turn, hostText, attached), ...spoken(inbox, turn)];
        const events = [opened, ...returned(inbox, turn)];
        await appendMessages(tx, usage.keys, goalId, messages, events);
        return actual;
      };
      return usage.charging(goalId, (seal) => db.begin((tx) => open(tx, seal)));
    },

    takeSteering(fence, turn) {
      return db.begin(async (tx) => {
        await lockFenced(tx, fence, 'beginning');
        const inbox = await takeInbox(tx, fence.goalId, turn, 'steer');
        await appendMessages(tx, usage.keys, fence.goalId, spoken(inbox, turn));
      });
    },

    async addActiveTime(fence, milliseconds) {
      const add = async (seal: SealCharge) => {
        const added = await db`
          WITH j AS (
            UPDATE journal SET ${addActive(db, milliseconds)}
            WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
            RETURNING goal_id
          )${sealStored(db, seal({ attemptMs: milliseconds }), db`j`)}
          SELECT goal_id FROM j`;
        return added.count > 0;
      };
      if (!(await usage.charging(fence.goalId, add))) await throwStopped(db, fence, 'ending');
    },
  };
}

const returned = (inbox: readonly InboxRow[], turn: number): NewEvent[] =>
  inbox
    .filter(({ kind }) => kind === 'delegate')
    .map(({ message_id }) => ({
      type: 'delegate.returned',
      data: { delegateId: message_id.replace(/^m-/, ''), turn },
    }));

function hostMessage(
  turn: number,
  text: string | null,
  attached: OpenTurn['attached'] = [],
): NewMessage[] {
  if (text === null) return [];
  const content = attached.length === 0 ? { text } : { text, attachments: attached };
  return [{ turn, step: null, voice: 'host', content }];
}

const spoken = (inbox: readonly InboxRow[], turn: number): NewMessage[] =>
  inbox.map(({ message_id, voice, text, delivery, attachments }) => {
    const isQuiet = delivery === 'silent' || delivery === 'silent_wake';
    const content = {
      text,
      messageId: message_id,
      ...(isQuiet ? { isQuiet } : {}),
      ...(attachments === null ? {} : { attachments }),
    };
    return { turn, step: null, voice, content };
  });
