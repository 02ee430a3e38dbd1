import { piecesOf } from './pieces.ts';
import type { PiecesAnswer, PiecesQuestion } from './use-pieces.ts';

// Words and languages take milliseconds a hunk, which the page's own thread has for scrolling.
addEventListener('message', ({ data }: MessageEvent<PiecesQuestion>) => {
  const { id, hunk, language } = data;
  postMessage({ id, pieces: piecesOf(hunk, language) } satisfies PiecesAnswer);
});
