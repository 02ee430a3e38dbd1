import type { AddressRules } from '../contract/addresses.ts';
import type { AnchorTarget } from '../contract/anchors.ts';
import { fileTarget } from './file-target.ts';
import { gitTarget } from './git-target.ts';
import { webhookTarget } from './webhook-target.ts';

export interface TargetSettings {
  /** `file:/path`, `git:/path/to/repository#ref` or an `https://` address. */
  readonly places: readonly string[];
  /** Signs what is posted. */
  readonly secret: string | null;
  readonly addresses: AddressRules;
}

export const anchorTargets = ({ places, secret, addresses }: TargetSettings): AnchorTarget[] =>
  places.map((place) => {
    const file = fileOf(place);
    if (file !== null) return file;
    return webhookTarget(place, secret ?? '', addresses);
  });

/** A place that can be read where this runs; null = it is none of these. */
export function fileOf(place: string): AnchorTarget | null {
  if (place.startsWith('file:')) return fileTarget(place.slice('file:'.length));
  if (!place.startsWith('git:')) return null;
  const [path = '', ref = ''] = place.slice('git:'.length).split('#');
  return gitTarget(path, ref);
}
