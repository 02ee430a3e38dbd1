import type { Goal, TurnOutline } from '../../api/types.ts';
import { useNow } from '../../live/now.ts';
import { clock } from '../../view/format.ts';
import { type Curve, curvesOf, firstToRunOut, type Point } from '../../view/projection.ts';

const LEFT = 26;
const WIDTH = 262;
const BASE = 112;
const HEIGHT = 92;
const MINUTE = 60_000;

const looks = {
  costUsd: { color: 'var(--accent)', label: 'Cost' },
  tokens: { color: 'var(--k-verify)', label: 'Tokens' },
} as const;

const limitWords = {
  tokens: 'Tokens',
  costUsd: 'USD',
  turns: 'Turns',
  activeSeconds: 'Time',
  deadline: 'Deadline',
} as const;

/** Use over time against the limits; dashed: how it goes on at the present rate. */
export function BudgetChart(props: {
  readonly goal: Goal;
  readonly timeline: readonly TurnOutline[];
}) {
  const { goal, timeline } = props;
  const ticking = useNow();
  const isOver = goal.status === 'complete' || goal.archivedAt !== undefined;
  const now = isOver ? Date.parse(goal.updatedAt) : Math.floor(ticking / 5000) * 5000;
  const curves = curvesOf(goal, timeline, now);
  const first = firstToRunOut(goal, curves, now);
  const from = Date.parse(goal.createdAt);
  const to = Math.max(now + MINUTE / 10, Math.min(first?.at ?? now, now + (now - from) * 2));
  const x = (at: number) => LEFT + ((at - from) / Math.max(1, to - from)) * WIDTH;
  const y = (percent: number) => BASE - Math.min(110, percent) * (HEIGHT / 100);
  return (
    <>
      <h2>
        Budget
        <span className="pane-note">
          {first === null
            ? ''
            : `first to run out: ${limitWords[first.name]}, ≈ ${clock(first.at)}`}
        </span>
      </h2>
      {curves.length === 0 ? null : (
        <>
          <svg className="chart" viewBox="0 0 294 132" role="img" aria-label={summaryOf(curves)}>
            {[0, 50].map((percent) => (
              <g key={percent}>
                <path d={`M${LEFT} ${y(percent)}H288`} stroke="var(--line)" />
                <text x="20" y={y(percent) + 3} textAnchor="end">
                  {percent}
                </text>
              </g>
            ))}
            <path d={`M${LEFT} ${y(100)}H288`} stroke="var(--bad-fill)" strokeWidth="1.2" />
            <text className="limit" x="288" y={y(100) - 5} textAnchor="end">
              limit
            </text>
            <path d={`M${x(now)} ${y(100)}V${y(0)}`} stroke="var(--line-2)" strokeDasharray="2 2" />
            <text x={LEFT} y={BASE + 14}>
              {clock(from)}
            </text>
            <text x={Math.min(264, Math.max(70, x(now)))} y={BASE + 14} textAnchor="middle">
              {isOver ? 'end' : 'now'}
            </text>
            {curves.map((curve) => (
              <CurvePath key={curve.name} curve={curve} x={x} y={y} now={now} to={to} />
            ))}
          </svg>
          <div className="legend">
            {curves.map(({ name }) => (
              <span key={name}>
                <i style={{ background: looks[name].color }} />
                {looks[name].label}
              </span>
            ))}
            {curves.some(({ runsOutAt }) => runsOutAt !== null && runsOutAt > now) ? (
              <span>dashed: at the rate of the last 2 h</span>
            ) : null}
          </div>
        </>
      )}
    </>
  );
}

function CurvePath(props: {
  readonly curve: Curve;
  readonly x: (at: number) => number;
  readonly y: (percent: number) => number;
  readonly now: number;
  readonly to: number;
}) {
  const { curve, x, y, now, to } = props;
  const { color } = looks[curve.name];
  const last = curve.points.at(-1);
  return (
    <>
      <path d={pathOf(curve.points, x, y)} fill="none" stroke={color} strokeWidth="1.8" />
      {curve.runsOutAt === null || last === undefined || curve.runsOutAt <= now ? null : (
        <path
          d={`M${x(now)} ${y(last.percent)}L${x(Math.min(to, curve.runsOutAt))} ${y(projected(last.percent, curve.runsOutAt, now, to))}`}
          fill="none"
          stroke={color}
          strokeWidth="1.6"
          strokeDasharray="3 3"
        />
      )}
    </>
  );
}

const projected = (percent: number, runsOutAt: number, now: number, to: number): number =>
  percent + (100 - percent) * ((Math.min(to, runsOutAt) - now) / (runsOutAt - now));

const pathOf = (
  points: readonly Point[],
  x: (at: number) => number,
  y: (percent: number) => number,
) =>
  `M${points.map(({ at, percent }) => `${x(at).toFixed(1)} ${y(percent).toFixed(1)}`).join('L')}`;

function summaryOf(curves: readonly Curve[]): string {
  return curves
    .map(({ name, points, runsOutAt }) => {
      const used = `${looks[name].label}: ${Math.round(points.at(-1)?.percent ?? 0)} percent of its limit`;
      return runsOutAt === null ? used : `${used}, projected to run out at ${clock(runsOutAt)}`;
    })
    .join('; ');
}
