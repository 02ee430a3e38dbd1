import { spawn } from 'node:child_process';
import { once } from 'node:events';

const SWAP = [
  'import ctypes, itertools, os, signal, sys',
  'exchange = ctypes.CDLL(None).renameat2',
  'at, target, aside = sys.argv[1:]',
  'os.makedirs(aside, exist_ok=True)',
  'over = []',
  'signal.signal(signal.SIGTERM, lambda *_: over.append(True))',
  'print("begun", flush=True)',
  'for n in itertools.takewhile(lambda _: not over, itertools.count()):',
  '    new = f"{aside}/{n}"',
  '    os.symlink(target, new)',
  // What was there comes back, so that the host finds folder and link by turns.
  '    for _ in range(2): exchange(-100, new.encode(), -100, at.encode(), 2)',
  '    if os.path.islink(new): os.unlink(new)',
].join('\n');

/**
 * Swaps what lies at a path with a link to the target, and back, for as long as `use` takes. What was
 * there is there afterwards.
 * @param aside a folder on the same disk, for what is swapped
 */
export async function whileSwapping(
  { at, target, aside }: { readonly at: string; readonly target: string; readonly aside: string },
  use: () => Promise<void>,
): Promise<void> {
  const swapping = spawn('python3', ['-c', SWAP, at, target, aside]);
  try {
    await once(swapping.stdout, 'data');
    await use();
  } finally {
    const ended = once(swapping, 'close');
    swapping.kill('SIGTERM');
    await ended;
  }
}
