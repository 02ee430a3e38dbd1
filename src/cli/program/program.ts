import { Command, Option } from 'commander';
import { productVersion } from '../../version.ts';
import { setTerminalFlags } from '../terminal.ts';
import { addCompletion } from './completion.ts';
import { addHooks } from './hooks.ts';
import { addLooks } from './looks.ts';
import { addMutations } from './mutations.ts';
import type { OnExit } from './new-command.ts';
import { addSchedules } from './schedules.ts';
import { addService } from './service.ts';
import { addStart } from './starts.ts';

/** The commands by name and option. Each is loaded only when it is called. */
export function createProgram(onExit: OnExit): Command {
  const program = new Command('goalkeeper')
    .description('Durable goals for AI agents that end only when they are proven')
    .version(productVersion())
    .exitOverride()
    // What a flag does stands beside it, and is broken between words, at 60 columns too.
    .configureHelp({ minWidthToWrap: 12 })
    .addOption(
      new Option('--color <when>', 'colours (NO_COLOR wins over it)')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .option('--ascii', 'signs of ASCII alone, as with LANG=C')
    .hook('preAction', (whole) => setTerminalFlags(whole.opts()))
    .showSuggestionAfterError();
  addStart(program, onExit);
  addLooks(program, onExit);
  addMutations(program, onExit);
  addSchedules(program, onExit);
  addHooks(program, onExit);
  addService(program, onExit);
  addCompletion(program, onExit);
  return program;
}
