import type { Goal, Notification } from '../api/types.ts';

interface NoticePlace {
  /** As the service shows it: the credential in it is left out. */
  readonly url: string;
  /** What is told there. */
  readonly events: string;
  readonly isBad: boolean;
  readonly last: { readonly words: string; readonly at: string } | null;
}

const STATES = { pending: 'is on its way', delivered: 'delivered', given_up: 'given up' } as const;

/** The goal's own targets, and those of the service that were told of it. */
export function noticePlaces(
  { notify = [] }: Pick<Goal, 'notify'>,
  newestFirst: readonly Notification[],
): NoticePlace[] {
  const told = newestFirst.flatMap(({ type, createdAt, deliveries }) =>
    deliveries.map((delivery) => ({ ...delivery, type, createdAt })),
  );
  const urls = new Set([...notify.map(({ url }) => url), ...told.map(({ url }) => url)]);
  return [...urls].map((url) => {
    const newest = told.find((delivery) => delivery.url === url);
    const own = notify.find((target) => target.url === url);
    const events = own === undefined ? 'of the service' : (own.events ?? ['all']).join(', ');
    if (newest === undefined) return { url, events, isBad: false, last: null };
    const { state, type, createdAt, lastError } = newest;
    const why = state !== 'delivered' && lastError !== null ? ` (${lastError})` : '';
    return {
      ...{ url, events, isBad: state === 'given_up' },
      last: { words: `${type.replace(/^goal\./, '')} ${STATES[state]}${why}`, at: createdAt },
    };
  });
}
