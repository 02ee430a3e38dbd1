import { useEffect, useState } from 'react';
import type { DiffHunk } from '../../../../schema/unified-diff.ts';
import { languageOf } from '../../view/diff-language.ts';
import type { Piece } from '../../view/diff-rows.ts';

export type Pieces = readonly (readonly Piece[])[];

export interface PiecesQuestion {
  readonly id: number;
  readonly hunk: DiffHunk;
  readonly language: string | null;
}

export interface PiecesAnswer {
  readonly id: number;
  readonly pieces: Pieces;
}

interface Asker {
  readonly worker: Worker;
  readonly waiting: Map<number, (pieces: Pieces) => void>;
}

let asker: Asker | null = null;
let last = 0;

/** One worker for all diffs of the page. */
function theAsker(): Asker {
  if (asker !== null) return asker;
  const worker = new Worker(new URL('./pieces-worker.ts', import.meta.url), { type: 'module' });
  const waiting: Asker['waiting'] = new Map();
  worker.addEventListener('message', ({ data }: MessageEvent<PiecesAnswer>) => {
    waiting.get(data.id)?.(data.pieces);
    waiting.delete(data.id);
  });
  asker = { worker, waiting };
  return asker;
}

const known = new WeakMap<DiffHunk, Pieces>();

/** A hunk's lines in pieces; null until the worker has them, and then plain text is shown. */
export function usePieces(path: string, hunk: DiffHunk): Pieces | null {
  const [found, setFound] = useState<{ hunk: DiffHunk; pieces: Pieces } | null>(null);
  useEffect(() => {
    if (known.has(hunk)) return;
    const { worker, waiting } = theAsker();
    last += 1;
    const id = last;
    waiting.set(id, (pieces) => {
      known.set(hunk, pieces);
      setFound({ hunk, pieces });
    });
    const { oldStart, oldLines, newStart, newLines, section, lines } = hunk;
    const asked = { oldStart, oldLines, newStart, newLines, section, lines };
    worker.postMessage({ id, hunk: asked, language: languageOf(path) } satisfies PiecesQuestion);
    return () => void waiting.delete(id);
  }, [path, hunk]);
  return known.get(hunk) ?? (found?.hunk === hunk ? found.pieces : null);
}
