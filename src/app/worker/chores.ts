import { sweepAgents } from '../../agents/sweep.ts';
import { startAnchorer } from '../../anchors/anchorer.ts';
import { anchorTargets } from '../../anchors/targets.ts';
import { sweepStores } from '../../checkpoints/sweep.ts';
import { sweepRooms } from '../../evidence/sealed/room.ts';
import { addressRules } from '../../net/addresses.ts';
import type { Part } from '../../process/end-in-order.ts';
import { startRounds } from '../../process/rounds.ts';
import { sweepProofs } from '../../proof-place/original.ts';
import { sweepSetups } from '../../proof-place/setup-store.ts';
import { sweepGroups } from '../../sandbox/groups/sweep.ts';
import { seedsFolder, sweepSeeds } from '../../sandbox/seeds/seed-store.ts';
import { createAnchorStore } from '../../store/anchors/anchors.ts';
import { sweepAttachments } from '../../store/attachments/attachments.ts';
import { pruneOrders } from '../../store/intake/prune-orders.ts';
import { createDeliveryStore } from '../../store/notices/deliveries.ts';
import { waitingForSpend } from '../../store/spend/waiting.ts';
import { traceparentOf } from '../../telemetry/trace-ids.ts';
import { startSender } from '../../webhooks/sender.ts';
import { createWorktreeSweeper } from '../../worktrees/sweep.ts';
import { forgetOld } from '../forget-old.ts';
import { createLimitTeller } from '../tell-limits.ts';
import type { WorkerGround } from './ground.ts';
import type { OpenedPorts } from './ports.ts';

const SWEEP_EVERY_MS = 5000;
/** The sweep of all stores is less urgent than that of worktrees, which people see. */
const STORES_EVERY = 12;
/** About an hour. */
const ORDERS_EVERY = 720;

/** What a worker does beside slices. @returns what ends it, in this order */
export function startChores(ground: WorkerGround, opened: OpenedPorts): readonly Part[] {
  const sweeper = startSweeping(ground, opened);
  const limits = startTellingLimits(ground);
  const sender = startSending(ground);
  const anchorer = startAnchoring(ground);
  return [
    { name: 'sweeper', end: sweeper.stop },
    { name: 'limits', end: limits.stop },
    { name: 'clock', end: ground.clock.stop },
    { name: 'sender', end: sender.stop },
    ...(anchorer === null ? [] : [{ name: 'anchors', end: anchorer.stop }]),
  ];
}

function startSweeping(
  { config, database, keys, metrics, log, rules, groups, host }: WorkerGround,
  { ports, sealed, worktrees, endOf }: OpenedPorts,
) {
  const { home } = config;
  const { finishedGoals } = ports.proofs;
  const sweepWorktrees = createWorktreeSweeper({ worktrees, endOf, host, home, log });
  let round = 0;
  return startRounds(async () => {
    try {
      if (round % ORDERS_EVERY === 0) {
        await pruneOrders(database, keys);
        await forgetOld({ database, keys, metrics, log }, rules().retention);
      }
      if (round++ % STORES_EVERY === 0) await sweepStores(home, ports.checkpoints);
      await sweepProofs(home, finishedGoals);
      await sweepAgents(home, finishedGoals);
      await sweepSetups(home);
      await sweepSeeds(seedsFolder(home));
      await sweepRooms(home);
      if (groups !== null) await sweepGroups(groups);
      await sealed.eraseUnneeded();
      if (round % STORES_EVERY === 0) await sweepAttachments(database);
      await sweepWorktrees();
    } catch (error) {
      log.warn({ err: error }, 'what goals left behind could not be removed');
    }
    return false;
  }, SWEEP_EVERY_MS);
}

function startTellingLimits({ database, recording, executions, log }: WorkerGround) {
  const tellLimits = createLimitTeller({
    limits: recording.spendLimits,
    waiting: () => waitingForSpend(database),
    notify: executions.notifyEvent,
  });
  return startRounds(async () => {
    await tellLimits().catch((error: unknown) =>
      log.warn({ err: error }, 'goals that wait for a spend limit could not be told'),
    );
    return false;
  }, SWEEP_EVERY_MS);
}

function startSending({ config, database, keys, recording, queues, traces, log }: WorkerGround) {
  return startSender({
    store: createDeliveryStore(database, keys, recording),
    serviceTargets: config.service.notify,
    notices: config.notices,
    installation: queues.installation,
    addresses: addressRules(config.service.allowedAddresses),
    keys,
    keepDays: config.notificationDays,
    environment: process.env,
    ...(traces !== null && { headersOf: (id) => ({ traceparent: traceparentOf(id) }) }),
    log,
  });
}

function startAnchoring({ config, database, keys, log }: WorkerGround) {
  if (keys.sealing === null) return null;
  const addresses = addressRules(config.service.allowedAddresses);
  return startAnchorer({
    store: createAnchorStore(database, keys.sealing),
    targets: anchorTargets({ ...config.anchors, addresses }),
    log,
  });
}
