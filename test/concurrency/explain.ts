import { expect } from 'vitest';
import type { Goal, GoalStatus } from '../../schema/goal.ts';
import type { Database, Executor } from '../../src/store/client.ts';
import type { Sent } from './clients.ts';
import { accepts, EVENT_OF, leadsTo, mayStart, type Verb } from './rules.ts';

/** One revision of a goal as its events tell it. */
interface Moment {
  readonly revision: number;
  readonly status: GoalStatus;
  readonly isArchived: boolean;
  /** What brought it about; a turn or a wait of the goal's own where no client did. */
  readonly causes: readonly string[];
}

interface Life {
  readonly goalId: string;
  /** Index 0 is revision 1. */
  readonly moments: readonly Moment[];
}

type Told = Sent & { readonly answer: { readonly body: Goal } };

const isAccepted = ({ answer }: Sent): boolean => answer.status < 300;
const isVerb = ({ act }: Sent): boolean => act !== 'start' && act !== 'replace';

/** Explains every answer by the order of the revisions, or says which one can't be. */
export async function explainAll(
  db: Database,
  threadId: string,
  sent: readonly Sent[],
): Promise<void> {
  const lives = await livesOf(db, threadId);
  const written = distinct(sent.filter(isAccepted)) as Told[];
  for (const { answer } of sent) expect([200, 201, 400, 409]).toContain(answer.status);
  explainDoubles(sent);
  explainStarts(lives, written);
  for (const life of lives) {
    const mine = written.filter((one) => one.answer.body.goalId === life.goalId && isVerb(one));
    explainWrites(life, mine);
    await explainOutcome(db, life, mine, written);
  }
  for (const refused of sent.filter((one) => !isAccepted(one))) explainRefusal(lives, refused);
}

/** As of one moment: the goals go on while they are explained. */
const livesOf = (db: Database, threadId: string): Promise<Life[]> =>
  db.begin('ISOLATION LEVEL REPEATABLE READ', (tx) => readLives(tx, threadId)) as Promise<Life[]>;

async function readLives(db: Executor, threadId: string): Promise<Life[]> {
  const goals = await db<{ goal_id: string; revision: number }[]>`
    SELECT goal_id, revision FROM goal WHERE thread_id = ${threadId} ORDER BY created_at`;
  return Promise.all(
    goals.map(async ({ goal_id: goalId, revision }) => {
      const moments = await momentsOf(db, goalId);
      expect(moments.map((moment) => moment.revision)).toEqual(
        moments.map((_, index) => index + 1),
      );
      expect(moments.length).toBe(revision);
      return { goalId, moments };
    }),
  );
}

async function momentsOf(db: Executor, goalId: string): Promise<Moment[]> {
  const events = await db<{ type: string; data: { revision: number; status: GoalStatus } }[]>`
    SELECT type, data FROM event WHERE goal_id = ${goalId}
      AND type IN ('goal.started', 'goal.changed', 'goal.replaced', 'goal.amended', 'goal.paused',
        'goal.resumed', 'goal.messaged', 'goal.completed', 'goal.cleared') ORDER BY seq`;
  const moments: Moment[] = [];
  let causes: string[] = [];
  for (const { type, data } of events) {
    if (type !== 'goal.changed') causes.push(type);
    if (type !== 'goal.changed' && type !== 'goal.started') continue;
    const isEnded = causes.some((cause) => cause === 'goal.cleared' || cause === 'goal.replaced');
    const isArchived = isEnded || moments.at(-1)?.isArchived === true;
    moments.push({ revision: data.revision, status: data.status, isArchived, causes });
    causes = [];
  }
  return moments;
}

/** All accepted answers of one key are the same answer. */
function explainDoubles(sent: readonly Sent[]): void {
  for (const first of distinct(sent.filter(isAccepted))) {
    for (const other of sent.filter((one) => one.key === first.key && isAccepted(one)))
      expect(other.answer.body).toEqual(first.answer.body);
  }
}

function distinct(sent: readonly Sent[]): Sent[] {
  return sent.filter((one, index) => sent.findIndex(({ key }) => key === one.key) === index);
}

/** Every goal was started by one accepted request, in a slot that was free for it. */
function explainStarts(lives: readonly Life[], written: readonly Told[]): void {
  const starts = written.filter((one) => !isVerb(one));
  expect(starts.map(({ answer }) => answer.body.goalId).toSorted()).toEqual(
    lives.map(({ goalId }) => goalId).toSorted(),
  );
  lives.forEach(({ goalId }, index) => {
    const start = starts.find(({ answer }) => answer.body.goalId === goalId);
    const before = lives[index - 1];
    const end = before?.moments.at(-1);
    const wasReplaced = end?.causes.includes('goal.replaced') === true;
    expect(end === undefined || end.isArchived).toBe(true);
    const current = wasReplaced && before ? { goalId: before.goalId, status: end.status } : null;
    expect([start?.body, mayStart(current, start?.body ?? {})]).toEqual([start?.body, true]);
    const { expectedRevision } = start?.body ?? {};
    if (expectedRevision !== undefined) expect(end?.revision).toBe(Number(expectedRevision) + 1);
  });
}

