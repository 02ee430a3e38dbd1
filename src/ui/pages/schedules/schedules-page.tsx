import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { usePolling } from '../../api/operations.ts';
import { schedulesQuery } from '../../api/schedules.ts';
import { buttonClass } from '../../components/button.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconCalendar, IconPlus } from '../../generated/icons.tsx';
import { useMayPause } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { Loaded } from '../settings/loaded.tsx';
import { SettingsTable } from '../settings/settings-table.tsx';
import { ScheduleRow } from './schedule-row.tsx';
import { WorkspaceQueues } from './workspace-queues.tsx';

const EVERY_MS = 5000;

const columns = ['Schedule', 'When', 'Next', 'Last runs', 'Cap', 'If one still runs', 'On', null];

/** What starts by itself and how it went, and who is next in each workspace. */
export function SchedulesPage() {
  useTitle('Schedules');
  const mayMake = useMayPause();
  const schedules = useQuery({ ...schedulesQuery, ...usePolling(EVERY_MS) });
  return (
    <>
      <header className="page-head start-head">
        <div className="row settings-title">
          <div className="grow">
            <h1>Schedules</h1>
            <p className="page-summary">
              Goals that start by themselves, and who is next in each workspace.
            </p>
          </div>
          {mayMake ? (
            <Link className={buttonClass({ look: 'primary' })} href="/schedules/new">
              <IconPlus size={14} stroke={1.75} aria-hidden="true" />
              New schedule
            </Link>
          ) : null}
        </div>
      </header>
      <Loaded what="The schedules" query={schedules}>
        {(items) =>
          items.length === 0 ? (
            <StateBox
              icon={<IconCalendar size={28} stroke={1.4} aria-hidden="true" />}
              title="No schedule"
              text="A schedule starts a goal, or wakes one, by the clock."
              code={'goalkeeper schedule create NAME "OBJECTIVE" --cron "0 6 * * 1"'}
            />
          ) : (
            <SettingsTable label="Schedules" columns={columns}>
              {items.map((one) => (
                <ScheduleRow key={one.scheduleId} schedule={one} />
              ))}
            </SettingsTable>
          )
        }
      </Loaded>
      <WorkspaceQueues />
    </>
  );
}
