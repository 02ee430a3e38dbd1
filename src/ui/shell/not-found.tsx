import { Link } from 'wouter';
import { buttonClass } from '../components/button.tsx';
import { StateBox } from '../components/state-box.tsx';
import { IconSearch } from '../generated/icons.tsx';

export function NotFound() {
  return (
    <StateBox
      icon={<IconSearch size={28} stroke={1.4} aria-hidden="true" />}
      isPage
      title="There is no such page"
      text="The address leads nowhere here, or to a page that this version does not have yet."
    >
      <Link className={buttonClass({})} href="/goals">
        Go to the goals
      </Link>
    </StateBox>
  );
}
