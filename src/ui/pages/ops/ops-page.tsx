import { useQuery } from '@tanstack/react-query';
import {
  alertsQuery,
  providersQuery,
  queuesQuery,
  spendQuery,
  toolPinsQuery,
  usePolling,
  workersQuery,
} from '../../api/operations.ts';
import { useMayAct } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { dollars, duration } from '../../view/format.ts';
import { actOfAlert, oldestTask, workersSummary } from '../../view/operations.ts';
import { AlertsPane } from './alerts-pane.tsx';
import { LimitsPane } from './limits-pane.tsx';
import { ProvidersPane } from './providers-pane.tsx';
import { QueuesPane } from './queues-pane.tsx';
import { SpendPane } from './spend-pane.tsx';
import { ToolPinsPane } from './tool-pins-pane.tsx';
import { WorkersPane } from './workers-pane.tsx';

/** The interval of the workers' heartbeats. */
const OFTEN_MS = 5000;
const SOMETIMES_MS = 15_000;

/** Is the machinery healthy, and is anything about to cost too much? */
export function OpsPage() {
  useTitle('Operations');
  const alerts = useQuery({ ...alertsQuery, ...usePolling(OFTEN_MS) });
  const workers = useQuery({ ...workersQuery, ...usePolling(OFTEN_MS) });
  const queues = useQuery({ ...queuesQuery, ...usePolling(OFTEN_MS) });
  const pins = useQuery({ ...toolPinsQuery, ...usePolling(SOMETIMES_MS) });
  const providers = useQuery({ ...providersQuery, ...usePolling(SOMETIMES_MS) });
  const today = useQuery({ ...spendQuery('today', 'hour'), ...usePolling(SOMETIMES_MS) });
  const yesterday = useQuery(spendQuery('yesterday', 'model'));
  const mayAct = useMayAct();
  const forYou = alerts.data?.items.filter((alert) => actOfAlert(alert, mayAct).kind === 'you');
  const summary = workers.data === undefined ? null : workersSummary(workers.data);
  const oldest = queues.data === undefined ? undefined : oldestTask(queues.data);
  return (
    <>
      <header className="page-head ops-head">
        <h1>Operations</h1>
        <p className="page-summary">
          Is the machinery healthy, and is anything about to cost too much?
        </p>
      </header>
      <div className="kpis">
        <Kpi
          label="Alerts open"
          value={alerts.data?.items.length}
          rest={
            forYou === undefined
              ? ''
              : forYou.length === 0
                ? 'none needs you'
                : `${forYou.length} for you`
          }
        />
        <Kpi label="Workers up" value={summary?.up} rest={summary?.rest ?? ''} />
        <Kpi
          label="Oldest queued task"
          value={oldest === undefined ? undefined : oldest === null ? 'none' : duration(oldest)}
          rest={oldest === null ? 'waits' : ''}
        />
        <Kpi
          label="Spent today"
          value={today.data === undefined ? undefined : dollars(today.data.costUsd)}
          rest={yesterday.data === undefined ? '' : `yesterday ${dollars(yesterday.data.costUsd)}`}
        />
      </div>
      <div className="ops-columns">
        <div>
          <AlertsPane query={alerts} />
          <WorkersPane query={workers} />
          <QueuesPane query={queues} />
          <ToolPinsPane query={pins} />
        </div>
        <div>
          <SpendPane />
          <LimitsPane />
          <ProvidersPane query={providers} />
        </div>
      </div>
    </>
  );
}

/** An unknown number is not shown as zero. */
function Kpi(props: {
  readonly label: string;
  readonly value: string | number | undefined;
  readonly rest: string;
}) {
  return (
    <div className="kpi">
      <div className="kpi-label">{props.label}</div>
      <div className="kpi-value">
        {props.value ?? <span className="text-muted">–</span>} <small>{props.rest}</small>
      </div>
    </div>
  );
}
