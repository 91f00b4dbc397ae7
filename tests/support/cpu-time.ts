/** Starts to count the processor time of this process: a machine that is busy with other tests makes nothing slow. @returns milliseconds since */
export function startCpuClock(): () => number {
  const begun = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
}
