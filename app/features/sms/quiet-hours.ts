/** Campaigns are not sent between nine in the evening and eight in the morning, recipient's time. */
const QUIET_FROM = 21
const QUIET_UNTIL = 8
const HOUR_MS = 3_600_000

/** The end of the current quiet hours, when they have ended in every zone where the reader may be; undefined outside of them. */
export function findQuietEnd(now: Date, zones: readonly string[]): Date | undefined {
  const isQuietSomewhere = (at: Date) => zones.some((zone) => isQuiet(at, zone))
  if (!isQuietSomewhere(now)) return undefined
  // In steps of a quarter of an hour, since some zones are offset by that, and by local time, since the clock may change in between.
  const start = Math.ceil(now.getTime() / (HOUR_MS / 4)) * (HOUR_MS / 4)
  for (let at = start; at < start + 24 * HOUR_MS; at += HOUR_MS / 4) {
    if (!isQuietSomewhere(new Date(at))) return new Date(at)
  }
  return undefined
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function isQuiet(at: Date, zone: string): boolean {
  let clock = clocks.get(zone)
  if (!clock) clocks.set(zone, (clock = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: zone })))
  const hour = Number(clock.format(at))
  return hour >= QUIET_FROM || hour < QUIET_UNTIL
}
