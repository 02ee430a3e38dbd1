import type { Masker } from '../output.ts';
import type { Effects } from './client.ts';

/** Whoever runs a command, the model or the gate: nobody gets its output with the secrets in it. */
export function maskEffects(effects: Effects, mask: Masker): Effects {
  return {
    async runCommand(command) {
      const run = await effects.runCommand(command);
      return { ...run, output: await mask.bytes(run.output) };
    },
    writeFile: (file) => effects.writeFile(file),
    close: () => effects.close(),
  };
}
