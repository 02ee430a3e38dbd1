import type { Range } from '../../api/changes.ts';
import type { FileChange, Gate } from '../../api/types.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import type { DiffLayout } from '../../components/diff/diff.tsx';
import { FileName } from '../../components/diff/marked.tsx';
import { IconChevronDown, IconChevronRight, IconCopy } from '../../generated/icons.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { foldedBecause } from '../../view/change-tree.ts';
import { bytes } from '../../view/format.ts';
import { shownName } from '../../view/shown-name.ts';
import { FileLines } from './file-lines.tsx';
import { FileSize } from './file-size.tsx';
import { StatusLetter } from './file-tree.tsx';
import { JudgeTag } from './judge-tag.tsx';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

interface BlockProps {
  readonly goalId: string;
  readonly range: Range;
  readonly file: FileChange;
  readonly gate: Gate | undefined;
  readonly layout: DiffLayout;
  /** Null = as the file's size says. */
  readonly isOpen: boolean | null;
  readonly onOpen: (isOpen: boolean) => void;
}

/** A changed file with its lines. */
export function FileBlock(props: BlockProps) {
  const { file, gate } = props;
  const { path } = file;
  const name = shownName(path);
  const toast = useToast();
  const folded = foldedBecause(file);
  const isOpen = props.isOpen ?? folded === null;
  const copy = () => void navigator.clipboard.writeText(path).then(() => toast('Path copied.'));
  const isUnfelt = gate?.proof?.felt?.unfelt.includes(path) === true;
  return (
    <section className="file-block" aria-label={name}>
      <header>
        <Button
          look="subtle"
          isIcon
          isSmall
          aria-expanded={isOpen}
          aria-label={`Lines of ${name}`}
          onClick={() => props.onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown {...icon} /> : <IconChevronRight {...icon} />}
        </Button>
        <StatusLetter file={file} />
        <b className="mono truncate">
          <FileName path={path} />
        </b>
        <FileSize file={file} />
        {file.scope === 'beyond' ? <span className="tag outlined">beyond scope</span> : null}
        <JudgeTag file={file} />
        {isUnfelt ? (
          <span className="tag" title="Put back to what it was, every criterion stays as it is">
            not felt
          </span>
        ) : null}
        <span className="grow" />
        <Button look="subtle" isIcon isSmall aria-label={`Copy the path ${name}`} onClick={copy}>
          <IconCopy {...icon} />
        </Button>
      </header>
      <Standing file={file} gate={gate} />
      {isOpen ? (
        <FileLines {...props} />
      ) : (
        <p className="diff-fold">
          {file.isBinary ? `Binary file, ${sizeText(file)}. ` : `${folded ?? 'Folded'}. `}
          <PlainButton className="text-link" onClick={() => props.onOpen(true)}>
            Show
          </PlainButton>
        </p>
      )}
    </section>
  );
}

function sizeText({ bytes: { before, after } }: FileChange): string {
  if (before === null || after === null) return bytes(after ?? before ?? 0);
  return `${bytes(before)} before, ${bytes(after)} now`;
}

/** What a file beyond the scope means for the proof. */
function Standing({ file, gate }: Pick<BlockProps, 'file' | 'gate'>) {
  if (file.scope !== 'beyond') return null;
  const needed = gate?.changes.find(({ name }) => name === file.path);
  return (
    <p className="file-standing">
      {needed === undefined ? null : (
        <b>The proof needs it, for {needed.criterionIds.join(', ')}. </b>
      )}
      {file.judges.length > 0
        ? 'The proof run uses the original of this file; the copy here counts only in the workspace.'
        : 'It is no part of the work: the proof leaves it out.'}
    </p>
  );
}
