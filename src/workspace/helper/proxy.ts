/**
 * The process of one command's proxy. It reads what the command sends, so it has nothing of the
 * service: no secrets, no root's rights, no other command. It listens in the command's network by a
 * socket that was opened there, connects in the machine's, and ends with the helper.
 */
import '../../process/closed-files.ts';
import type { Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { domainRuleOf } from '../../../schema/domain.ts';
import { reachableAddresses } from '../../net/proxy/judge.ts';
import { PROXY_LIMITS } from '../../net/proxy/limits.ts';
import { createProxy } from '../../net/proxy/server.ts';
import type { Proxied } from '../../sandbox/boxed-command.ts';
import { becomeNobody } from '../../sandbox/command-user.ts';

process.once('disconnect', () => process.exit(0));
process.once('message', ({ domains, addresses }: Proxied, listening: Server) => {
  const interfaces = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const { server, reached } = createProxy({
    domains: domains.flatMap((entry) => domainRuleOf(entry) ?? []),
    addresses: reachableAddresses(addresses, interfaces),
    limits: PROXY_LIMITS,
  });
  server.listen(listening, () => process.send?.({ kind: 'listening' }));
  process.on('message', () => process.send?.({ kind: 'tally', reached: reached() }));
});
becomeNobody();
