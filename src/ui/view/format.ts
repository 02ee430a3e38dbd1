const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

/** How long something took. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < MINUTE) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m ${two(whole % MINUTE)}s`;
  if (whole < DAY)
    return `${Math.floor(whole / HOUR)}h ${two(Math.floor((whole % HOUR) / MINUTE))}m`;
  return `${Math.floor(whole / DAY)}d ${Math.floor((whole % DAY) / HOUR)}h`;
}

/** How long ago, from one of the two sides; times ahead count as now. */
export function ago(at: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(at)) / SECOND);
  if (seconds < 5) return 'now';
  if (seconds < MINUTE) return `${Math.floor(seconds)}s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < DAY) {
    return `${Math.floor(seconds / HOUR)}h ${two(Math.floor((seconds % HOUR) / MINUTE))}m`;
  }
  return `${Math.floor(seconds / DAY)}d`;
}

export function clock(at: string | number, withSeconds: 'seconds' | 'minutes' = 'minutes'): string {
  const date = new Date(at);
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return withSeconds === 'seconds' ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

/** The day in the viewer's time zone. */
export function day(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function dateAndTime(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** 1.31M, 24k, 3.4k, 812. */
export function compact(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(2)}M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)}k`;
  return String(count);
}

/** Cents are enough from a dollar on; below, what there is must not read as nothing. */
export function dollars(amount: number | string): string {
  const value = Number(amount);
  if (value === 0 || value >= 0.01) return `$${value.toFixed(2)}`;
  return `$${value.toFixed(4)}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const bytes = (count: number): string => {
  if (count >= 1024 * 1024) return `${(count / 1024 / 1024).toFixed(1)} MB`;
  return count >= 1024 ? `${Math.round(count / 1024)} KB` : `${count} bytes`;
};
