import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { usePolling } from '../../api/operations.ts';
import { schedulesQuery } from '../../api/schedules.ts';
import { StateBox } from '../../components/state-box.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { Loaded } from '../settings/loaded.tsx';
import { SettingsTable } from '../settings/settings-table.tsx';
import { ScheduleRow } from './schedule-row.tsx';

const EVERY_MS = 5000;

const columns = ['Schedule', 'When', 'Next', 'Last runs', 'Cap', 'If one still runs', 'On', null];

/** What starts by itself, and how it went. */
export function SchedulesPage() {
  useTitle('Schedules');
  const schedules = useQuery({ ...schedulesQuery, ...usePolling(EVERY_MS) });
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>Schedules</h1>
          <p className="page-summary">Goals that start by themselves.</p>
        </div>
      </header>
      <Loaded what="The schedules" query={schedules}>
        {(items) =>
          items.length === 0 ? (
            <StateBox
              icon={<IconCalendar size={28} stroke={1.4} aria-hidden="true" />}
              title="No schedule"
              text={'Make one: goalkeeper schedule create NAME "OBJECTIVE" --cron "0 6 * * 1"'}
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
    </>
  );
}
