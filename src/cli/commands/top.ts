import { setTimeout as pause } from 'node:timers/promises';
import type { Goal } from '../../../schema/goal.ts';
import type { Inbox } from '../../../schema/inbox.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import { answerTo, type Standing } from '../inbox-text.ts';
import { lookOf, NARROWEST } from '../screen/look.ts';
import { processScreen, type ScreenPort } from '../screen/port.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';
import { readStanding } from '../standing.ts';
import { isAscii, oneLine } from '../terminal.ts';
import { afterTopKey, type Choice, type TopAct } from '../top/top-keys.ts';
import { keptInOrder, sorted, topLines } from '../top/top-view.ts';
import { watchGoal } from '../watch-goal.ts';

interface TopOptions extends CommonOptions {
  readonly workspace?: string;
}

/** All goals, kept up to date; one table, once, where nobody looks at a terminal. */
export async function top(options: TopOptions): Promise<ExitCode> {
  const session = openSession(options);
  const isLooked = process.stdout.isTTY === true && session.terminal.isInteractive;
  const screen = isLooked && !session.isJson ? processScreen(isAscii(), NARROWEST) : null;
  if (screen !== null) return await looked(session, screen, options);
  const { standing, goals } = await readTop(session, options);
  print(session, { ...standing, goals }, () => {
    const order = sorted(goals, 'who');
    const view = { standing, goals: order, now: Date.now(), chosen: null, note: '' };
    return topLines({ ...view, sort: 'who' }, resultLook()).join('\n');
  });
  return EXIT.complete;
}

interface Read {
  readonly standing: Standing;
  readonly goals: readonly Goal[];
}

async function readTop({ client }: Session, { workspace }: TopOptions): Promise<Read> {
  const where = workspace === undefined ? '' : `&workspace=${encodeURIComponent(workspace)}`;
  const path = `/v1/goals?limit=200&sort=updated&group=actor${where}`;
  const [standing, page] = await Promise.all([readStanding(client), client.get<Page<Goal>>(path)]);
  return { standing, goals: page.items };
}

const LEAST_BETWEEN_MS = 700;
const TICK_MS = 1000;
/** The screen of before comes back when this one is left. */
const [OPEN, CLOSE] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];

async function looked(
  session: Session,
  screen: ScreenPort,
  options: TopOptions,
): Promise<ExitCode> {
  for (;;) {
    const next = await table(session, screen, options);
    if (next === null) return EXIT.complete;
    const { act, goalId } = next;
    if (act === 'watch') await watchGoal(session, goalId);
    else await (await import('./record.ts')).gate(goalId, {});
    session.terminal.err(session.terminal.paint.dim('Enter: back to all goals   q: leave'));
    if (!(await goesBack(screen))) return EXIT.complete;
  }
}

function goesBack(screen: ScreenPort): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = screen.listen({
      onInput(input) {
        stop();
        resolve(!['q', '\u0003', '\u001b'].includes(input));
      },
      onResize: () => {},
      onSuspend: () => {},
    });
  });
}

type Next = { readonly act: 'watch' | 'gate'; readonly goalId: string } | null;

/** The table, until a goal is chosen to be looked at, or the table is left. */
async function table(session: Session, screen: ScreenPort, options: TopOptions): Promise<Next> {
  const { client, terminal } = session;
  const leaving = new AbortController();
  let read = await readTop(session, options);
  let choice: Choice = { chosen: null, sort: 'who', filter: '', typing: null };
  let order: readonly string[] = sorted(read.goals, 'who').map(({ goalId }) => goalId);
  let note = '';
  let end: (next: Next) => void = () => {};
  const ended = new Promise<Next>((resolve) => {
    end = resolve;
  });

  const rows = (): Goal[] => {
    const all = keptInOrder(order, read.goals, choice.sort);
    order = all.map(({ goalId }) => goalId);
    const text = choice.filter.toLowerCase();
    return all.filter((goal) => textOf(goal).includes(text));
  };
  const draw = (): void => {
    const goals = rows();
    const isThere = goals.some(({ goalId }) => goalId === choice.chosen);
    if (!isThere) choice = { ...choice, chosen: goals[0]?.goalId ?? null };
    const { typing, filter, chosen, sort } = choice;
    const asked = typing === null ? '' : `filter: ${typing.text}_   Enter keeps it, Esc leaves it`;
    const kept = filter === '' || typing !== null ? '' : `filter: ${filter}   / changes it`;
    const view = { standing: read.standing, goals, now: Date.now(), chosen, sort };
    const look = lookOf(screen.columns ?? 80, terminal.paint, screen.isAscii);
    const height = process.stderr.rows ?? 24;
    const lines = topLines({ ...view, note: asked || note || kept }, look, height);
    screen.write(`\u001b[H${lines.map((text) => `${text}\u001b[K`).join('\r\n')}\u001b[J`);
  };
  const act = async (what: TopAct): Promise<void> => {
    const goalId = choice.chosen;
    if (what === 'leave') return end(null);
    if (what === 'sort') {
      order = sorted(read.goals, choice.sort).map((goal) => goal.goalId);
      note = `sorted by ${choice.sort}`;
    }
    if (goalId === null) return;
    if (what === 'watch' || what === 'gate') return end({ act: what, goalId });
    if (what === 'pause' || what === 'resume') {
      await client.send<Goal>('POST', `/v1/goals/${goalId}/${what}`, {});
      note = `${goalId}: ${what}`;
    }
    if (what === 'answer') {
      const inbox = await client.get<Inbox>('/v1/inbox?limit=200');
      const item = inbox.items.find((one) => one.goalId === goalId);
      note = item === undefined ? 'it waits for nobody' : answerTo(item);
    }
  };
  const stop = screen.listen({
    onInput(input) {
      note = '';
      const ids = rows().map(({ goalId }) => goalId);
      const next = afterTopKey(choice, input, ids);
      choice = next.choice;
      act(next.act)
        .catch((error) => {
          note = oneLine(failureOf(error).what, 200);
        })
        .finally(() => {
          if (!leaving.signal.aborted) draw();
        });
    },
    onResize: draw,
    onSuspend: () => {},
  });
  const tick = setInterval(draw, TICK_MS);
  screen.write(OPEN);
  draw();
  const refresh = async () => {
    read = await readTop(session, options);
    draw();
  };
  keepFresh(session, leaving.signal, refresh).catch(() => {});
  try {
    return await ended;
  } finally {
    leaving.abort();
    clearInterval(tick);
    stop();
    screen.write(CLOSE);
  }
}

const textOf = ({ goalId, objective, workspace, model, activity }: Goal): string =>
  [goalId, objective, workspace.name, model, activity.actor].join(' ').toLowerCase();

/** Reads anew when the service tells that a goal changed; comes back when it was away. */
async function keepFresh(
  { client }: Session,
  signal: AbortSignal,
  refresh: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await client.open('/v1/events', {}, signal);
      for await (const _ of events.body ?? []) {
        await refresh();
        await pause(LEAST_BETWEEN_MS, undefined, { signal });
      }
    } catch {
      await pause(LEAST_BETWEEN_MS, undefined, { signal });
    }
  }
}
