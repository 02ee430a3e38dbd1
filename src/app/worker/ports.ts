import { join } from 'node:path';
import { createSecrets } from '../../attempt/secrets.ts';
import { goalEndOf } from '../../attest/export-proof.ts';
import { sweepRooms } from '../../evidence/sealed/room.ts';
import { openMcpHost } from '../../mcp/host.ts';
import { hostMarkOf } from '../../model/host-mark.ts';
import { createModels } from '../../model/providers.ts';
import { ANYWHERE, addressRules } from '../../net/addresses.ts';
import { ownPhrases } from '../../reply/phrases.ts';
import { sweepGoalFolders } from '../../sandbox/goal-folders.ts';
import { whyNothingSealed } from '../../sandbox/probe.ts';
import { seedsFolder } from '../../sandbox/seeds/seed-store.ts';
import { sealedKeys } from '../../sealed/keys.ts';
import { createMasker } from '../../secrets/masker.ts';
import { createAttachedContents } from '../../store/attachments/attached-contents.ts';
import { createJournal } from '../../store/journal/journal.ts';
import { retryingJournal } from '../../store/journal/retrying-journal.ts';
import { createLedgerVerifier } from '../../store/ledger/ledger-verify.ts';
import { createReader } from '../../store/reads/reader.ts';
import { createProofStore } from '../../store/record/proofs.ts';
import { createRecord } from '../../store/record/record.ts';
import { createAlarms } from '../../store/schedules/alarms.ts';
import { createSealedStore } from '../../store/sealed/sealed.ts';
import { createApplies } from '../../store/workspaces/applies.ts';
import { createCheckLoans } from '../../store/workspaces/check-loan.ts';
import { createCheckOrders } from '../../store/workspaces/check-orders.ts';
import { createCheckpointStore } from '../../store/workspaces/checkpoints.ts';
import { createStoredRules } from '../../store/workspaces/stored-rules.ts';
import { createToolPinStore } from '../../store/workspaces/tool-pins.ts';
import { createWorktreeStore } from '../../store/workspaces/worktrees.ts';
import { observedJournal, observedModel, observedRecord } from '../../telemetry/observed-ports.ts';
import { builtInTools } from '../../tools/built-in.ts';
import { createRegistry } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';
import { workspaceRules } from '../../tools/workspace-rules.ts';
import { maskedJournal, maskedModel, maskedProofs, maskedRecord } from '../../turn/masked-ports.ts';
import type { TurnPorts } from '../../turn/turn-ports.ts';
import { boxed } from '../../workspace/helper/boxed.ts';
import { startEffects } from '../../workspace/helper/client.ts';
import { endHelper } from '../../workspace/helper/end.ts';
import { maskEffects } from '../../workspace/helper/masked.ts';
import { sweepScratch } from '../../workspace/scratch.ts';
import { placedApplies, placedJournal, placedLoans } from '../../worktrees/placed-journal.ts';
import { knownSecrets } from '../config/known-secrets.ts';
import { joined, ofRules } from '../of-rules.ts';
import type { WorkerGround } from './ground.ts';

/** All that slices act through, and what of it other parts of the worker use. */
export type OpenedPorts = Awaited<ReturnType<typeof openPorts>>;

export async function openPorts(ground: WorkerGround, ownTools: readonly Tool[]) {
  const { config, store, database, keys, recording, sandbox, machine, rules, observer } = ground;
  const { service } = config;
  const journal = createJournal(database, recording);
  const mask = createMasker(process.env, knownSecrets(config));
  const secrets = createSecrets(mask);
  const mcp = await openMcpHost(service.mcpServers, sandbox.boxServer, ground.log);
  void sweepGoalFolders(config.home);
  const worktrees = createWorktreeStore(store, recording);
  const sealed = createSealedStore(store, sealedKeys(config.sealedKeys, config.home), keys);
  await sweepRooms(config.home);
  await sweepScratch();
  const offered = ofRules(rules, ({ withheld }) =>
    builtInTools.filter(({ name }) => !withheld.includes(name)),
  );
  const alarms = createAlarms(database, keys);
  const kept = { reader: createReader(store, keys), ledger: createLedgerVerifier(database, keys) };
  const endOf = (goalId: string) => goalEndOf(kept, goalId);
  const ports: TurnPorts = {
    journal: observedJournal(
      maskedJournal(placedJournal(retryingJournal(journal), config.home), secrets),
      observer,
    ),
    record: observedRecord(maskedRecord(createRecord(database, recording), mask), observer),
    proofs: maskedProofs(createProofStore(store, keys), mask),
    sealed: { ...sealed, whyNot: whyNothingSealed(sandbox.protection) },
    checkpoints: createCheckpointStore(store, keys, recording),
    worktrees,
    checks: placedLoans(createCheckLoans(database, keys), config.home),
    checkOrders: createCheckOrders(store, keys),
    applies: placedApplies({ ...createApplies(database, recording), endOf }, config.home),
    attached: createAttachedContents(database),
    alarms,
    model: observedModel(maskedModel(createModels(config.models), mask), observer),
    tools: createRegistry(ownTools, mask, joined(mcp.tools, offered)),
    ownPhrases: ofRules(rules, ({ phrases }) => ownPhrases(phrases)),
    toolPins: createToolPinStore(store, keys, ground.notifier.touched),
    hostMark: (goalId) => hostMarkOf(ground.payloadKeys.sealing().bytes, goalId),
    secrets,
    toolRules: service.toolRules,
    workspaceRules: workspaceRules(join(config.home, 'policies')),
    callStops: ground.callStops,
    // Where a second person grants each call, nobody grants it beforehand.
    ...(config.approvers === 'anybody' && { storedRules: createStoredRules(database, keys) }),
    startEffects: (onSpawn, room) =>
      maskEffects(startEffects({ host: machine, onSpawn, ...boxed(sandbox, room) }), mask),
    tellOutput: ground.liveOutput.tell,
    tellText: ground.liveText.begin,
    // Whatever ran on another machine is gone: this one serves the pool.
    endHelper: async (helper) => {
      if (helper.host !== machine) return;
      await endHelper(helper, machine, { named: 'recorded' });
    },
    home: config.home,
    seeds: seedsFolder(config.home),
    agents: service.agents,
    addresses: addressRules(config.allowsLocalUrls ? ANYWHERE : service.allowedAddresses),
    host: ground.host,
    workerId: ground.workerId,
    stopping: ground.stopping.signal,
    running: ground.running,
    clock: () => performance.now(),
    now: ground.clock.now,
  };
  return { ports, mask, mcp, alarms, worktrees, sealed, endOf };
}
