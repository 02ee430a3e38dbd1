import { Link } from 'wouter';
import { buttonClass } from '../../components/button.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconLock, IconSearch } from '../../generated/icons.tsx';
import { useMayAct, useSeesLog } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { AnchorsTab } from './anchors-tab.tsx';
import { PrincipalsTab } from './principals-tab.tsx';
import { RulesTab } from './rules-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { SettingsHead } from './settings-head.tsx';
import { TokensTab } from './tokens-tab.tsx';

const tabs = {
  tokens: TokensTab,
  principals: PrincipalsTab,
  rules: RulesTab,
  security: SecurityTab,
  anchors: AnchorsTab,
} as const;

/** Who may do what, and who did. */
export function SettingsPage({ tab }: { readonly tab: string }) {
  useTitle('Settings');
  const mayAct = useMayAct();
  const seesLog = useSeesLog();
  const Tab = Object.hasOwn(tabs, tab) ? tabs[tab as keyof typeof tabs] : null;
  if (Tab === null) {
    return (
      <Refused icon="search" title="There is no such page" text="The settings have other names." />
    );
  }
  if (mayAct && (Tab !== SecurityTab || seesLog)) return <Tab />;
  return (
    <Refused
      icon="lock"
      title={mayAct ? 'The security log is for admins' : 'Settings are for operators and admins'}
      text="Your role reads other pages. Sign in with another token to see this one."
    />
  );
}

function Refused(props: {
  readonly icon: 'lock' | 'search';
  readonly title: string;
  readonly text: string;
}) {
  const Icon = props.icon === 'lock' ? IconLock : IconSearch;
  return (
    <>
      <SettingsHead />
      <StateBox
        icon={<Icon size={28} stroke={1.4} aria-hidden="true" />}
        title={props.title}
        text={props.text}
      >
        <Link className={buttonClass({})} href="/goals">
          Go to the goals
        </Link>
      </StateBox>
    </>
  );
}
