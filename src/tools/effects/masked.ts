import type { Masker } from '../output.ts';
import type { Effects } from './client.ts';

/** Whoever runs a command, the model or the gate: nobody gets its output with the secrets in it. */
export function maskEffects(effects: Effects, mask: Masker): Effects {
  return {
    async runCommand({ onOutput, ...command }) {
      const live = onOutput && { onOutput: byLines((text) => onOutput(mask.text(text))) };
      const run = await effects.runCommand({ ...command, ...live });
      return { ...run, output: await mask.bytes(run.output) };
    },
    writeFile: (file) => effects.writeFile(file),
    close: () => effects.close(),
  };
}

const LONGEST_LINE = 4096;

/** A secret that comes in two pieces is masked as one; a line without end is not told. */
function byLines(tell: (text: string) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end).slice(0, LONGEST_LINE);
    if (end > 0) tell(text.slice(0, end));
  };
}
