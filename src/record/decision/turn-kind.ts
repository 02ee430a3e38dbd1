import type { TurnKind } from '../../contract/turn-facts.ts';

/** A message that a turn takes when it opens. */
export interface TakenMessage {
  readonly kind: string;
  readonly voice: string;
  readonly delivery: string;
}

/** The host begins these by itself; the others answer a person. */
const IS_HOST_DRIVEN: Readonly<Record<TurnKind, boolean>> = {
  start: true,
  nudge: true,
  wake: true,
  resume: true,
  message: false,
  answer: false,
  wrap_up: false,
};

/**
 * Kind of the turn that takes `inbox`: a person's message before a host's turn began makes it a
 * message turn, which answers and then pauses. A steering message doesn't, even when it came too
 * late for its turn.
 */
export function turnKindWith(
  kind: TurnKind,
  inbox: readonly TakenMessage[],
  isRecheck: boolean,
): TurnKind {
  const said = inbox.filter((message) => isByPerson(message, 'message'));
  const isSteeredOnly = said.length > 0 && said.every(({ delivery }) => delivery === 'steer');
  if (isSteeredOnly) return kind === 'message' ? 'resume' : kind;
  if (said.length > 0 && IS_HOST_DRIVEN[kind]) return 'message';
  // The message is only the answer that was asked for, so there is no reason to stop again.
  const hasAnswer = inbox.some((message) => isByPerson(message, 'answer'));
  if (kind === 'message' && said.length === 0 && hasAnswer) return 'answer';
  // An amendment leaves nothing in the inbox, and nothing to answer.
  const isFromOthers = inbox.every((one) => isResult(one) || isByAgent(one));
  if (kind === 'message' && isFromOthers) return 'resume';
  // A claim that a person let stand is checked again with the new findings.
  return isRecheck && inbox.some(isResult) ? 'resume' : kind;
}

/** The kind of a turn that stays the host's, whoever has spoken. */
export const hostsKind = (kind: TurnKind): TurnKind =>
  IS_HOST_DRIVEN[kind] || kind === 'wrap_up' ? kind : 'resume';

const isByPerson = ({ voice, kind }: TakenMessage, sent: 'message' | 'answer'): boolean =>
  voice === 'person' && kind === sent;

const isByAgent = ({ voice }: TakenMessage): boolean => voice === 'agent';

const isResult = ({ kind }: TakenMessage): boolean => kind === 'delegate';
