import type { Approval } from '../../../schema/approval.ts';
import type { Dispute } from '../../../schema/dispute.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { OutputPiece } from '../../contract/live.ts';
import type { Page } from '../../contract/reads.ts';
import { basisLines } from '../approval-text.ts';
import { cardLines, ruleLines } from '../decide/card.ts';
import type { Waiting } from '../decide/waiting.ts';
import type { ProgressEvent } from '../progress.ts';
import { cutTo, wrapped } from '../screen/fit.ts';
import { goalLinkOn } from '../screen/goal-link.ts';
import { liveArea } from '../screen/live-area.ts';
import { type Look, lookOf, NARROWEST } from '../screen/look.ts';
import type { ScreenPort } from '../screen/port.ts';
import type { Session } from '../session.ts';
import { oneLine } from '../terminal.ts';
import { callIdOf, fieldsOf } from './event-fields.ts';
import { footLines } from './foot.ts';
import { goalRecord } from './goal-record.ts';
import type { HeardPiece } from './heard-words.ts';
import { quietModel } from './model-words.ts';
import { narrate } from './narrate.ts';
import type { Progress } from './progress.ts';
import { runningCalls } from './running-calls.ts';
import { screenActs } from './screen-acts.ts';
import { screenLines } from './screen-lines.ts';

const LEAST_BETWEEN_MS = 100;
const TICK_MS = 1000;
/** Of a goal that is at work for long, these turns are told; the record has the others. */
const TURNS_AT_FIRST = 3;
/** What a key did is told for so long. */
const SAID_MS = 6000;

