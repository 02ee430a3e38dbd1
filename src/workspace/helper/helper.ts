/**
 * The process of one attempt that changes files and runs commands. It takes orders from the worker
 * over IPC; when that breaks, everything that it started ends with it. Loads only Node's own
 * modules, so that it starts fast.
 */
import '../../process/closed-files.ts';
import { identifyRunning } from '../../process/process-identity.ts';
import { type RunningCommand, startCommand } from './command.ts';
import { killStarted } from './end.ts';
import { placeEntry } from './place-entry.ts';
import type { Order, Report } from './protocol.ts';
import { startProxied } from './proxied.ts';
import { writeFileAtomically } from './write-file.ts';

const self = identifyRunning(process.pid);
const environment = { ...process.env } as Record<string, string>;
const running = new Map<number, RunningCommand>();

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => {
  killStarted(self);
  process.exit(0);
});
// The worker ends the helper by closing the channel or by SIGKILL.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function obey(order: Order): Promise<void> {
  if (order.kind === 'cancel') return running.get(order.id)?.cancel();
  try {
    report(await carryOut(order));
  } catch (error) {
    report({ kind: 'failed', id: order.id, message: (error as Error).message });
  }
}

async function carryOut(order: Exclude<Order, { kind: 'cancel' }>): Promise<Report> {
  const { id } = order;
  if (order.kind === 'write') {
    return { kind: 'wrote', id, result: await writeFileAtomically(order.order) };
  }
  if (order.kind === 'place') {
    return { kind: 'placed', id, result: await placeEntry(order.order) };
  }
  const start = order.order.proxied ? startProxied : startCommand;
  const command = start(order.order, environment, (piece) => report({ kind: 'output', id, piece }));
  running.set(id, command);
  try {
    return { kind: 'ran', id, result: await command.result };
  } finally {
    running.delete(id);
  }
}

function report(message: Report): void {
  if (process.connected) process.send?.(message);
}