/** Each accepted write is one revision of its own, with the event and the outcome that it asked for. */
function explainWrites({ moments }: Life, mine: readonly Told[]): void {
  const revisions = mine.map(({ answer }) => answer.body.revision);
  expect(new Set(revisions).size).toBe(revisions.length);
  const byClients = moments.filter(({ causes }) =>
    causes.some((cause) => Object.values(EVENT_OF).includes(cause)),
  );
  expect(revisions.toSorted((a, b) => a - b)).toEqual(byClients.map(({ revision }) => revision));
  for (const write of mine) {
    const goal = write.answer.body;
    const verb = write.act as Verb;
    const [before, after] = [moments[goal.revision - 2], moments[goal.revision - 1]];
    if (before === undefined || after === undefined) throw new Error('no such revision');
    const isOver = goal.budget.turns !== null && goal.usage.turns >= goal.budget.turns;
    const seen = { write, before, after };
    expect(after.causes, JSON.stringify(seen)).toEqual([EVENT_OF[verb]]);
    expect(accepts(verb, before), JSON.stringify(seen)).toBe(true);
    expect(goal.status, JSON.stringify(seen)).toBe(after.status);
    expect(after.status, JSON.stringify(seen)).toBe(leadsTo(verb, before.status, isOver));
    expect(goal.revision, JSON.stringify(seen)).toBeGreaterThan(write.known.get(goal.goalId) ?? 0);
    const { expectedRevision } = write.body;
    if (expectedRevision !== undefined) expect(expectedRevision).toBe(goal.revision - 1);
  }
}

/** What the goal is in the end, and was in each answer, is what the accepted writes made of it. */
async function explainOutcome(
  db: Database,
  { goalId }: Life,
  mine: readonly Told[],
  written: readonly Told[],
): Promise<void> {
  const start = written.find((one) => !isVerb(one) && one.answer.body.goalId === goalId);
  let objective = start?.body.objective;
  let turns: unknown = 100;
  for (const { act, body, answer } of mine.toSorted(byRevision)) {
    if (act === 'amend') objective = body.objective;
    if (act === 'budget') turns = (body.budget as { turns: number }).turns;
    expect(answer.body).toMatchObject({ objective, budget: { turns } });
  }
  const [row] = await db<{ objective: string; turns: number; result: string | null }[]>`
    SELECT objective, (budget->>'turns')::int AS turns, completion->>'result' AS result
    FROM goal WHERE goal_id = ${goalId}`;
  const completed = mine.find(({ act }) => act === 'complete');
  expect(row).toEqual({ objective, turns, result: completed?.body.result ?? null });
  const inbox = await db<{ text: string }[]>`
    SELECT text FROM inbox WHERE goal_id = ${goalId} AND voice = 'person'`;
  const said = mine.filter(({ act }) => act === 'message' || act === 'steer');
  expect(inbox.map(({ text }) => text).toSorted()).toEqual(
    said.map(({ body }) => String(body.text)).toSorted(),
  );
}

const byRevision = (a: Told, b: Told) => a.answer.body.revision - b.answer.body.revision;

/** A refusal was true at some moment between what was known when it was sent and the end. */
function explainRefusal(lives: readonly Life[], refused: Sent): void {
  const explanation = explanationOf(lives, refused);
  expect(explanation, JSON.stringify({ ...refused, known: [...refused.known] })).toBe(true);
}

function explanationOf(lives: readonly Life[], refused: Sent): boolean {
  const { act, goalId, body, answer, known } = refused;
  if (act === 'start' || act === 'replace') return explainsStart(lives, refused);
  const possible = possibleMoments(lives, goalId, known);
  switch (answer.body.code) {
    case 'goal_conflict':
      return (
        answer.body.expectedRevision === body.expectedRevision &&
        answer.body.actualRevision !== body.expectedRevision &&
        answer.body.actualGoalId === goalId &&
        possible.some(({ revision }) => revision === answer.body.actualRevision)
      );
    case 'invalid_transition':
      return possible.some((moment) => !accepts(act, moment));
    default:
      return false;
  }
}

function explainsStart(lives: readonly Life[], { body, answer, known }: Sent): boolean {
  const { code, actualGoalId, actualRevision, actualStatus } = answer.body;
  if (code !== 'goal_conflict') return false;
  if (actualGoalId === null) return body.expectedGoalId !== undefined;
  const moment = possibleMoments(lives, actualGoalId, known).find(
    ({ revision, isArchived }) => revision === actualRevision && !isArchived,
  );
  if (moment?.status !== actualStatus) return false;
  if (!mayStart({ goalId: actualGoalId, status: actualStatus }, body)) return true;
  return body.expectedRevision !== undefined && body.expectedRevision !== actualRevision;
}

function possibleMoments(
  lives: readonly Life[],
  goalId: string | null,
  known: Sent['known'],
): readonly Moment[] {
  const life = lives.find((one) => one.goalId === goalId);
  const floor = known.get(goalId ?? '') ?? 1;
  return (life?.moments ?? []).filter(({ revision }) => revision >= floor);
}
