/** What this process has computed so far, in milliseconds: how busy the machine is doesn't count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
