import { Menu } from '@mantine/core';
import { Link } from 'wouter';
import type { Goal } from '../../api/types.ts';
import { ActorChip } from '../../components/actor-chip.tsx';
import { Button, PlainButton } from '../../components/button.tsx';
import { StatusTag } from '../../components/status-tag.tsx';
import {
  IconChevronRight,
  IconCoin,
  IconCopy,
  IconCpu,
  IconDots,
  IconFlag,
  IconMessage,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconTargetArrow,
  IconTrash,
} from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { proofOf } from '../../view/evidence.ts';
import { clock, dateAndTime } from '../../view/format.ts';
import type { DialogName } from './dialogs/goal-dialog.tsx';
import { GoalFiles } from './goal-files.tsx';
import type { GoalTab, GoalView } from './goal-tabs.ts';

const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;

interface HeadProps {
  readonly goal: Goal;
  readonly tab: GoalView;
  readonly onDialog: (name: DialogName) => void;
}

export function GoalHead({ goal, tab, onDialog }: HeadProps) {
  const { goalId, objective } = goal;
  return (
    <header className={`goal-head ${tab === 'overview' ? '' : 'sub-page'}`}>
      <nav className="breadcrumb" aria-label="Breadcrumb">
        <Link href="/goals">Goals</Link>
        <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />
        <span className="mono">{goalId}</span>
        {goal.parentGoalId === undefined ? null : (
          <Link className="link" href={`/goals/${goal.parentGoalId}`}>
            delegate of {goal.parentGoalId}
          </Link>
        )}
        {goal.plannedBy === undefined ? null : (
          <Link className="link" href={`/goals/${goal.plannedBy}`}>
            planned by {goal.plannedBy}
          </Link>
        )}
        {goal.handedTo === undefined ? null : (
          <Link className="link" href={`/goals/${goal.handedTo}`}>
            handed to {goal.handedTo}
          </Link>
        )}
        {goal.follows === undefined ? null : (
          <Link className="link" href={`/goals/${goal.follows}`}>
            follows {goal.follows}
          </Link>
        )}
        {goal.followedBy === undefined ? null : (
          <Link className="link" href={`/goals/${goal.followedBy}`}>
            followed by {goal.followedBy}
          </Link>
        )}
      </nav>
      <div className="goal-title">
        <div className="grow">
          <h1 className={isLong(objective) ? 'clamp-3' : ''} title={objective.slice(0, 1000)}>
            {objective}
          </h1>
          <Meta goal={goal} />
          {tab === 'overview' ? <GoalFiles goalId={goalId} /> : null}
        </div>
        <Actions goal={goal} onDialog={onDialog} />
      </div>
      <Tabs goal={goal} tab={tab} />
    </header>
  );
}

const isLong = (text: string): boolean => text.length > 240 || text.split('\n').length > 3;

function Meta({ goal }: { readonly goal: Goal }) {
  const toast = useToast();
  const isWaiting = goal.activity.actor !== 'You' || goal.status === 'complete';
  const copy = () => void navigator.clipboard.writeText(goal.goalId).then(() => toast('Copied.'));
  return (
    <div className="goal-meta">
      <StatusTag goal={goal} />
      {isWaiting ? <ActorChip goal={goal} /> : null}
      <PlainButton className="copy-id mono" onClick={copy} title="Copy goal id">
        {goal.goalId}
        <IconCopy size={13} stroke={1.75} aria-hidden="true" />
      </PlainButton>
      <span>
        revision <b className="mono">{goal.revision}</b>
      </span>
      <span className="mono" title={`Workspace ${goal.workspace.name}`}>
        {goal.workspace.name}
      </span>
      {goal.workspace.branch === undefined ? null : (
        <span className="mono" title="Its own worktree is on this branch">
          {goal.workspace.branch}
        </span>
      )}
      {goal.agent === undefined ? (
        <span>{goal.model}</span>
      ) : (
        <span title="The agent that works on it">{goal.agent}</span>
      )}
      <span title={dateAndTime(goal.createdAt)}>started {clock(goal.createdAt)}</span>
      {goal.isolation === 'none' && goal.mode === 'agent' ? (
        <span
          className="tone-bad"
          title="Commands of this goal run without a sandbox: they reach all that the worker’s user can"
        >
          no sandbox
        </span>
      ) : null}
      <Network policy={goal.policy} />
    </div>
  );
}

/** What its commands reach beyond their sandbox. */
function Network({ policy: { sandbox } }: Pick<Goal, 'policy'>) {
  const { network = 'none' } = sandbox ?? {};
  if (network === 'none') return null;
  if (network === 'host') {
    return (
      <span className="tone-bad" title="Its commands reach all that listens on the machine">
        the machine’s network
      </span>
    );
  }
  const { domains } = network;
  const more = domains.length === 1 ? '' : ` and ${domains.length - 1} more`;
  return <span title={`Its commands reach ${domains.join(', ')}`}>{domains[0] + more}</span>;
}

