import { useId } from 'react';
import { useFiles } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/text-field.tsx';
import { IconLock, IconX } from '../../generated/icons.tsx';
import { bytes } from '../../view/format.ts';
import type { Archive } from '../../view/seal-form.ts';
import { readArchive } from './read-archive.ts';

/** A file that is chosen or dropped, with the digest of what will be sent. */
export function ArchiveField(props: {
  readonly archive: Archive | null;
  readonly problem: string;
  readonly onArchive: (archive: Archive | null) => void;
}) {
  const { archive, onArchive } = props;
  const id = useId();
  const read = useFiles({ mutationFn: readArchive, onSuccess: onArchive });
  const problem = read.error?.message ?? props.problem;
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        Files, with paths as in the workspace
      </label>
      {archive === null ? (
        <div className={`drop-area ${problem === '' ? '' : 'invalid'}`}>
          <IconLock size={14} stroke={1.75} aria-hidden="true" />
          <span>
            {read.isPending ? 'Reading…' : 'Drop a tar, tar.gz or zip, or '}
            {read.isPending ? null : <u>choose</u>}
          </span>
          <input
            id={id}
            type="file"
            accept=".tar,.tgz,.gz,.zip"
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-problem`}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file !== undefined) read.mutate(file);
            }}
          />
        </div>
      ) : (
        <div className="sealed-one">
          <IconLock size={16} stroke={1.75} aria-hidden="true" />
          <div className="grow">
            <b>{archive.name}</b>{' '}
            <span className="text-small text-muted">{bytes(archive.bytes)}</span>
            {archive.sha256 === null ? null : (
              <p className="mono text-small text-muted">sha256:{archive.sha256}</p>
            )}
          </div>
          <Button
            id={id}
            look="subtle"
            isIcon
            isSmall
            aria-label={`Remove ${archive.name}`}
            onClick={() => onArchive(null)}
          >
            <IconX size={14} stroke={1.75} aria-hidden="true" />
          </Button>
        </div>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}
