import type { ImageSight } from '../contract/attachments.ts';
import type { PricedModel } from './price-file.ts';

interface Family {
  readonly models: RegExp;
  readonly sight: ImageSight;
}

const KB = 1024;
const MB = 1024 * KB;

/** Tokens of pictures that are cut into tiles, of which a provider looks at so many at most. */
const atMost = (most: number) => () => most;

/** What Anthropic counts, up to the size to which it scales an image of its newest models. */
const anthropicTokens = (width: number, height: number): number =>
  Math.min(Math.ceil((width * height) / 750) + 1, 4_800);

/** 258 for each tile of what is scaled to some 768 pixels; an image always counts one at least. */
const googleTokens = (width: number, height: number): number => {
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return Math.max(1_120, 258 * Math.ceil(width / unit) * Math.ceil(height / unit));
};

/** A patch of 28 × 28 pixels each, as models that people serve themselves count at most. */
const patchTokens = (width: number, height: number): number =>
  Math.min(Math.ceil(width / 28) * Math.ceil(height / 28) + 2, 16_384);

/** Anthropic takes 5 MB in base64 and 8000 pixels a side. */
const ANTHROPIC: ImageSight = {
  tokens: anthropicTokens,
  mostBytes: 3_750 * KB,
  longestSide: 8_000,
};
const GOOGLE: ImageSight = { tokens: googleTokens, mostBytes: 10 * MB, longestSide: 16_384 };
const openai = (tokens: number): ImageSight => ({
  tokens: atMost(tokens),
  mostBytes: 10 * MB,
  longestSide: 16_384,
});
const OTHER: ImageSight = { tokens: patchTokens, mostBytes: 10 * MB, longestSide: 16_384 };

/** Models whose makers say that they see; a name that none matches is named its images only. */
const FAMILIES: readonly Family[] = [
  { models: /^anthropic\/claude-(?:[3-9]|opus-|sonnet-|haiku-|fable-|mythos-)/, sight: ANTHROPIC },
  { models: /^google\/gemini-(?!embedding|1\.0)(?!.*-tts)/, sight: GOOGLE },
  // It counts twenty times the tiles of the others.
  { models: /^openai\/gpt-4o-mini/, sight: openai(48_200) },
  {
    models:
      /^openai\/(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-4-turbo|gpt-5|o1(?!-mini|-preview)|o3(?!-mini)|o4-mini)/,
    sight: openai(6_200),
  },
];

/** A model of which nobody says that it sees is shown no image: it would refuse the request. */
export function sightOf(model: string, told?: PricedModel): ImageSight | null {
  const known = FAMILIES.find(({ models }) => models.test(model))?.sight ?? null;
  const isTold = told?.images ?? known !== null;
  if (!isTold) return null;
  const sight = known ?? OTHER;
  const tokens = told?.tokensPerImage;
  return tokens === undefined ? sight : { ...sight, tokens: atMost(tokens) };
}
