import type { Command } from 'commander';
import { whole } from '../budget-options.ts';
import { collect } from '../run-options.ts';
import { command, type OnExit } from './new-command.ts';

export function addTokens(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/token.ts');
  const token = program.command('token').description('who may call the service');
  command(token, 'create', 'make one that may no more than yours; it is shown this once')
    .argument('<name>', 'stands in records; no later token gets it')
    .requiredOption('--role <role>', 'viewer, agent, operator or admin')
    .option('--workspace <name>', 'only goals there exist for it; repeatable', collect)
    .option(
      '--template <name>',
      'WORKSPACE/TEMPLATE: starts goals from it alone; repeatable',
      collect,
    )
    .option('--days <n>', 'until it ends (default: 90)', whole)
    .option('--no-expiry', 'lives as long as yours')
    .action(async (name, options) => onExit(await (await commands()).createToken(name, options)));
  command(token, 'list', 'their bounds, their last use, and what was revoked').action(
    async (options) => onExit(await (await commands()).listTokens(options)),
  );
  command(token, 'revoke', 'end it at once, with its sessions and open event streams')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).revokeToken(name, options)));
}

export function addSessions(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/session.ts');
  const session = program.command('session').description('browsers that are signed in');
  command(session, 'list', 'who is signed in, by what, and until when').action(async (options) =>
    onExit(await (await commands()).listSessions(options)),
  );
  command(session, 'end', 'sign all browsers of a token or person out at once')
    .argument('<name>')
    .action(async (name, options) => onExit(await (await commands()).endSessions(name, options)));
}

export function addPins(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/pins.ts');
  const pins = program
    .command('pins')
    .description("MCP servers' tools as goals see them, and what changed since");
  command(pins, 'list', 'what changed, with the difference; --all for every tool')
    .option('--all', 'also what did not change')
    .action(async (options) => onExit(await (await commands()).listPins(options)));
  command(pins, 'accept', 'let goals see a tool as its server describes it now')
    .argument('<workspace>')
    .argument('<tool>', 'mcp__SERVER__TOOL')
    .option('--hash <hash>', 'only this definition (default: what waits now)')
    .action(async (workspace, tool, options) =>
      onExit(await (await commands()).acceptPin(workspace, tool, options)),
    );
  command(pins, 'reset', "trust a server's tools anew at their next use")
    .argument('<workspace>')
    .argument('<server>')
    .action(async (workspace, server, options) =>
      onExit(await (await commands()).resetPins(workspace, server, options)),
    );
}

export function addRules(program: Command, onExit: OnExit): void {
  const commands = () => import('../commands/rules.ts');
  const rules = program
    .command('rules')
    .description('what people let run for good, by workspace (approve --always)');
  command(rules, 'list', 'those that hold; --all for those that were revoked, too')
    .argument('[workspace]', 'of this one alone')
    .option('--all', 'also what was revoked')
    .action(async (workspace, options) =>
      onExit(await (await commands()).listRules(workspace, options)),
    );
  command(rules, 'revoke', 'ask about such calls again, from the next one on')
    .argument('<rule>')
    .action(async (rule, options) => onExit(await (await commands()).revokeRule(rule, options)));
}
