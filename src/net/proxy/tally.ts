import type { Reached } from '../../../schema/network.ts';

/** Of those that were reached, and of those that were refused: decoys crowd out nothing. */
const MOST_PLACES = 50;
/** What comes after these is counted together. */
export const OTHERS = '(others)';

/** What one command reached, by place; its size has a bound, whatever the command does. */
export interface Tally {
  /** Adds a connection; what is returned takes all bytes that it has passed so far. */
  count(to: string, refused?: string): (sentBytes: number, receivedBytes: number) => void;
  all(): Reached[];
}

export function createTally(): Tally {
  const places = new Map<string, { -readonly [Key in keyof Reached]: Reached[Key] }>();
  const placeOf = (to: string, refused?: string) => {
    const key = `${to} ${refused ?? ''}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    const alike = [...places.values()].filter((one) => !one.refused === !refused);
    if (alike.length >= MOST_PLACES && to !== OTHERS) return placeOf(OTHERS, refused);
    const place = {
      to,
      connections: 0,
      ...(refused && { refused }),
      sentBytes: 0,
      receivedBytes: 0,
    };
    places.set(key, place);
    return place;
  };
  return {
    count(to, refused) {
      const place = placeOf(to, refused);
      place.connections += 1;
      let [sent, received] = [0, 0];
      return (sentBytes, receivedBytes) => {
        place.sentBytes += sentBytes - sent;
        place.receivedBytes += receivedBytes - received;
        [sent, received] = [sentBytes, receivedBytes];
      };
    },
    all: () => [...places.values()],
  };
}
