import type { Alerts } from '../../../schema/operations.ts';
import { wholeSight } from '../../policy/sight.ts';
import type { Ports } from '../application.ts';
import { alertsOf } from './alerts.ts';
import type { ChainWatch } from './chain-watch.ts';
import { type QueueNeeds, readQueues } from './queues.ts';

const HOUR_MS = 3_600_000;
/** An undelivered notification raises an alert for a day. */
const UNDELIVERED_MS = 24 * HOUR_MS;
const NEAREST = 20;

/** Each source is read by itself, so one that is away hides only its own alerts. */
export async function readAlerts(
  ports: Ports<QueueNeeds | 'anchors'>,
  chains: ChainWatch,
): Promise<Alerts> {
  const { reader } = ports;
  const now = Date.now();
  const unknown: string[] = [];
  const or = <Fact>(what: string, fact: Promise<Fact>): Promise<Fact | null> =>
    fact.catch(() => {
      unknown.push(what);
      return null;
    });
  const [workers, busyHosts, stuck, queues, providers, undelivered, anchors, near, look] =
    await Promise.all([
      or('workers', reader.workers()),
      or('hosts', reader.busyHosts()),
      or('stuck goals', reader.stuck()),
      or('queues', readQueues(ports)),
      or('providers', reader.providers(new Date(now - HOUR_MS / 3).toISOString())),
      or('webhooks', reader.undelivered(new Date(now - UNDELIVERED_MS).toISOString())),
      or(
        'anchors',
        ports.anchors.state().then(({ targets }) => targets),
      ),
      or('budgets', reader.goals(nearestToLimit)),
      chains.look(),
    ]);
  const nearLimits = near?.items ?? null;
  const brokenChains = look.broken;
  return {
    items: alertsOf({
      now,
      workers,
      busyHosts,
      stuck,
      queues,
      providers,
      brokenChains,
      undelivered,
      anchors,
      nearLimits,
    }),
    chainsChecked: look.checked,
    unknown,
    at: new Date(now).toISOString(),
  };
}

const nearestToLimit = {
  sight: wholeSight,
  status: ['active'],
  sort: 'limit',
  group: 'none',
  archived: false,
  limit: NEAREST,
} as const;
