import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { inboxScreen } from '../decide/inbox-screen.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import type { Standing } from '../inbox-text.ts';
import { NARROWEST } from '../screen/look.ts';
import { processScreen, type ScreenPort } from '../screen/port.ts';
import { resultLook } from '../screen/result-look.ts';
import { wholeScreen } from '../screen/whole-screen.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';
import { readStanding } from '../standing.ts';
import { isAscii, oneLine } from '../terminal.ts';
import { type RunningCall, runningCallsOf } from '../top/running-calls.ts';
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
  const read = await readTop(session, options);
  const { standing, goals, running } = read;
  print(session, { ...standing, goals }, () => {
    const order = sorted(goals, 'who');
    const view = { standing, running, goals: order, now: Date.now(), chosen: null, note: '' };
    const unread = unreadOf(read, options);
    return topLines({ ...view, sort: 'who', unread }, resultLook()).join('\n');
  });
  return EXIT.complete;
}

/** Of a workspace alone nobody counts how many there are more. */
const unreadOf = ({ standing, goals }: Read, { workspace }: TopOptions): number =>
  workspace === undefined ? Math.max(0, standing.counts.total - goals.length) : 0;

interface Read {
  readonly standing: Standing;
  readonly goals: readonly Goal[];
  readonly running: ReadonlyMap<string, RunningCall>;
}

async function readTop({ client }: Session, { workspace }: TopOptions): Promise<Read> {
  const where = workspace === undefined ? '' : `&workspace=${encodeURIComponent(workspace)}`;
  const path = `/v1/goals?limit=200&sort=updated&group=actor${where}`;
  const [standing, page] = await Promise.all([readStanding(client), client.get<Page<Goal>>(path)]);
  return { standing, goals: page.items, running: await runningCallsOf(client, page.items) };
}

async function looked(
  session: Session,
  screen: ScreenPort,
  options: TopOptions,
): Promise<ExitCode> {
  for (;;) {
    const next = await table(session, screen, options);
    if (next === null) return EXIT.complete;
    const { act, goalId } = next;
    if (act === 'answer') {
      await inboxScreen(session, screen, goalId);
      continue;
    }
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

type Next = { readonly act: 'watch' | 'gate' | 'answer'; readonly goalId: string } | null;

/** The table, until a goal is chosen to be looked at, or the table is left. */
async function table(session: Session, screen: ScreenPort, options: TopOptions): Promise<Next> {
  const { client } = session;
  let read = await readTop(session, options);
  let choice: Choice = { chosen: null, sort: 'who', filter: '', typing: null };
  let order: readonly string[] = sorted(read.goals, 'who').map(({ goalId }) => goalId);
  let note = '';

  const rows = (): Goal[] => {
    const all = keptInOrder(order, read.goals, choice.sort);
    order = all.map(({ goalId }) => goalId);
    const text = choice.filter.toLowerCase();
    return all.filter((goal) => textOf(goal).includes(text));
  };
  const act = async (what: TopAct, end: (next: Next) => void): Promise<void> => {
    const goalId = choice.chosen;
    if (what === 'leave') return end(null);
    if (what === 'sort') {
      order = sorted(read.goals, choice.sort).map((goal) => goal.goalId);
      note = `sorted by ${choice.sort}`;
    }
    if (goalId === null) return;
    if (what === 'watch' || what === 'gate' || what === 'answer') {
      return end({ act: what, goalId });
    }
    if (what === 'pause' || what === 'resume') {
      await client.send<Goal>('POST', `/v1/goals/${goalId}/${what}`, {});
      note = `${goalId}: ${what}`;
    }
  };
  return await wholeScreen<Next>(session, screen, {
    lines(look, height) {
      const goals = rows();
      const isThere = goals.some(({ goalId }) => goalId === choice.chosen);
      if (!isThere) choice = { ...choice, chosen: goals[0]?.goalId ?? null };
      const { typing, filter, chosen, sort } = choice;
      const asked =
        typing === null ? '' : `filter: ${typing.text}_   Enter keeps it, Esc leaves it`;
      const kept = filter === '' || typing !== null ? '' : `filter: ${filter}   / changes it`;
      const { standing, running } = read;
      const view = { standing, running, goals, now: Date.now(), chosen, sort };
      const unread = unreadOf(read, options);
      return topLines({ ...view, unread, note: asked || note || kept }, look, height);
    },
    async press(input, end) {
      note = '';
      const ids = rows().map(({ goalId }) => goalId);
      const next = afterTopKey(choice, input, ids);
      choice = next.choice;
      await act(next.act, end).catch((error) => {
        note = oneLine(failureOf(error).what, 200);
      });
    },
    async refresh() {
      read = await readTop(session, options);
    },
  });
}

const textOf = ({ goalId, objective, workspace, model, activity }: Goal): string =>
  [goalId, objective, workspace.name, model, activity.actor].join(' ').toLowerCase();
