import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommonOptions } from '../session.ts';
export async function checkComment(_file: string, _options: CommonOptions): Promise<ExitCode> {
  return EXIT.complete;
}
