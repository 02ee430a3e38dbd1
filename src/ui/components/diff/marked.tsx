import { markOf } from '../../jsx/jsx-runtime.ts';
import { withMarks } from '../../view/diff-rows.ts';
import { shownName } from '../../view/shown-name.ts';

/** Text in which names of characters that can't be seen are marks. */
export const Marked = ({ text }: { readonly text: string }) => (
  <>
    {withMarks(text).map((part, index) =>
      part.isMark ? markOf(part.text.slice(1, -1), index) : part.text,
    )}
  </>
);

/** What a goal wrote may have any name: its own direction moves nothing beside it. */
export const FileName = ({ path }: { readonly path: string }) => (
  <bdi>
    <Marked text={shownName(path)} />
  </bdi>
);
