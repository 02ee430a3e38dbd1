import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { changeSchedule, type ScheduleAct } from '../../api/schedules.ts';
import type { Schedule } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import {
  cadenceWords,
  capWords,
  nextWords,
  overlapWords,
  runState,
  runWords,
} from '../../view/schedule-text.ts';

export function ScheduleRow({ schedule }: { readonly schedule: Schedule }) {
  const { name, scheduleId, workspace, when, overlap, paused } = schedule;
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const mayAct = useMayAct();
  const mayPause = useMayPause();
  const [isDeleting, setDeleting] = useState(false);
  const reread = () => void client.invalidateQueries({ queryKey: ['schedules'] });
  const change = useAct({
    mutationFn: (act: ScheduleAct) => changeSchedule(scheduleId, act),
    onSuccess: reread,
    onError: (error) => toast(error.message),
  });
  const isHeld = isOffline || change.isPending;
  const isOn = paused === undefined;
  return (
    <tr>
      <td className="break">
        {mayAct ? (
          <Link className="link" href={`/schedules/${scheduleId}`} title="Change it">
            <b>{name}</b>
          </Link>
        ) : (
          <b>{name}</b>
        )}
        <div className="text-small text-muted">
          {workspace} <span className="mono">{scheduleId}</span>
        </div>
      </td>
      <td data-label="When">
        <span className="mono">{cadenceWords(when)}</span>
        <div className="text-small text-muted">
          {when.cron === undefined ? null : (when.timeZone ?? 'UTC')}
        </div>
      </td>
      <td className={isOn ? '' : 'text-muted'} data-label="Next">
        {nextWords(schedule)}
      </td>
      <td data-label="Last runs">
        <LastRuns runs={schedule.runs} />
      </td>
      <td data-label="Cap">{capWords(schedule)}</td>
      <td data-label="If one still runs">{overlapWords[overlap]}</td>
      <td data-label="On">
        {mayPause ? (
          <input
            type="checkbox"
            aria-label={`${name} is on`}
            checked={isOn}
            disabled={isHeld || !(isOn ? mayPause : mayAct)}
            onChange={() => change.mutate(isOn ? 'pause' : 'resume')}
          />
        ) : isOn ? (
          'yes'
        ) : (
          'no'
        )}
      </td>
      <td className="settings-act">
        {mayAct ? (
          <Button
            look="subtle"
            isSmall
            disabled={isHeld}
            aria-label={`Run ${name} now`}
            onClick={() => change.mutate('run')}
          >
            Run now
          </Button>
        ) : null}
        {mayPause ? (
          <Button
            look="subtle"
            isSmall
            disabled={isHeld}
            aria-label={`Delete ${name}`}
            onClick={() => setDeleting(true)}
          >
            Delete…
          </Button>
        ) : null}
        {isDeleting ? (
          <ConfirmDialog
            title={`Delete ${name}?`}
            confirm="Delete the schedule"
            busy="Deleting…"
            act={async () => `${(await changeSchedule(scheduleId, 'delete')).name} is deleted.`}
            onDone={reread}
            onClose={() => setDeleting(false)}
          >
            <p>It starts nothing more. What it started goes on, and its record stays.</p>
          </ConfirmDialog>
        ) : null}
      </td>
    </tr>
  );
}

/** The oldest first, as they are read. */
function LastRuns({ runs }: { readonly runs: Schedule['runs'] }) {
  if (runs.length === 0) return <span className="text-muted">none yet</span>;
  return (
    <span className="row">
      {[...runs].reverse().map((run) => (
        <LastRun key={run.dueAt} run={run} />
      ))}
    </span>
  );
}

function LastRun({ run }: { readonly run: Schedule['runs'][number] }) {
  const said = runWords(run);
  const mark = <EvidenceIcon state={runState(run)} label={said} />;
  return run.goalId === undefined ? (
    <span title={said}>{mark}</span>
  ) : (
    <Link href={`/goals/${run.goalId}`} title={said}>
      {mark}
    </Link>
  );
}
