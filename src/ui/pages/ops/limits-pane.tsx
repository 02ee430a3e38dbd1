import { useQuery } from '@tanstack/react-query';
import { spendLimitsQuery, usePolling } from '../../api/operations.ts';
import type { SpendLimit } from '../../api/types.ts';
import { dateAndTime } from '../../view/format.ts';
import { limitAmounts, limitName, limitState } from '../../view/spend-limits.ts';
import { OpsPane } from './ops-pane.tsx';

const EVERY_MS = 15_000;

/** How full the operator's spend limits are, and when each begins anew. */
export function LimitsPane() {
  const limits = useQuery({ ...spendLimitsQuery, ...usePolling(EVERY_MS) });
  const fullest = limits.data?.toSorted((left, right) => right.fill - left.fill);
  return (
    <OpsPane title="Spend limits" count={limits.data?.length || ''} query={limits}>
      {() =>
        fullest === undefined || fullest.length === 0 ? (
          <p className="text-small text-muted ops-note">
            None: the operator’s file says no <span className="mono">spend</span>.
          </p>
        ) : (
          <ul className="pane-section spend-limits">
            {fullest.map((limit) => (
              <LimitRow key={`${limit.of} ${limit.name} ${limit.per}`} limit={limit} />
            ))}
          </ul>
        )
      }
    </OpsPane>
  );
}

function LimitRow({ limit }: { readonly limit: SpendLimit }) {
  const part = Math.min(1, limit.fill);
  return (
    <li>
      <div className="row">
        <h3>{limitName(limit)}</h3>
        <span className="grow" />
        <span className="tabular text-small">{Math.floor(limit.fill * 100)} %</span>
      </div>
      <span className={`bar ${limitState(limit)}`} aria-hidden="true">
        <i style={{ width: `${(part * 100).toFixed(1)}%` }} />
      </span>
      <p className="text-small text-muted tabular">
        {limitAmounts(limit)} · anew {dateAndTime(limit.to)}
      </p>
    </li>
  );
}
