import { useQuery } from '@tanstack/react-query';
import { scheduleQuery } from '../../api/schedules.ts';
import { StateBox } from '../../components/state-box.tsx';
import { IconLock } from '../../generated/icons.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { Loaded } from '../settings/loaded.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';

/** A schedule that is made. */
export function NewSchedulePage() {
  useTitle('New schedule');
  const mayMake = useMayPause();
  return (
    <>
      <Head title="New schedule" />
      {mayMake ? <ScheduleEditor schedule={null} /> : <NotYours />}
    </>
  );
}

/** A schedule that is changed. */
export function SchedulePage({ scheduleId }: { readonly scheduleId: string }) {
  const mayAct = useMayAct();
  // What is typed rests on what was read first.
  const schedule = useQuery({ ...scheduleQuery(scheduleId), refetchOnWindowFocus: false });
  useTitle(schedule.data?.name ?? 'Schedule');
  return (
    <>
      <Head title={schedule.data?.name ?? 'Schedule'} />
      {mayAct ? (
        <Loaded what="The schedule" query={schedule}>
          {(found) => <ScheduleEditor schedule={found} />}
        </Loaded>
      ) : (
        <NotYours />
      )}
    </>
  );
}

function Head({ title }: { readonly title: string }) {
  return (
    <header className="page-head start-head">
      <h1 className="break">{title}</h1>
      <p className="page-summary">What starts by itself, when, and by your rights.</p>
    </header>
  );
}

const NotYours = () => (
  <StateBox
    icon={<IconLock size={28} stroke={1.4} aria-hidden="true" />}
    title="Your role changes no schedules"
    text="Sign in with another token to make or change one."
  />
);
