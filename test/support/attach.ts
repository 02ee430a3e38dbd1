import type { Attachment } from '../../schema/attachment.ts';
import type { Problem } from '../../schema/problem.ts';
import { type GoalWorld, TOKENS } from './goal-world.ts';

type Uploaded = Attachment & Problem & { readonly status: number };

/** Uploads a file as a role, and gives what the service answers. */
export async function upload(
  { url }: Pick<GoalWorld, 'url'>,
  name: string,
  content: Uint8Array | string,
  role: keyof typeof TOKENS = 'admin',
): Promise<Uploaded> {
  const answer = await fetch(`${url}/v1/attachments?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKENS[role]}`,
      'content-type': 'application/octet-stream',
    },
    body: Buffer.from(content),
  });
  return { ...((await answer.json()) as Uploaded), status: answer.status };
}
