/** Starts to count the processor time of this process, which other work on the machine does not lengthen. @returns milliseconds since */
export function startCpuClock(): () => number {
  const begun = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
}
