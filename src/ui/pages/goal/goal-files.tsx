import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { attachmentQuery, attachmentsQuery } from '../../api/queries.ts';
import type { GoalFile } from '../../api/types.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { save } from '../../components/download.ts';
import { Picture } from '../../components/picture.tsx';
import { IconFile } from '../../generated/icons.tsx';
import { bytes } from '../../view/format.ts';

const MOST_SHOWN = 8;

/** The files that a goal holds, the newest first; nothing where it holds none. */
export function GoalFiles({ goalId }: { readonly goalId: string }) {
  const { data: files = [] } = useQuery(attachmentsQuery(goalId));
  const [isAll, setIsAll] = useState(false);
  const [opened, setOpened] = useState<GoalFile | null>(null);
  if (files.length === 0) return null;
  const newest = files.toReversed();
  const shown = isAll ? newest : newest.slice(0, MOST_SHOWN);
  const left = newest.length - shown.length;
  return (
    <section className="goal-files" aria-label="Files of this goal">
      {shown.map((file) => (
        <PlainButton
          key={file.sha256}
          className="goal-file"
          title={`${file.name}: ${sourceText(file)}`}
          onClick={() => setOpened(file)}
        >
          <Thumbnail goalId={goalId} file={file} most={36} />
          <span className="attached-name">{file.name}</span>
        </PlainButton>
      ))}
      {left === 0 ? null : (
        <Button look="subtle" isSmall onClick={() => setIsAll(true)}>
          {left} more
        </Button>
      )}
      {opened === null ? null : (
        <FileDialog goalId={goalId} file={opened} onClose={() => setOpened(null)} />
      )}
    </section>
  );
}

function Thumbnail(props: {
  readonly goalId: string;
  readonly file: GoalFile;
  readonly most: number;
}) {
  const { goalId, file, most } = props;
  const isImage = file.mediaType.startsWith('image/');
  const { data: blob } = useQuery({ ...attachmentQuery(goalId, file.sha256), enabled: isImage });
  if (blob === undefined) return <IconFile size={18} stroke={1.5} aria-hidden="true" />;
  return <Picture blob={blob} alt={file.name} most={most} />;
}

function FileDialog(props: {
  readonly goalId: string;
  readonly file: GoalFile;
  readonly onClose: () => void;
}) {
  const { goalId, file, onClose } = props;
  const content = useQuery(attachmentQuery(goalId, file.sha256));
  const size = file.width === undefined ? '' : `, ${file.width} × ${file.height}`;
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={file.name}
      footer={
        <>
          <span className="grow text-small text-muted">
            {file.mediaType}
            {size}, {bytes(file.bytes)}, {sourceText(file)}
          </span>
          <Button onClick={onClose}>Close</Button>
          <Button
            look="primary"
            data-autofocus
            disabled={!content.data}
            onClick={() => content.data && save(file.name, content.data)}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="file-view">
        {content.error === null ? null : <p role="alert">{content.error.message}</p>}
        {file.mediaType.startsWith('image/') ? (
          <Thumbnail goalId={goalId} file={file} most={700} />
        ) : (
          <p className="mono text-small text-muted">sha256:{file.sha256}</p>
        )}
      </div>
    </Dialog>
  );
}

const SOURCES = {
  objective: 'with the objective',
  message: 'with a message',
  answer: 'with an answer',
  call: 'result of a call',
} as const;

const sourceText = ({ source, callId }: GoalFile): string =>
  callId === undefined ? SOURCES[source] : `${SOURCES[source]}, ${callId}`;
