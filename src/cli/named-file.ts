import { unendingFile } from '../process/unending-file.ts';
import { UsageError } from './exit-code.ts';

/** @throws UsageError where reading what the caller names would wait for ever */
export async function assertFileEnds(path: string, wayOut: string): Promise<void> {
  const what = await unendingFile(path);
  if (what !== null) throw new UsageError(`${path} is ${what}, and no file.`, wayOut);
}
