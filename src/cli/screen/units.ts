const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** `4.5 s`, `14 s`, `3m 24s`, `4h 57m`, `2d 3h`. */
export function lasting(seconds: number): string {
  if (seconds < MINUTE)
    return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m ${two(seconds % MINUTE)}s`;
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
  if (hours < 24) return minutes === 0 ? `${hours}h` : `${hours}h ${two(minutes)}m`;
  return `${Math.floor(seconds / DAY)}d ${Math.floor((seconds % DAY) / HOUR)}h`;
}

/** How long ago, in one unit or two. */
export function ago(seconds: number): string {
  if (seconds < 5) return 'now';
  if (seconds < MINUTE) return `${Math.floor(seconds)}s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h ${two((seconds % HOUR) / MINUTE)}m`;
  return `${Math.floor(seconds / DAY)}d`;
}

/** Whole seconds that tick: `4 s`, `14 s`. */
export const ticking = (seconds: number): string =>
  seconds < MINUTE ? `${Math.max(0, Math.floor(seconds))} s` : lasting(seconds);

/** In the time zone of whoever looks. */
export function clock(at: string | number, withSeconds = true): string {
  const date = new Date(at);
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return withSeconds ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

/** `832`, `14.2k`, `1.32M`. */
export function compact(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(2)}M`;
}

export const dollars = (amount: number): string =>
  amount > 0 && amount < 0.01 ? `$${amount.toFixed(4)}` : `$${amount.toFixed(2)}`;
