import type { Wait } from '../src/contract/goal-state.ts';
import type { ProviderTrouble } from '../src/contract/turn-facts.ts';

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** Another goal holds the workspace; a signal arrives when it is released. */
export const workspaceWait = (name: string): Wait => ({
  on: 'workspace',
  reason: name,
  since: inSeconds(0),
  until: null,
});

/** A person's own session works; an order says that it has stopped. */
export const sessionWait = (): Wait => ({
  on: 'session',
  reason: 'its session works, or is to come',
  since: inSeconds(0),
  until: null,
});

/** No worker of the workspace's host took the turn. */
export const workerWait = (taskQueue: string): Wait => ({
  on: 'worker',
  reason: `no worker of ${taskQueue} is free`,
  since: inSeconds(0),
  until: null,
});

/** Begun anew at once, goals would meet in the same second: they come within half a minute. */
const SPREAD_SECONDS = 30;

/** A spend limit of the service leaves too little, until its period begins anew or it is raised. */
export function spendWait({ message, retryAfterSeconds }: ProviderTrouble): Wait {
  const seconds = retryAfterSeconds ?? 0;
  return {
    on: 'spend',
    reason: message,
    since: inSeconds(0),
    until: inSeconds(seconds + Math.min(SPREAD_SECONDS, seconds) * Math.random()),
  };
}

export const providerWait = ({ kind, message }: ProviderTrouble, seconds: number): Wait => ({
  on: 'provider',
  reason: `${kind}: ${message}`.slice(0, 500),
  since: inSeconds(0),
  until: inSeconds(seconds),
});
