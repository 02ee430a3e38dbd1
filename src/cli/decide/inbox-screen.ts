import type { Inbox, InboxItem } from '../../../schema/inbox.ts';
import { failureOf } from '../failure.ts';
import type { Look } from '../screen/look.ts';
import type { ScreenPort } from '../screen/port.ts';
import { wholeScreen } from '../screen/whole-screen.ts';
import type { Session } from '../session.ts';
import { oneLine } from '../terminal.ts';
import { type AfterAnswerKey, type Answering, chosen as chosenBy, typedOn } from './answering.ts';
import { editFirst } from './edit-first.ts';
import { type InboxView, inboxView, pagedOn } from './inbox-view.ts';
import { readWaiting, type Waiting } from './waiting.ts';
import { waysOf } from './ways.ts';

const DOWN = ['j', '\u001b[B', '\u001bOB'];
const UP = ['k', '\u001b[A', '\u001bOA'];
const LEAVE = ['q', '\u0003', '\u001b'];

export const readInbox = (session: Session): Promise<Inbox> =>
  session.client.get<Inbox>('/v1/inbox?limit=200');

/**
 * All that waits, answered in place: a key answers what is shown, never what came meanwhile.
 * @param goalId whose item is looked at first
 */
export async function inboxScreen(
  session: Session,
  screen: ScreenPort,
  goalId?: string,
): Promise<void> {
  const { client } = session;
  const kept = new Map<string, string>();
  let inbox = await readInbox(session);
  let chosen: string | null = null;
  let read: { readonly itemId: string; readonly waiting: Waiting } | null = null;
  let answering: Answering | null = null;
  let above = 0;
  let note = '';
  let drawn: { readonly look: Look; readonly height: number } | null = null;

  const waiting = (): Waiting | null => (read?.itemId === chosen ? read.waiting : null);
  const view = (): InboxView => ({
    ...{ inbox, now: Date.now(), chosen, waiting: waiting(), above },
    note: answering === null ? note : `${answering.line.asks}: ${answering.line.text}_`,
  });
  const item = (): InboxItem | undefined => inbox.items.find(({ itemId }) => itemId === chosen);

  /** Shows the item, or the first one where it went. */
  async function look(at: string | null): Promise<void> {
    if (at !== chosen) above = 0;
    chosen = inbox.items.some(({ itemId }) => itemId === at)
      ? at
      : (inbox.items[0]?.itemId ?? null);
    const one = item();
    if (one === undefined) return;
    const found = await readWaiting(client, one);
    if (chosen !== one.itemId) return;
    if (found !== null) read = { itemId: one.itemId, waiting: found };
    else note = 'somebody else decided it';
  }
  async function refresh(): Promise<void> {
    inbox = await readInbox(session);
    await look(chosen);
  }
  async function after(next: AfterAnswerKey, lend: ScreenPort['lend']): Promise<void> {
    answering = next.state === 'answering' ? next.answering : null;
    if (next.state === 'edits') {
      note = await editFirst({ client, lend, kept }, next.proposal);
      return await refresh();
    }
    if (next.state !== 'sends') return;
    const { goalId, way, text } = next;
    await client.send<unknown>(
      way.method ?? 'POST',
      `/v1/goals/${goalId}${way.path}`,
      way.body(text),
    );
    note = way.done;
    await refresh();
  }
  async function pressed(
    input: string,
    leave: () => void,
    lend: ScreenPort['lend'],
  ): Promise<void> {
    if (answering !== null && input !== '\u0003')
      return await after(typedOn(answering, input), lend);
    note = '';
    if (LEAVE.includes(input)) return leave();
    const step = DOWN.includes(input) ? 1 : UP.includes(input) ? -1 : 0;
    const at = inbox.items.findIndex(({ itemId }) => itemId === chosen);
    if (step !== 0) return await look(inbox.items[at + step]?.itemId ?? chosen);
    if (input === ' ' && drawn !== null) above = pagedOn(view(), drawn.look, drawn.height);
    const shown = waiting();
    const one = item();
    if (shown === null || one === undefined) return;
    await after(chosenBy(one.goalId, waysOf(shown), input), lend);
  }

  await look(inbox.items.find((one) => one.goalId === goalId)?.itemId ?? null);
  await wholeScreen<void>(session, screen, {
    lines(seen, height) {
      drawn = { look: seen, height };
      return inboxView(view(), seen, height);
    },
    press: (input, end, lend) =>
      pressed(input, end, lend).catch(async (error) => {
        const { what, wayOut } = failureOf(error);
        note = oneLine(`${what} ${wayOut}`, 400);
        // Most often somebody else was first; a service that is away is told by the failure itself.
        await refresh().catch(() => {});
      }),
    refresh,
  });
  // What the screen told of them went with it.
  for (const file of kept.values()) session.terminal.err(`what you typed is kept in ${file}`);
}
