import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { MOST_ATTACHMENT_BYTES } from '../../schema/attachment.ts';
import type { JudgedAttachment } from '../contract/attachments.ts';
import { imageIn, imageWords } from '../tools/image-result.ts';

/** Of one result. */
const MOST_IMAGES = 5;

interface ReadResult {
  readonly text: string;
  readonly images: readonly JudgedAttachment[];
}

/** The words of a result, and its images as far as they are sound and have room. */
export function readResult(tool: string, result: CallToolResult): ReadResult {
  const { content = [], structuredContent } = result;
  const images: JudgedAttachment[] = [];
  const text = content.map((block) => words(block, tool, images)).join('\n');
  const isSilent = text === '' && structuredContent !== undefined;
  return { text: isSilent ? JSON.stringify(structuredContent) : text, images };
}

function words(block: ContentBlock, tool: string, images: JudgedAttachment[]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return kept(block.data, `${tool}-${images.length + 1}`, images) ?? unseen(block);
    case 'audio':
      return unseen(block);
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return resource.text;
      const name = resource.uri.split(/[/\\]/).at(-1) || tool;
      return kept(resource.blob, name, images) ?? `[${resource.uri}, not shown]`;
    }
  }
}

const unseen = ({ type, mimeType, data }: Extract<ContentBlock, { type: 'image' | 'audio' }>) =>
  `[${type} ${mimeType}, ${data.length} characters of base64, not shown]`;

/** What the server says of the type counts nothing; null = it is no image. */
function kept(base64: string, name: string, images: JudgedAttachment[]): string | null {
  const held = images.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = Math.floor((base64.length * 3) / 4);
  if (images.length >= MOST_IMAGES || held + bytes > MOST_ATTACHMENT_BYTES) {
    return `[${name}: not kept, a result has at most ${MOST_IMAGES} images and 10 MB of them]`;
  }
  const image = imageIn(name, Buffer.from(base64, 'base64'));
  if (image === null) return null;
  if ('why' in image) return `[${name} ${image.why}; not kept]`;
  if (!images.some(({ sha256 }) => sha256 === image.sha256)) images.push(image);
  return `[${name}: ${imageWords(image)}]`;
}
