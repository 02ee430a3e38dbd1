import type { UseQueryResult } from '@tanstack/react-query';
import type { Worker } from '../../api/types.ts';
import { Since } from '../../components/since.tsx';
import { plural } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';
import { OpsPane } from './ops-pane.tsx';

const tones = { up: 'ok', draining: '', lost: 'bad' } as const;

export function WorkersPane({ query }: { readonly query: UseQueryResult<readonly Worker[]> }) {
  return (
    <OpsPane title="Workers" count={query.data?.length} query={query}>
      {(workers) =>
        workers.length === 0 ? (
          <p className="ops-calm">
            No worker was seen within a day. Start one with{' '}
            <span className="mono">goalkeeper worker</span>, or everything with{' '}
            <span className="mono">goalkeeper up</span>.
          </p>
        ) : (
          <table className="data-table">
            <thead>
              <tr>
                <th>Worker</th>
                <th>State</th>
                <th className="desktop-only">Build</th>
                <th className="desktop-only">Serves</th>
                <th className="text-right">Slices</th>
                <th className="text-right desktop-only">Up for</th>
                <th className="text-right">Seen</th>
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <WorkerRow key={worker.workerId} worker={worker} />
              ))}
            </tbody>
          </table>
        )
      }
    </OpsPane>
  );
}

function WorkerRow({ worker }: { readonly worker: Worker }) {
  const { workerId, state, build, host, slices, slots, startedAt, seenAt } = worker;
  return (
    <tr>
      <td className="mono worker-name" title={`${workerId} on ${host}`}>
        {workerId}
      </td>
      <td>
        <span className={`tag ${toneClass(tones[state])}`}>{state}</span>
      </td>
      <td className="mono text-muted desktop-only">{build}</td>
      <td className="desktop-only">
        <Serves worker={worker} />
      </td>
      <td className="text-right">
        {slices} / {slots}
      </td>
      <td className="text-right desktop-only">
        <Since at={startedAt} />
      </td>
      <td className={`text-right ${state === 'lost' ? 'tone-bad' : ''}`}>
        <Since at={seenAt} suffix=" ago" />
      </td>
    </tr>
  );
}

function Serves({
  worker: { host, isolation, workspaces, tools, models },
}: {
  readonly worker: Worker;
}) {
  return (
    <details className="worker-serves">
      <summary>
        {plural(workspaces.length, 'workspace')}, {plural(tools.length, 'tool')}
        {models.length === 0 ? '' : `, ${plural(models.length, 'own model')}`}
      </summary>
      <dl>
        <dt>Host</dt>
        <dd className="mono">{host}</dd>
        <dt>Keeps commands in</dt>
        <dd>{isolation === 'none' ? 'no sandbox' : `a sandbox (${isolation})`}</dd>
        <Names title="Workspaces" names={workspaces} />
        <Names title="Tools" names={tools} />
        <Names title="Own models" names={models} />
      </dl>
    </details>
  );
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd className="mono">{names.join(', ')}</dd>
    </>
  );
}
