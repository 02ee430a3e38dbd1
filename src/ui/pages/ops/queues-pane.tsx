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
          <table className="tb2 queues">
            <thead>
              <tr>
                <th>Queue</th>
                <th className="r">Backlog</th>
                <th className="r">Oldest</th>
                <th className="r hidem">Come in</th>
                <th className="r hidem">Taken</th>
                <th className="r hidem">Pollers</th>
                <th>20 minutes</th>
              </tr>
            </thead>
            <tbody>
              {queues.map((queue) => (
                <QueueRow key={`${queue.name} ${queue.kind}`} queue={queue} />
              ))}
            </tbody>
          </table>
          <p className="xs t3 fine">
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
        {host === null ? null : <span className="mono t3 xs"> {host}</span>}
      </td>
      <td className={`r ${isBehind ? 'warn b' : ''}`}>{backlog}</td>
      <td className="r">{backlog === 0 ? '–' : duration(ageSeconds)}</td>
      <td className="r hidem">{addedRate.toFixed(1)} /s</td>
      <td className="r hidem">{takenRate.toFixed(1)} /s</td>
      <td className={`r hidem ${pollers === 0 ? 'warn b' : ''}`}>{pollers}</td>
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
