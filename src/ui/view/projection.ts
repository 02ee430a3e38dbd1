import type { Goal, TurnOutline } from '../api/types.ts';
import type { LimitName } from './limits.ts';

/** The used part of a limit at a moment, percent. */
export interface Point {
  readonly at: number;
  readonly percent: number;
}

export interface Curve {
  readonly name: 'tokens' | 'costUsd';
  readonly points: readonly Point[];
  /** When it reaches 100 at the present rate; null = never, or unknown. */
  readonly runsOutAt: number | null;
}

/** How far back the present rate looks, milliseconds. */
const RATE_WINDOW = 2 * 60 * 60 * 1000;

/** Use of tokens and money over time, against their limits; absent where there is no limit. */
export function curvesOf(goal: Goal, timeline: readonly TurnOutline[], now: number): Curve[] {
  return (['costUsd', 'tokens'] as const).flatMap((name): Curve[] => {
    const allowed = goal.budget[name] === null ? null : Number(goal.budget[name]);
    if (allowed === null) return [];
    const points = pointsOf(goal, timeline, { name, allowed, now });
    return [{ name, points, runsOutAt: isMoving(goal) ? runsOut(points, now) : null }];
  });
}

const isMoving = ({ status, activity }: Goal): boolean =>
  status === 'active' && activity.actor !== 'You';

function pointsOf(
  goal: Goal,
  timeline: readonly TurnOutline[],
  { name, allowed, now }: { name: 'tokens' | 'costUsd'; allowed: number; now: number },
): Point[] {
  const settled = timeline
    .filter((turn) => turn.settledAt !== null && turn[name] !== null)
    .sort((left, right) => left.turn - right.turn)
    .map((turn) => ({
      at: Date.parse(turn.settledAt ?? ''),
      percent: (Number(turn[name]) / allowed) * 100,
    }));
  const last = { at: now, percent: (Number(goal.usage[name]) / allowed) * 100 };
  return [{ at: Date.parse(goal.createdAt), percent: 0 }, ...settled, last];
}

export function runsOut(points: readonly Point[], now: number): number | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  if (last.percent >= 100) return now;
  const since = points.filter(({ at }) => at >= now - RATE_WINDOW)[0] ?? points[0];
  if (since === undefined || last.at <= since.at || last.percent <= since.percent) return null;
  const rate = (last.percent - since.percent) / (last.at - since.at);
  return now + (100 - last.percent) / rate;
}

/** Which limit ends first at the present rate. */
export function firstToRunOut(
  goal: Goal,
  curves: readonly Curve[],
  now: number,
): { name: LimitName | 'deadline'; at: number } | null {
  const started = Date.parse(goal.createdAt);
  const rest = (['turns', 'activeSeconds'] as const).map((name) => {
    const allowed = goal.budget[name];
    const percent = allowed === null ? 0 : (goal.usage[name] / allowed) * 100;
    const points = [
      { at: started, percent: 0 },
      { at: now, percent },
    ];
    return { name, at: isMoving(goal) ? runsOut(points, now) : null };
  });
  const { deadline } = goal.budget;
  const ends = [
    ...curves.map(({ name, runsOutAt }) => ({ name, at: runsOutAt })),
    ...rest,
    { name: 'deadline' as const, at: deadline === null ? null : Date.parse(deadline) },
  ].filter((end): end is { name: LimitName | 'deadline'; at: number } => end.at !== null);
  return ends.sort((left, right) => left.at - right.at)[0] ?? null;
}
