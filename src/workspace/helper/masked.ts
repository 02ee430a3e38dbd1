import type { Skipped } from '../../contract/effects.ts';
import type { Masker } from '../../secrets/masker.ts';
import type { Effects } from './client.ts';

/** The output of every command is masked, whether the model or the gate runs it. */
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
    placeEntry: (order) => effects.placeEntry(order),
    close: () => effects.close(),
  };
}

/**
 * Masks also a secret that is split between two pieces: only whole lines are passed on at once.
 * From skipped output, only the start of a secret that continues in the text is kept.
 */
function maskedStream(onOutput: (text: string) => void, mask: Masker) {
  let stream = mask.stream();
  const send = (text: string): void => {
    if (text !== '') onOutput(text);
  };
  return {
    push(text: string, skipped?: Skipped): void {
      if (skipped?.isWhole === false) stream = mask.stream();
      if (skipped !== undefined) stream.push(skipped.text);
      send(stream.push(text));
    },
    end: (): void => send(stream.end()),
  };
}
