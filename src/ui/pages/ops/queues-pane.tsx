import type { UseQueryResult } from '@tanstack/react-query';
import type { Queue } from '../../api/types.ts';
import { Spark } from '../../components/spark.tsx';
import { duration } from '../../view/format.ts';
import { backlogText } from '../../view/operations.ts';
import { OpsPane } from './ops-pane.tsx';

/** A backlog that is older than this is worth a look. */
const BEHIND_SECONDS = 30;

export function QueuesPane({ query }: { readonly query: UseQueryResult<readonly Queue[]> }) {
  return (
    <OpsPane title="Task queues" count="by Temporal" query={query}>
      {(queues) => (
        <>
          <table className="data-table">
            <thead>
              <tr>
                <th>Queue</th>
                <th className="text-right">Backlog</th>
                <th className="text-right">Oldest</th>
                <th className="text-right desktop-only">Come in</th>
                <th className="text-right desktop-only">Taken</th>
                <th className="text-right desktop-only">Pollers</th>
                <th>20 minutes</th>
              </tr>
            </thead>
            <tbody>
              {queues.map((queue) => (
                <QueueRow key={`${queue.name} ${queue.kind}`} queue={queue} />
              ))}
            </tbody>
          </table>
          <p className="text-small text-muted ops-note">
            Bars: the most that waited in each of the last 20 minutes, as this API saw it. Where
            there is none, nobody looked.
          </p>
        </>
      )}
    </OpsPane>
  );
}

function QueueRow({ queue }: { readonly queue: Queue }) {
  const { name, kind, host, backlog, ageSeconds, addedRate, takenRate, pollers, recentBacklog } =
    queue;
  const isBehind = backlog > 0 && ageSeconds >= BEHIND_SECONDS;
  return (
    <tr>
      <td title={name}>
        {host === null ? (kind === 'workflow' ? 'Goals' : 'Commits of goals') : 'Turns and checks'}
        {host === null ? null : <span className="mono text-muted text-small"> {host}</span>}
      </td>
      <td className={`text-right ${isBehind ? 'tone-warn text-strong' : ''}`}>{backlog}</td>
      <td className="text-right">{backlog === 0 ? '–' : duration(ageSeconds)}</td>
      <td className="text-right desktop-only">{addedRate.toFixed(1)} /s</td>
      <td className="text-right desktop-only">{takenRate.toFixed(1)} /s</td>
      <td className={`text-right desktop-only ${pollers === 0 ? 'tone-warn text-strong' : ''}`}>
        {pollers}
      </td>
      <td>
        <Spark
          values={recentBacklog}
          tone={isBehind ? 'warn' : 'mute'}
          text={backlogText(recentBacklog)}
        />
      </td>
    </tr>
  );
}
