import { type ReactNode, useId, useRef, useState } from 'react';
import { uploadAttachment } from '../api/actions.ts';
import { answerOf } from '../api/client.ts';
import { useFiles } from '../api/use-act.ts';
import { IconFile, IconPaperclip, IconX } from '../generated/icons.tsx';
import { type AttachedFile, MOST_FILES } from '../view/attached-file.ts';
import { bytes } from '../view/format.ts';
import { Button } from './button.tsx';
import { Picture } from './picture.tsx';
import { Problem } from './text-field.tsx';

/** Files that are chosen, pasted into or dropped on what it stands around. */
export function AttachField(props: {
  readonly files: readonly AttachedFile[];
  readonly problem?: string;
  readonly onFiles: (files: readonly AttachedFile[]) => void;
  /** The field with the words that they come with. */
  readonly children?: ReactNode;
}) {
  const { files, problem = '', onFiles, children } = props;
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  /** The files themselves, by the id of their upload; a reload loses the pictures only. */
  const blobs = useRef(new Map<string, Blob>());
  const latest = useRef(files);
  latest.current = files;
  const change = (next: readonly AttachedFile[]) => {
    latest.current = next;
    onFiles(next);
  };
  const upload = useFiles({
    mutationFn: async (chosen: readonly File[]) => {
      if (latest.current.length + chosen.length > MOST_FILES) {
        throw new Error(`At most ${MOST_FILES} files go with one request.`);
      }
      for (const file of chosen) {
        const { attachmentId, name, mediaType, bytes } = await answerOf(uploadAttachment(file));
        blobs.current.set(attachmentId, file);
        change([...latest.current, { attachmentId, name, mediaType, bytes }]);
      }
    },
  });
  const add = (list: FileList | null): boolean => {
    const chosen = [...(list ?? [])];
    if (chosen.length > 0) upload.mutate(chosen);
    return chosen.length > 0;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard
    <div
      className={`attach-field ${isOver ? 'over' : ''}`}
      onPaste={(event) => {
        if (add(event.clipboardData.files)) event.preventDefault();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        if (add(event.dataTransfer.files)) event.preventDefault();
      }}
    >
      {children}
      <ul className="plain-list attached-files" aria-label="Attached files">
        {files.map((file) => (
          <li key={file.attachmentId} className="attached-file">
            <FilePicture file={file} blob={blobs.current.get(file.attachmentId)} />
            <span className="attached-name">{file.name}</span>
            <span className="text-muted">{bytes(file.bytes)}</span>
            <Button
              look="subtle"
              isIcon
              isSmall
              aria-label={`Remove ${file.name}`}
              onClick={() =>
                change(files.filter(({ attachmentId }) => attachmentId !== file.attachmentId))
              }
            >
              <IconX size={14} stroke={1.75} aria-hidden="true" />
            </Button>
          </li>
        ))}
        <li>
          <label className="attach-choose text-small" htmlFor={id}>
            <IconPaperclip size={14} stroke={1.75} aria-hidden="true" />
            {upload.isPending ? 'Uploading…' : 'Attach files'}
            <span className="text-muted desktop-only"> or paste or drop them</span>
            <input
              id={id}
              type="file"
              multiple
              disabled={upload.isPending}
              onChange={(event) => {
                add(event.currentTarget.files);
                event.currentTarget.value = '';
              }}
            />
          </label>
        </li>
      </ul>
      <Problem text={upload.error?.message ?? problem} />
    </div>
  );
}

function FilePicture({
  file,
  blob,
}: {
  readonly file: AttachedFile;
  readonly blob: Blob | undefined;
}) {
  if (blob !== undefined && file.mediaType.startsWith('image/')) {
    return <Picture blob={blob} alt={file.name} most={32} />;
  }
  return <IconFile size={16} stroke={1.75} aria-hidden="true" />;
}
