import type { Goal } from '../api/types.ts';
import {
  IconBolt,
  IconClock,
  IconCloud,
  IconServer2,
  IconUser,
  IconUsersGroup,
} from '../generated/icons.tsx';
import { useMayAct } from '../session/session-context.tsx';
import { type ActorKind, type NextAct, nextAct } from '../view/actor.ts';

const icons: Readonly<Record<Exclude<ActorKind, 'none'>, typeof IconUser>> = {
  you: IconUser,
  agent: IconBolt,
  clock: IconClock,
  provider: IconCloud,
  worker: IconServer2,
  team: IconUsersGroup,
};

/** The next actor, and the reason. Yellow is "you" and nothing else. */
export function ActorChip({ goal }: { readonly goal: Goal }) {
  return <ActChip act={nextAct(goal, useMayAct())} />;
}

export function ActChip({ act: { kind, actor, reason } }: { readonly act: NextAct }) {
  if (kind === 'none') {
    return (
      <span className="actor-chip nobody" title={reason}>
        <span>{reason}</span>
      </span>
    );
  }
  const Icon = icons[kind];
  return (
    <span className={`actor-chip ${kind}`} title={`${actor} must act next: ${reason}`}>
      <b>
        <Icon className="icon" size={12} stroke={2.2} aria-hidden="true" />
        {actor}
      </b>
      <span>{reason}</span>
    </span>
  );
}
