import { createInterface } from 'node:readline/promises';

/** Asks whoever sits at the terminal; all but a yes is a no. */
export async function saysYes(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}
