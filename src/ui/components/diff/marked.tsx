import { withMarks } from '../../view/diff-rows.ts';
import { shownName } from '../../view/shown-name.ts';

/** Text in which names of characters that can't be seen are marks. */
export const Marked = ({ text }: { readonly text: string }) =>
  withMarks(text).map((part, index) =>
    part.isMark ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
      <span key={index} className="unseen" title="A character that can’t be seen">
        {part.text.slice(1, -1)}
      </span>
    ) : (
      part.text
    ),
  );

/** What a goal wrote may have any name: its own direction moves nothing beside it. */
export const FileName = ({ path }: { readonly path: string }) => (
  <bdi>
    <Marked text={shownName(path)} />
  </bdi>
);
