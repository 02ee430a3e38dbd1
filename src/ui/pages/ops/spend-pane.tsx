import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { spendQuery, usePolling } from '../../api/operations.ts';
import type { Spend } from '../../api/types.ts';
import { Segmented } from '../../components/segmented.tsx';
import { useNow } from '../../live/now.ts';
import { clock, dollars, plural } from '../../view/format.ts';
import { byMidnight, spendBars } from '../../view/operations.ts';
import { OpsPane } from './ops-pane.tsx';

const EVERY_MS = 15_000;

const periods = {
  today: { label: 'Today', title: 'Spent today', by: 'hour' },
  month: { label: '30 days', title: 'Spent in 30 days', by: 'day' },
} as const;

/** The cost by time, model, workspace, principal and goal. */
export function SpendPane() {
  const [period, setPeriod] = useState<keyof typeof periods>('today');
  const { title, by } = periods[period];
  const spend = useQuery({ ...spendQuery(period, by), ...usePolling(EVERY_MS) });
  return (
    <OpsPane
      title={title}
      count={spend.data === undefined ? '' : dollars(spend.data.costUsd)}
      query={spend}
    >
      {(data) => (
        <div className="pane-section">
          <Segmented
            label="Period"
            choices={[
              ['today', periods.today.label],
              ['month', periods.month.label],
            ]}
            chosen={period}
            onChoose={setPeriod}
          />
          <SpendChart spend={data} by={by} label={title} />
          {period === 'today' ? <Projection costUsd={data.costUsd} /> : null}
          <Shares period={period} by="model" title="By model" />
          <Shares period={period} by="workspace" title="By workspace" />
          <Shares period={period} by="principal" title="By principal" />
          <Shares period={period} by="goal" title="By goal" />
        </div>
      )}
    </OpsPane>
  );
}

const WIDTH = 400;
const BASE = 90;

function SpendChart(props: {
  readonly spend: Spend;
  readonly by: 'hour' | 'day';
  readonly label: string;
}) {
  const { spend, by, label } = props;
  const bars = spendBars(spend.items, { from: spend.from, by });
  const step = WIDTH / bars.length;
  const now = useNow();
  const name = (at: number) =>
    by === 'hour'
      ? clock(at)
      : new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'short' });
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} 108`}
      role="img"
      aria-label={`${label}: ${dollars(spend.costUsd)}, most of it at once ${dollars(Math.max(...bars.map(({ costUsd }) => Number(costUsd))))}`}
    >
      {bars.map(({ at, share, costUsd }, index) => {
        const height = Math.max(2, share * 80);
        const isNow = at <= now && now < at + (by === 'hour' ? 3_600_000 : 86_400_000);
        const fill = isNow ? 'var(--accent)' : 'var(--k-work)';
        return (
          <g key={at}>
            <title>{`${name(at)}: ${dollars(costUsd)}`}</title>
            <rect
              x={index * step + 1}
              y={BASE - height}
              width={step - 3}
              height={height}
              rx="2"
              fill={share === 0 ? 'var(--line-2)' : fill}
            />
            {index % (bars.length / 4) < 1 && index % Math.floor(bars.length / 4) === 0 ? (
              <text x={index * step} y="104">
                {name(at)}
              </text>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

function Projection({ costUsd }: { readonly costUsd: string }) {
  const minute = Math.floor(useNow() / 60_000) * 60_000;
  const { data: hour } = useQuery({ ...spendQuery('hour', 'model'), ...usePolling(EVERY_MS) });
  const atEnd = hour === undefined ? null : byMidnight(costUsd, hour.costUsd, minute);
  if (hour === undefined || atEnd === null) return null;
  return (
    <p className="text-small text-muted tabular">
      {dollars(hour.costUsd)} in the last hour. At this rate ≈ {dollars(atEnd)} by 24:00.
    </p>
  );
}

const SHOWN = 6;

function Shares(props: {
  readonly period: 'today' | 'month';
  readonly by: 'model' | 'workspace' | 'principal' | 'goal';
  readonly title: string;
}) {
  const { data } = useQuery({ ...spendQuery(props.period, props.by), ...usePolling(EVERY_MS) });
  if (data === undefined || data.items.length === 0) return null;
  const total = Math.max(Number(data.costUsd), Number.MIN_VALUE);
  return (
    <section className="spend-shares" aria-label={props.title}>
      <h3>{props.title}</h3>
      <ul>
        {data.items.slice(0, SHOWN).map(({ key, costUsd, estimatedUsd, calls }) => (
          <li key={key} title={`$${costUsd}, of which $${estimatedUsd} are estimated`}>
            <span className="mono truncate">
              {props.by === 'goal' ? <Link href={`/goals/${key}`}>{key}</Link> : key}
            </span>
            <span className="bar">
              <i style={{ width: `${((Number(costUsd) / total) * 100).toFixed(1)}%` }} />
            </span>
            <span className="tabular text-right">{dollars(costUsd)}</span>
            <span className="tabular text-right text-muted text-small">
              {plural(calls, 'call')}
            </span>
          </li>
        ))}
      </ul>
      {data.items.length > SHOWN ? (
        <p className="text-small text-muted">and {data.items.length - SHOWN} more</p>
      ) : null}
    </section>
  );
}