/** What a goal does, on a screen: words scroll away, and the foot is drawn anew. */
export function screenProgress(
  { client, terminal: { paint } }: Session,
  screen: ScreenPort,
  goalId: string,
  leave: () => void,
): Progress {
  const area = liveArea(screen);
  const calls = runningCalls();
  const quiet = quietModel();
  const record = goalRecord(client, goalId);
  let goal: Goal | null = null;
  let waiting: Waiting | null = null;
  let isAway = false;
  let staying: string[] = [];
  let said = { text: '', until: 0 };
  let timer: NodeJS.Timeout | null = null;
  let drawnAt = 0;
  let lastNote = '';
  let isOpen = true;
  let isLent = false;

  const goalLink = goalLinkOn(process.stderr);
  const look = () =>
    lookOf(Math.max(NARROWEST, screen.columns ?? 80), paint, screen.isAscii, goalLink);
  const stay = (lines: readonly string[]): void => {
    staying.push(...lines.map((text) => cutTo(text, look())));
    soon();
  };
  const narrator = narrate(client, goalId, {
    goal: () => goal,
    mostTurns: TURNS_AT_FIRST,
    tell(told) {
      // A try that fails like the one before is no news; the foot counts the wait.
      const isRepeated = told.kind === 'note' && told.text === lastNote;
      lastNote = told.kind === 'note' ? told.text : '';
      // What a person has to decide is told with all that it rests on.
      const isAsked = told.kind === 'note' && told.what === 'goal' && told.tone === 'you';
      if (!isRepeated && !isAsked) stay(screenLines(told, look()));
    },
  });
  const acts = screenActs({
    ...{ client, goalId, paint, leave, stay },
    ...{ waiting: () => waiting, command: calls.command, output: calls.output },
    say(text) {
      said = { text, until: Date.now() + SAID_MS };
      soon();
    },
    suspend,
    wrapped: (text) => wrapped(oneLine(text, 1000), look().width),
    lend,
  });

  function draw(): void {
    timer = null;
    if (!isOpen || isLent || goal === null) return;
    drawnAt = Date.now();
    const note = said.until > drawnAt ? said.text : null;
    const now = {
      ...{ goal, now: drawnAt, call: calls.shown(), saying: narrator.openLine() },
      ...{ quietSince: quiet.since(), isAway },
      ...{ keys: screen.input === null ? [] : acts.keys(), said: acts.line() ?? note },
    };
    const lines = staying;
    staying = [];
    area.draw(lines, footLines(now, look()));
  }
  function soon(): void {
    timer ??= setTimeout(draw, Math.max(0, LEAST_BETWEEN_MS - (Date.now() - drawnAt)));
  }
  function redraw(): void {
    area.remove();
    soon();
  }
  async function lend<Result>(program: () => Promise<Result>): Promise<Result> {
    area.remove();
    isLent = true;
    try {
      return await screen.lend(program);
    } finally {
      isLent = false;
      soon();
    }
  }
  function suspend(): void {
    area.remove();
    screen.suspend(soon);
  }
  const tick = setInterval(soon, TICK_MS);
  const onInput = (input: string): void => {
    acts.press(input);
    soon();
  };
  const stop = screen.listen({ onInput, onResize: redraw, onSuspend: suspend });

  const lookForWaiting = async (known: Goal): Promise<void> => {
    if (isDisputed(known)) return await lookForDispute(known);
    const { activity } = known;
    if (activity.on !== 'approval' || activity.actor !== 'You') {
      waiting = null;
      return;
    }
    const { items } = await client.get<Page<Approval>>(`/v1/approvals?goalId=${goalId}`);
    const [first] = items;
    if (first === undefined) return;
    if (waiting?.kind === 'approval' && waiting.approval.approvalId === first.approvalId) return;
    waiting = { kind: 'approval', approval: first };
    stay(heldLines(first, look()));
  };
  const lookForDispute = async (known: Goal): Promise<void> => {
    const { items } = await client.get<{ items: Dispute[] }>(`/v1/goals/${goalId}/disputes`);
    const dispute = items.find(({ state }) => state === 'open');
    if (dispute === undefined) return;
    const isTold = waiting?.kind === 'dispute' && waiting.dispute.disputeId === dispute.disputeId;
    waiting = { kind: 'dispute', dispute, goal: known };
    if (!isTold) stay(disputedLines(waiting, look()));
    soon();
  };
  const lookForCalls = async (): Promise<void> => {
    if (calls.isEmpty()) return;
    calls.known(await record.running());
    soon();
  };

  return {
    hear(event: ProgressEvent) {
      isAway = false;
      const { tool } = fieldsOf(event);
      if (event.type === 'call.started') calls.began(callIdOf(event), String(tool), event.at);
      if (event.type === 'call.settled') calls.ended(callIdOf(event));
      quiet.hear(event);
      narrator.hear(event);
      soon();
    },
    hearPassing({ type, data }) {
      if (type === 'model.text') {
        narrator.hearWords(data as HeardPiece);
        quiet.hearWords(data as HeardPiece);
      }
      if (type === 'command.output') calls.print(data as OutputPiece);
      soon();
    },
    caughtUp(known) {
      isAway = false;
      goal = known;
      narrator.caughtUp(known);
      // What fails now is asked again with the next news.
      lookForWaiting(known).catch(() => {});
      lookForCalls().catch(() => {});
      soon();
    },
    away() {
      isAway = true;
      soon();
    },
    staysFor: (known) => screen.input !== null && isDisputed(known),
    // The foot says it as long as it holds.
    awaits: () => {},
    told: () => narrator.told(),
    close() {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(tick);
      if (timer !== null) clearTimeout(timer);
      stop();
      area.draw(staying, []);
    },
  };
}

/** Both sides of a dispute, once, above the foot, whose keys answer it. */
function disputedLines(waiting: Extract<Waiting, { kind: 'dispute' }>, look: Look): string[] {
  const head = `${look.signs.you} disputed, and waits for you`;
  return ['', look.paint.you(head), ...cardLines(waiting, look), ''];
}

/** What a person needs to decide, once, above the foot. */
function heldLines({ goalId, question, kind, data, always }: Approval, look: Look): string[] {
  const { paint, signs } = look;
  const rule = always === null ? '' : ` [--always]`;
  const rules = ruleLines(always).flatMap((text) => wrapped(text, look.width));
  return [
    '',
    ...wrapped(`${signs.you} waits for you  ${oneLine(question, 600)}`, look.width).map(paint.you),
    ...basisLines(kind, data).flatMap((text) => text.split('\n')),
    ...rules,
    paint.dim(`  goalkeeper approve ${goalId}${rule}`),
    '',
  ];
}

/** It stands still until a person decides. */
const isDisputed = ({ status, pause }: Goal): boolean =>
  status === 'paused' && pause?.reason === 'disputed';