function Actions({ goal, onDialog }: Omit<HeadProps, 'tab'>) {
  const isOffline = useIsOffline();
  const mayAct = useMayAct();
  const mayPause = useMayPause();
  const { status, archivedAt, chain } = goal;
  const isOver = status === 'complete' || archivedAt !== undefined;
  const why = isOffline ? 'The service does not answer' : undefined;
  return (
    <div className="goal-actions">
      {status === 'active' && !isOver && mayPause ? (
        <Button disabled={isOffline} title={why} onClick={() => onDialog('pause')}>
          <IconPlayerPause {...icon} />
          Pause <kbd className="desktop-only">p</kbd>
        </Button>
      ) : null}
      {status === 'paused' && !isOver && mayAct ? (
        <Button look="primary" disabled={isOffline} title={why} onClick={() => onDialog('resume')}>
          <IconPlayerPlay {...icon} />
          Resume <kbd className="desktop-only">r</kbd>
        </Button>
      ) : null}
      {isOver || !mayAct ? null : (
        <>
          <Button disabled={isOffline} title={why} onClick={() => onDialog('edit')}>
            <IconPencil {...icon} />
            Edit
          </Button>
          <Button
            look={status === 'budget_limited' ? 'keeper' : undefined}
            disabled={isOffline}
            title={why}
            onClick={() => onDialog('budget')}
          >
            <IconCoin {...icon} />
            Raise budget
          </Button>
        </>
      )}
      {archivedAt !== undefined || !mayPause ? null : (
        <Menu
          position="bottom-end"
          transitionProps={{ duration: 0 }}
          classNames={{ dropdown: 'menu' }}
          // A menu holds items and nothing else, and lies within a part of the page.
          withInitialFocusPlaceholder={false}
          portalProps={{ target: '#main' }}
        >
          <Menu.Target>
            <Button isIcon aria-label="More actions" disabled={isOffline}>
              <IconDots {...icon} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {isOver ? null : (
              <Menu.Item
                leftSection={<IconMessage {...icon} />}
                onClick={() => onDialog('message')}
              >
                Say something…
              </Menu.Item>
            )}
            {isOver || !mayAct ? null : (
              <>
                <Menu.Item
                  leftSection={<IconTargetArrow {...icon} />}
                  onClick={() => onDialog('criteria')}
                >
                  Edit criteria…
                </Menu.Item>
                <Menu.Item leftSection={<IconCpu {...icon} />} onClick={() => onDialog('model')}>
                  Change model…
                </Menu.Item>
              </>
            )}
            {chain === undefined || !mayAct ? null : (
              <Menu.Item
                leftSection={<IconPlayerSkipForward {...icon} />}
                onClick={() => onDialog('chain')}
              >
                End the chain of wakes…
              </Menu.Item>
            )}
            {isOver || !mayAct ? null : (
              <Menu.Item leftSection={<IconFlag {...icon} />} onClick={() => onDialog('complete')}>
                Complete by hand…
              </Menu.Item>
            )}
            {mayAct ? (
              <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => onDialog('clear')}>
                Clear goal…
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

const names: readonly (readonly [GoalTab, string])[] = [
  ['overview', 'Overview'],
  ['changes', 'Changes'],
  ['gate', 'Completion gate'],
  ['proof', 'Proof'],
  ['history', 'History'],
  ['ledger', 'Ledger'],
];

function Tabs({ goal, tab }: Pick<HeadProps, 'goal' | 'tab'>) {
  const { proved, here, holds, total } = proofOf(goal);
  const missing = total - proved - here - holds;
  const [tone, words] =
    missing > 0
      ? ['tone-warn', `${missing} missing`]
      : goal.status === 'complete'
        ? [here > 0 ? '' : 'tone-ok', here > 0 ? 'met' : 'passed']
        : holds > 0
          ? ['keeper-text', 'holds']
          : ['', 'all met'];
  return (
    <nav className="tabs" aria-label="Of this goal">
      {names.map(([name, label], index) => (
        <Link
          key={name}
          href={`/goals/${goal.goalId}/${name}`}
          aria-current={tab === name ? 'page' : undefined}
          title={`${label} (${index + 1})`}
        >
          {label}
          {name === 'proof' && goal.status !== 'complete' ? (
            <span className={`tab-note ${holds > 0 && missing === 0 ? 'keeper-text' : ''}`}>
              {holds > 0 && missing === 0 ? 'holds' : 'not yet'}
            </span>
          ) : null}
          {name === 'gate' && total > 0 ? (
            <span className={`tab-note ${tone}`}>{words}</span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
