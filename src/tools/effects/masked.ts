import type { Masker } from '../output.ts';
import type { Effects } from './client.ts';

/** Whoever runs a command, the model or the gate: nobody gets its output with the secrets in it. */
export function maskEffects(effects: Effects, mask: Masker): Effects {
  return {
    async runCommand(command) {
      const { onOutput, ...order } = command;
      const stream = onOutput && maskedStream(onOutput, mask);
      const run = await effects.runCommand({ ...order, ...(stream && { onOutput: stream.push }) });
      stream?.end();
      return { ...run, output: await mask.bytes(run.output) };
    },
    writeFile: (file) => effects.writeFile(file),
    close: () => effects.close(),
  };
}

/** A secret that a border between two pieces cuts is masked as well: whole lines go on at once. */
function maskedStream(onOutput: (chunk: string) => void, mask: Masker) {
  const stream = mask.stream();
  const send = (text: string): void => {
    if (text !== '') onOutput(text);
  };
  return {
    push: (chunk: string): void => send(stream.push(chunk)),
    end: (): void => send(stream.end()),
  };
}
