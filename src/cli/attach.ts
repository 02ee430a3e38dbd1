import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type Attachment,
  MOST_ATTACHMENT_BYTES,
  MOST_ATTACHMENTS,
} from '../../schema/attachment.ts';
import type { Client } from './client.ts';
import { UsageError } from './exit-code.ts';
import { assertFileEnds } from './named-file.ts';

/** Uploads files; a request then names them by their ids. Nothing is sent if one can't be read. */
export async function attachFiles(
  client: Client,
  files: readonly string[] | undefined,
): Promise<{ readonly attachments?: string[] }> {
  if (files === undefined) return {};
  if (files.length > MOST_ATTACHMENTS) {
    throw new UsageError(
      `There are ${files.length} files, and at most ${MOST_ATTACHMENTS} are taken.`,
      'Leave --attach out for some, or put them into the workspace.',
    );
  }
  const contents = await Promise.all(files.map(contentOf));
  const attachments: string[] = [];
  for (const [index, content] of contents.entries()) {
    const name = encodeURIComponent(basename(files[index] ?? ''));
    const { attachmentId } = await client.upload<Attachment>(
      `/v1/attachments?name=${name}`,
      content,
    );
    attachments.push(attachmentId);
  }
  return { attachments };
}

async function contentOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
  await assertFileEnds(path, 'Name another file.');
  try {
    const file = await open(path);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw unread(path, 'it is no file');
      if (stats.size > MOST_ATTACHMENT_BYTES) {
        throw unread(
          path,
          `it has ${stats.size} bytes, and at most ${MOST_ATTACHMENT_BYTES} are taken`,
        );
      }
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unread(path, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

const unread = (path: string, why: string): UsageError =>
  new UsageError(`--attach ${path} can't be sent: ${why}.`, 'Name another file.');
